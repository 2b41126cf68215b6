import { AppError, type ErrorCode } from '../shared/errors.ts';
import { CliError } from './cli-error.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { oneLine } from './output.ts';

export interface Failure {
  readonly exit: ExitCode;
  readonly code: ErrorCode | 'cli/failed' | 'cli/needs-person' | 'cli/usage';
  readonly message: string;
  readonly hint?: string;
  readonly details?: readonly string[];
  readonly data?: unknown;
}
/** What ends a process by a signal; the reason of the command's own signal. */
export class Stopped extends Error {
  override readonly name = 'AbortError';
  readonly exit: ExitCode;

  constructor(exit: ExitCode) {
    super('Stopped');
    this.exit = exit;
  }
}

interface Words {
  readonly what?: string;
  readonly hint?: string;
  readonly exit?: ExitCode;
}
const needsPerson = exitCodes.needsPerson;
/** What the core's own message does not say at a terminal. */
const words: { readonly [C in ErrorCode]?: Words } = {
  'home/in-use': { what: 'Another Gatehouse is using this home, and does not let the command line in.', hint: 'Wait until it has started or ended, then try again.' },
  'home/newer': { what: 'This home belongs to a newer Gatehouse. It was left untouched.', hint: 'Update Gatehouse.' },
  'trust/needed': { hint: 'Use `gatehouse mcp trust` to see what the files of this project would run, and to allow it.', exit: needsPerson },
  'trust/changed': { what: 'The files of this project changed while you were looking at them. Nothing was trusted.', hint: 'Use `gatehouse mcp trust` to look again.' },
  'project/needed': { what: 'No project is open.', hint: 'Use --project PATH, or `gatehouse open PATH` for the running app.' },
  'user/needed': { hint: 'Run it at a terminal, or while the window is open.', exit: needsPerson },
  'approval/required': { hint: 'Allow it in the window.', exit: needsPerson },
  'auth/sign-in-required': { hint: 'Use `gatehouse mcp auth NAME` to sign in.', exit: needsPerson },
  'auth/scopes-needed': { hint: 'Use `gatehouse mcp auth NAME` to grant it.', exit: needsPerson },
  'auth/client-needed': { hint: 'Register Gatehouse with the provider, then use --client-id, with --client-secret-stdin for its secret.', exit: needsPerson },
  'auth/host-blocked': { hint: 'Allow it with --allow-host if you know it.', exit: needsPerson },
  'auth/port-busy': { hint: 'Free the port, or set another oauth.redirectUri.' },
  'auth/no-flow': { hint: 'Use `gatehouse mcp auth NAME` to begin one.' },
  'vault/unavailable': { what: 'There is no keyring to keep secrets in. Nothing was stored.', hint: 'Start or unlock a system keyring.', exit: needsPerson },
  'vault/locked': { what: 'The keyring is locked. Nothing was stored.', hint: 'Unlock it, then try again.', exit: needsPerson },
  'vault/key-missing': { what: "The vault's key is not in the keyring. Its secrets were not touched.", hint: 'Use `gatehouse secrets reset` to begin again without their values.' },
  'config/changed': { what: 'The file changed meanwhile. Nothing was written.', hint: 'Try again.' },
  'secret/in-use': { hint: 'Add --force to remove it all the same.' },
  'connection/closed': { what: 'The running Gatehouse went away before it answered.', hint: 'Look at the state of things, then try again.' },
  'internal/bug': { what: 'Something in Gatehouse broke.', hint: 'The log in the home has the details.' },
};

/** Every way in which a command can fail, as it is told. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof CliError) {
    const code = thrown.exit === 'needsPerson' ? 'cli/needs-person' : 'cli/failed';
    return { exit: exitCodes[thrown.exit], code, message: thrown.message, ...(thrown.hint === undefined ? {} : { hint: thrown.hint }), details: thrown.details };
  }
  const error = AppError.from(thrown);
  const { what, hint, exit = exitCodes.failed }: Words = words[error.code] ?? {};
  return {
    exit, code: error.code, message: oneLine(what ?? error.message), details: placesOf(error), data: error.data,
    ...(hint === undefined ? {} : { hint }),
  };
}

/** What nobody caught: where it broke, and nothing of what it says, which may hold a value that no door has looked through. */
export const crashOf = (thrown: unknown): Failure => ({
  exit: exitCodes.failed, code: 'internal/bug', message: words['internal/bug']?.what ?? '', details: framesOf(thrown),
});
function framesOf(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Error) || thrown.stack === undefined) return [];
  const { message, stack } = thrown;
  const begin = stack.indexOf(message);
  return begin < 0 ? [] : stack.slice(begin + message.length).split('\n').map((line) => line.trim()).filter((line) => line.startsWith('at ')).slice(0, 5);
}

/** Where in a file or in the input something is wrong. */
function placesOf({ code, data }: AppError): readonly string[] {
  if (code === 'request/invalid' && Array.isArray(data)) {
    return data.flatMap((issue: unknown) => (isIssue(issue) ? [`${issue.path.join('.')}: ${oneLine(issue.message)}`] : []));
  }
  if (typeof data !== 'object' || data === null) return [];
  const file = 'file' in data && typeof data.file === 'string' ? oneLine(data.file) : '';
  const line = 'line' in data && typeof data.line === 'number' ? `line ${data.line}` : '';
  const column = 'column' in data && typeof data.column === 'number' ? `column ${data.column}` : '';
  const reason = 'reason' in data && typeof data.reason === 'string' ? `reason: ${oneLine(data.reason)}` : '';
  const place = [file, line, column, reason].filter((part) => part !== '').join(', ');
  return place === '' ? [] : [place];
}

function isIssue(issue: unknown): issue is { readonly path: readonly PropertyKey[]; readonly message: string } {
  return typeof issue === 'object' && issue !== null && 'path' in issue && Array.isArray(issue.path) && 'message' in issue && typeof issue.message === 'string';
}

/** As lines of text. */
export const failureText = ({ message, details = [], hint }: Failure): string =>
  [message, ...details.map((line) => `  ${oneLine(line)}`), ...(hint === undefined ? [] : [hint])].join('\n');

/** As one JSON document. */
export const failureDocument = ({ code, message, hint, details = [], data }: Failure): object => ({
  error: { code, message, ...(hint === undefined ? {} : { hint }), ...(details.length === 0 ? {} : { details }), ...(data === undefined ? {} : { data }) },
});
