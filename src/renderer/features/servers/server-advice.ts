import type { ConnectionFailure, ConnectionState } from '../../../shared/model/connection-state.ts';
import type { ServerRow } from '../../../shared/state/app-state.ts';
import { signInNeed } from '../../../shared/state/sign-in-need.ts';
import { failureWords, providerHost, wantedWords } from '../../bridge/sign-in-words.ts';
import { durationText } from '../../ui/time.ts';

/** The one thing to do about a server. `edit` opens its form, `vault` the place where secrets can be unlocked, `sign-in` the browser, `see-sign-in` its page, where its sign-in is. */
export type ServerAction = 'start' | 'stop' | 'try-again' | 'start-again' | 'switch-on' | 'open-folder' | 'edit' | 'vault' | 'answer' | 'trust' | 'sign-in' | 'see-sign-in';
export interface Advice {
  /** One line: why it is as it is. Absent where its state says all. */
  readonly why?: string;
  /** When Gatehouse tries again by itself, counting down. */
  readonly next?: string;
  readonly action: { readonly do: ServerAction; readonly label: string };
  /** Whether the action is what the person should do, or merely what they can do. */
  readonly urgent: boolean;
}

const can = (action: ServerAction, label: string): Advice => ({ action: { do: action, label }, urgent: false });
const should = (why: string, action: ServerAction, label: string): Advice => ({ why, action: { do: action, label }, urgent: true });

/** Why a server is as it is, and the one thing to do about it. `secretsKept`: the vault can be read right now. `asked`: it waits for an answer. */
export function adviceFor(row: Pick<ServerRow, 'definition' | 'connection' | 'signIn'>, now: number, secretsKept: boolean, asked = false): Advice {
  const { definition, connection } = row;
  if (asked) return should('It wants to read a secret, and waits for your answer.', 'answer', 'Answer…');
  const signIn = connection.phase === 'stopped' ? undefined : signInAdvice(row);
  if (signIn) return signIn;
  switch (connection.phase) {
    case 'stopped':
      return connection.why === 'disabled' ? can('switch-on', 'Switch on') : can('start', 'Start');
    case 'starting':
      return can('stop', 'Cancel');
    case 'ready':
      return can('stop', 'Stop');
    case 'needs':
      return needAdvice(connection, definition.owner !== 'built-in', secretsKept);
    case 'reconnecting':
      return {
        ...should(causeLine(connection.failure), 'try-again', 'Try now'),
        ...nextTry(connection.retryAt, now, definition.transport.type),
      };
    case 'failed':
      return failureAdvice(connection, definition, now);
  }
}

/** What a sign-in asks for now; a machine's own only where it failed. */
function signInAdvice(row: Pick<ServerRow, 'definition' | 'connection' | 'signIn'>): Advice | undefined {
  const need = signInNeed(row);
  const { name } = row.definition;
  if (!need) return undefined;
  switch (need.kind) {
    case 'working':
      return can('see-sign-in', 'Show');
    case 'waiting':
      return should(need.flow.issuer === undefined ? 'Say yes there, and it goes on.' : `Say yes at ${providerHost(need.flow.issuer)}, and it goes on.`, 'see-sign-in', 'Show');
    case 'needs-client':
      return should('The provider wants a client id from you.', 'see-sign-in', 'Enter it…');
    case 'needs-host':
      return should(`It leads to ${need.flow.host ?? 'an address'} in your own network.`, 'see-sign-in', 'Look at it…');
    case 'failed':
      return should(failureWords(need.flow, name).what, 'see-sign-in', 'See why');
    case 'wanted': {
      if (row.signIn?.way !== 'browser') return undefined;
      const { what, button } = wantedWords(need.wanted, name);
      // The row says what for: its button stays short.
      return should(what, 'sign-in', need.wanted.because === 'scopes' ? 'Sign in' : button);
    }
  }
}

function needAdvice({ what, message }: Extract<ConnectionState, { phase: 'needs' }>, editable: boolean, secretsKept: boolean): Advice {
  switch (what) {
    case 'project':
      // Quietly: opening a folder is a choice.
      return { ...can('open-folder', 'Open a folder'), why: 'It works on the project folder, and none is open.' };
    case 'secret':
      if (!secretsKept) return should(message, 'vault', 'Open the vault');
      return editable ? should(message, 'edit', 'Enter it…') : should(message, 'start', 'Try again');
    case 'trust':
      return should(message, 'trust', 'Look at it…');
    case 'sign-in':
      return editable ? should(message, 'edit', 'Fix…') : should(message, 'start', 'Try again');
  }
}

function failureAdvice(
  { failure, retryAt }: Extract<ConnectionState, { phase: 'failed' }>,
  definition: ServerRow['definition'],
  now: number,
): Advice {
  const why = causeLine(failure);
  if (failure.code === 'connection/crash-loop') return should(why, 'start-again', 'Start again');
  if (retryAt !== undefined) return { ...should(why, 'try-again', 'Try again'), ...nextTry(retryAt, now, definition.transport.type) };
  const fixable = definition.owner !== 'built-in' && isTheirDefinition(failure);
  return fixable ? should(why, 'edit', 'Fix…') : should(why, 'try-again', 'Try again');
}

/** The mistake is more likely in what the person wrote than in the server. */
const isTheirDefinition = ({ code, httpStatus = 0 }: ConnectionFailure): boolean =>
  code === 'launch/command-not-found' ||
  code === 'launch/not-permitted' ||
  code === 'server/not-mcp' ||
  code === 'config/invalid' ||
  (httpStatus >= 400 && httpStatus < 500);

/** What others run is tried again by itself; a process only by its next use. */
const nextTry = (retryAt: number, now: number, transport: string): { readonly next?: string } => {
  if (transport === 'stdio') return {};
  return {
    next:
      retryAt <= now
        ? 'Trying now.'
        : `Next try in ${durationText(Math.max(1000, Math.ceil((retryAt - now) / 1000) * 1000)).replace('.0 s', ' s')}.`,
  };
};

/** A failure in one line: the server's own last words where it had some. */
export function causeLine(failure: ConnectionFailure): string {
  switch (failure.code) {
    case 'launch/command-not-found':
      return failure.message.replace(/ \(searched [^)]*\)/, '');
    case 'server/exited':
      return lastWords(failure.detail) ?? failure.message;
    case 'connection/crash-loop': {
      const last = lastWords(failure.detail);
      return `It ended five times within a minute and is left alone.${last ? ` Last words: ${last}` : ''}`;
    }
    default:
      return failure.message;
  }
}

const lastWords = (detail: string | undefined): string | undefined =>
  detail
    ?.split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '');
