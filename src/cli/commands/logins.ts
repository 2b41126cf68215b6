import type { Command } from 'commander';
import { examples, serverName, withCommon } from '../options.ts';
import { oneLine, table } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';
import { nextStep, signInView } from '../sign-in-view.ts';

const revokedWords = {
  yes: 'the provider took the tokens back', failed: 'the provider could not be asked to take the tokens back: they end by themselves', unsupported: 'the provider does not take tokens back: they end by themselves',
} as const;

export function logoutCommand(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('logout').argument('<name>', 'the server', serverName))
    .description('sign out of a server: give its tokens back, forget them, disconnect')
    .option('--forget-client', 'forget the client id that you typed, too')
    .addHelpText('after', examples(['gatehouse mcp logout docs', 'its tokens and its registration are gone from the vault']))
    .action(async (name: string, flags: CommonOptions & { readonly forgetClient?: boolean }) => {
      await using session = await Session.open(cli, flags);
      const { definition: { id: serverId } } = await session.server(name);
      const { revoked } = await session.client.request('auth.sign-out', { serverId, ...(flags.forgetClient === true ? { forgetClient: true } : {}) }, session.signal);
      session.report({ signedOut: name, revoked }, () => `${session.paint('green', `✓ Signed out of ${oneLine(name)}`)}; ${revokedWords[revoked]}`);
    });
}

export function loginsCommand(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('logins').description('who is signed in to which server, with what, until when; tokens are never shown'))
    .addHelpText('after', examples(['gatehouse mcp logins --json', 'for a script: server, way, login, needed']))
    .action(async (flags: CommonOptions) => {
      await using session = await Session.open(cli, flags);
      const state = await session.client.state(session.signal);
      session.projectOpen(state);
      const rows = Object.values(state.servers)
        .flatMap((row) => {
          const view = signInView(row);
          return view ? [{ server: row.definition.name, ...view }] : [];
        })
        .toSorted((one, other) => one.server.localeCompare(other.server));
      session.report(rows, () => {
        if (rows.length === 0) return 'No server was signed in to, or wants it.';
        const cells = rows.map(({ server, way, login, needed }) => [
          server, login?.account ?? (login ? 'signed in' : '–'), login?.issuer ?? '–', login?.scopes.join(' ') || '–', untilOf(login), way === 'browser' ? (login ? `${login.clientId} (${login.clientFrom})` : '–') : way,
          needed === undefined ? { text: 'ok', colour: 'green' as const } : { text: needed, colour: 'yellow' as const },
        ]);
        const steps = rows.flatMap(({ server, ...view }) => nextStep(server, view) ?? []);
        return [table(['SERVER', 'ACCOUNT', 'PROVIDER', 'SCOPES', 'UNTIL', 'CLIENT', 'STATE'], cells, session.paint), ...steps].join('\n');
      });
    });
}

const untilOf = (login: { readonly expiresAt?: string; readonly renews: boolean } | undefined): string => {
  if (!login) return '–';
  if (login.renews) return 'renewed by itself';
  return login.expiresAt === undefined ? 'not said' : login.expiresAt.replace('T', ' ').slice(0, 16);
};
