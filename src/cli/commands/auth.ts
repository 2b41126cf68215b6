import { InvalidArgumentError, type Command } from 'commander';
import type { SignInExchange } from '../../shared/model/sign-in.ts';
import { CliError } from '../cli-error.ts';
import { examples, many, serverName, withCommon } from '../options.ts';
import { oneLine, table } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';
import { signIn } from '../sign-in.ts';
import { loginView } from '../sign-in-view.ts';

interface AuthFlags extends CommonOptions {
  readonly browser: boolean;
  readonly scope?: readonly string[];
  readonly otherAccount?: boolean;
  readonly allowHost?: readonly string[];
  readonly forbidHost?: string;
  readonly clientId?: string;
  readonly clientSecretStdin?: boolean;
  readonly timeout: number;
  readonly history?: boolean;
}
const longestSecret = 8_192;

export function authCommand(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('auth').argument('<name>', 'the server', serverName))
    .description('sign in to a server, in the browser of this machine or in one elsewhere')
    .option('--no-browser', 'only print the address')
    .option('--scope <scope>', 'ask for this too; may be given again', many)
    .option('--other-account', 'let the provider ask which account')
    .option('--allow-host <host:port>', 'an address of this machine or network that the sign-in may use; may be given again', many)
    .option('--forbid-host <host:port>', 'take back what was allowed with --allow-host, and sign in to nothing')
    .option('--client-id <id>', 'the client that you registered with the provider')
    .option('--client-secret-stdin', 'read its secret from stdin; at a terminal it is asked for')
    .option('--timeout <seconds>', 'how long the person may take, at most 300', seconds, 300)
    .option('--history', 'show what the last sign-in and the last renewal asked and heard, and sign in to nothing')
    .addHelpText('after', examples(
      ['gatehouse mcp auth docs', 'opens the browser, and waits for it to come back'],
      ['gatehouse mcp auth docs --no-browser', 'prints the address; what a browser on another machine ends at is pasted here'],
      ['pass show docs/client | gatehouse mcp auth docs --client-id gatehouse-1 --client-secret-stdin', 'with a client that was registered by hand'],
    ))
    .action(async (name: string, flags: AuthFlags) => {
      await using session = await Session.open(cli, flags);
      await (flags.history === true ? showHistory(session, name) : flags.forbidHost === undefined ? authenticate(session, name, flags) : forbidHost(session, name, flags.forbidHost));
    });
}

async function authenticate(session: Session, name: string, flags: AuthFlags): Promise<void> {
  const { client, signal } = session;
  if (flags.clientSecretStdin === true && flags.clientId === undefined) throw new CliError('--client-secret-stdin goes with --client-id.');
  const { definition: { id: serverId } } = await session.server(name);
  if (flags.clientId !== undefined) {
    const clientSecret = flags.clientSecretStdin === true ? await secretOf(session.cli) : undefined;
    await client.request('auth.set-client', { serverId, clientId: flags.clientId, ...(clientSecret === undefined ? {} : { clientSecret }) }, signal);
  }
  const login = await signIn(session, {
    server: name, serverId, browser: flags.browser, scopes: flags.scope ?? [], otherAccount: flags.otherAccount === true, allowed: flags.allowHost ?? [], waitMs: flags.timeout * 1_000,
  });
  const view = loginView(login);
  session.report({ server: name, login: view }, () => {
    const as = view.account === undefined ? '' : ` as ${oneLine(view.account)}`;
    const scopes = view.scopes.length === 0 ? '' : `: ${view.scopes.map(oneLine).join(' ')}`;
    return `${session.paint('green', `✓ Signed in to ${oneLine(name)}${as}`)} (${oneLine(view.issuer)})${scopes}`;
  });
}

async function forbidHost(session: Session, name: string, host: string): Promise<void> {
  const { definition: { id: serverId } } = await session.server(name);
  await session.client.request('auth.forbid-host', { serverId, host }, session.signal);
  session.report({ server: name, forbidden: host }, () => `The sign-in of ${oneLine(name)} does not use ${oneLine(host)} any more.`);
}

/** Never an argument: those are in the shell's history, and every program sees them. */
async function secretOf({ terminal, signal }: Cli): Promise<string> {
  const secret = terminal.isTyped ? await terminal.askHidden('Client secret (not shown): ', signal) : (await terminal.readAll(longestSecret + 2, signal)).replace(/\r?\n$/, '');
  if (secret === '' || secret.length > longestSecret) throw new CliError(`The client secret has 1 to ${longestSecret} characters.`);
  return secret;
}

async function showHistory(session: Session, name: string): Promise<void> {
  const { definition: { id: serverId } } = await session.server(name);
  const history = await session.client.request('auth.history', { serverId }, session.signal);
  session.report(history.map(({ at, ...rest }) => ({ at: new Date(at).toISOString(), ...rest })), () =>
    history.length === 0 ? (session.client.where === 'app' ? 'Nothing was asked since Gatehouse started.' : 'Gatehouse does not run: what was asked is remembered only while it does.') : table(['TIME', 'STEP', 'REQUEST', 'STATUS', 'SENT', 'ANSWER', 'MS'], history.map(cellsOf), session.paint),
  );
}

const cellsOf = ({ at, step, method, url, status, sent, answer, failure, ms }: SignInExchange) => [
  new Date(at).toISOString().slice(11, 23), step, `${method} ${url}`,
  { text: status === undefined ? 'none' : String(status), colour: status !== undefined && status < 400 ? ('green' as const) : ('red' as const) },
  sent.join(' ') || '–', failure ?? answer ?? '–', String(ms),
];

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 300) throw new InvalidArgumentError('A whole number from 1 to 300 is expected.');
  return value;
}
