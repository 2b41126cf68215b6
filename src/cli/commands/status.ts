import type { Command } from 'commander';
import { withServer } from '../../core/auth/auth-required-words.ts';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import { isWaiting } from '../../shared/model/elicitation-content.ts';
import type { AppState, ServerRow } from '../../shared/state/app-state.ts';
import { examples, withCommon } from '../options.ts';
import { counted, oneLine, table, type Colour } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';
import { nextStep, signInView, type SignInView } from '../sign-in-view.ts';

export function statusCommand(program: Command, cli: Cli): void {
  withCommon(program.command('status').description('whether Gatehouse runs, how its servers are, and what waits for you'))
    .addHelpText('after', examples(['gatehouse status --json', 'for a script: running, servers, approvals, secretQuestions, elicitations, trust, vault, problems']))
    .action(async (flags: CommonOptions) => {
      await using session = await Session.open(cli, flags);
      const { client, signal } = session;
      const info = await client.request('app.info', undefined, signal);
      const state = await client.state(signal);
      const document = documentOf(state, client.where === 'app', info, session.project);
      session.report(document, () => textOf(document, session));
    });
}

interface StatusDocument {
  readonly running: boolean;
  readonly version: string;
  readonly home: string;
  readonly project: string | null;
  readonly trust: AppState['trust']['phase'];
  readonly vault: AppState['vault']['phase'];
  readonly paused: boolean;
  readonly servers: readonly { readonly name: string; readonly state: string; readonly tools?: number; readonly message?: string; readonly pending?: true; readonly signIn?: SignInView }[];
  readonly approvals: readonly { readonly id: string; readonly server: string; readonly tool: string; readonly since: string }[];
  readonly secretQuestions: readonly { readonly id: string; readonly server: string; readonly key: string; readonly scope: string }[];
  /** What servers ask; it is answered in the window. */
  readonly elicitations: readonly { readonly id: string; readonly server: string; readonly kind: 'form' | 'url'; readonly since: string }[];
  readonly problems: AppState['problems'];
}

function documentOf(state: AppState, running: boolean, { version, home }: { readonly version: string; readonly home: string }, project: string | undefined): StatusDocument {
  const { servers, approvals, secretQuestions, elicitations, trust, vault, paused, problems, settings } = state;
  return {
    running, version, home, project: (running ? settings.project : project) ?? null, trust: trust.phase, vault: vault.phase, paused,
    servers: Object.values(servers)
      .map((row) => {
        const { definition, connection, counts, pending } = row;
        const signIn = signInView(row);
        return {
          name: definition.name, state: stateOf(connection), ...(counts === undefined ? {} : { tools: counts.tools }), ...(pending === undefined ? {} : { pending }),
          ...messageOf(row, settings), ...(signIn ? { signIn } : {}),
        };
      })
      .toSorted((one, other) => one.name.localeCompare(other.name)),
    approvals: approvals.map(({ id, call, askedAt }) => ({ id, server: call.serverName, tool: call.ref.tool, since: new Date(askedAt).toISOString() })),
    secretQuestions: secretQuestions.map(({ id, server, key, scope }) => ({ id, server, key, scope })),
    elicitations: elicitations.filter(isWaiting).map(({ id, serverName, ask, askedAt }) => ({ id, server: serverName, kind: ask.kind, since: new Date(askedAt).toISOString() })),
    problems,
  };
}

/** `ready`, `asleep`, `needs secret`: one or two words. */
function stateOf(connection: ConnectionState): string {
  switch (connection.phase) {
    case 'stopped':
      return connection.why === 'by-person' ? 'stopped' : connection.why;
    case 'needs':
      return `needs ${connection.what}`;
    default:
      return connection.phase;
  }
}

function messageOf({ definition, connection }: ServerRow, { authRequiredMessage: own }: AppState['settings']): { readonly message?: string } {
  if (connection.phase === 'needs') return { message: connection.what === 'sign-in' && own !== undefined ? withServer(own, definition.name) : connection.message };
  return 'failure' in connection ? { message: connection.failure.message } : {};
}

const colourOf = (state: string): Colour | undefined =>
  state === 'ready' ? 'green' : state === 'failed' ? 'red' : state.startsWith('needs') || state === 'reconnecting' ? 'yellow' : state === 'disabled' || state === 'asleep' ? 'dim' : undefined;

function textOf({ running, version, home, project, trust, vault, paused, servers, approvals, secretQuestions, elicitations, problems }: StatusDocument, { paint }: Session): string {
  const rows = servers.map(({ name, state, tools, message, pending }) => {
    const colour = colourOf(state);
    return [name, colour === undefined ? state : { text: state, colour }, tools === undefined ? '–' : String(tools), `${pending === true ? '(a change waits for the next run) ' : ''}${message ?? ''}`];
  });
  const steps = servers.flatMap(({ name, signIn }) => nextStep(name, signIn) ?? []);
  return [
    running ? paint('green', `Gatehouse ${version} is running`) : `Gatehouse ${version} is not running`,
    `Home: ${oneLine(home)}`,
    `Project: ${project === null ? 'none' : `${oneLine(project)}${trust === 'ask' || trust === 'refused' ? ` (not trusted: \`gatehouse mcp trust\`)` : ''}`}`,
    `Vault: ${vault}`,
    ...(paused ? [paint('yellow', 'Everything is paused')] : []),
    '',
    rows.length === 0 ? 'No servers' : table(['NAME', 'STATE', 'TOOLS', ''], rows, paint),
    ...(steps.length === 0 ? [] : ['', paint('yellow', steps.join('\n'))]),
    ...(approvals.length === 0 ? [] : ['', paint('yellow', `${counted(approvals.length, 'approval')} waiting:`), ...approvals.map(({ server, tool, since }) => `  ${oneLine(tool)} of ${oneLine(server)}, since ${since}`)]),
    ...(secretQuestions.length === 0 ? [] : ['', paint('yellow', `${counted(secretQuestions.length, 'secret')} asked for:`), ...secretQuestions.map(({ server, key, scope }) => `  ${oneLine(server)} wants the ${scope} secret ${oneLine(key)}`)]),
    ...(elicitations.length === 0 ? [] : ['', paint('yellow', `${counted(elicitations.length, 'question')} of servers, answered in the window:`), ...elicitations.map(({ server, kind, since }) => `  ${oneLine(server)} ${kind === 'form' ? 'asks something' : 'wants a page opened'}, since ${since}`)]),
    ...(problems.length === 0 ? [] : ['', paint('yellow', `${counted(problems.length, 'problem')} in files: \`gatehouse mcp validate\``)]),
  ].join('\n');
}
