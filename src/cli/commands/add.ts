import type { Command } from 'commander';
import type * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { ServerEdit } from '../../shared/ipc/contract/config.ts';
import type { DraftValue } from '../../shared/model/config-value.ts';
import type { ServerDraft } from '../../shared/model/server-definition.ts';
import { CliError } from '../cli-error.ts';
import { examples, serverName } from '../options.ts';
import { oneLine } from '../output.ts';
import { checkPairs, flaggedArguments, flaggedSwitch, flaggedValues, withServerFlags, type ServerFlags } from '../server-flags.ts';
import { Session, type Cli } from '../session.ts';

export function addCommand(mcp: Command, cli: Cli): void {
  withServerFlags(mcp.command('add').description('add a server to a scope').argument('<name>', 'how you call it', serverName))
    .addHelpText('after', examples(
      ['gatehouse mcp add local-tools --command node --arg server.js --env API_KEY=my-key', 'a program, with a secret of this project'],
      ['gatehouse mcp add docs --scope global --transport http --url https://example.test/mcp --secret-ref docs-token', 'an address, signed in with a secret'],
    ))
    .action(async (name: string, flags: ServerFlags, command: Command) => {
      checkPairs(command, flags);
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      const draft = await newDraft(session, command, name, flags);
      const { client, signal } = session;
      const view = await client.request('config.scope', { scope: flags.scope }, signal);
      // A scope that lists servers wants them (U-23).
      const edits: z.input<typeof ServerEdit>[] = [{ op: 'put', draft }, ...(view.switch === false ? [{ op: 'switch', enabled: true } as const] : [])];
      try {
        await client.request('config.save', { scope: flags.scope, edits }, signal);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'server/exists')) throw error;
        throw new CliError(`There is a server “${oneLine(name)}” in the ${flags.scope} scope already.`, {
          hint: `Use \`gatehouse mcp edit ${oneLine(name)} --scope ${flags.scope}\` to change it.`,
        });
      }
      session.report({ added: name, scope: flags.scope, file: view.file }, () => session.paint('green', `✓ Added MCP server "${oneLine(name)}" to ${flags.scope} scope`));
    });
}

async function newDraft(session: Session, command: Command, name: string, flags: ServerFlags): Promise<z.input<typeof ServerDraft>> {
  const enabled = flaggedSwitch(flags);
  return { name, transport: await newTransport(session, command, flags), ...(enabled === undefined ? {} : { enabled }) };
}

/** Of a new server, or of one that gets another transport: nothing of the flags may be foreign to it. */
export async function newTransport(session: Session, command: Command, flags: ServerFlags, headers: Readonly<Record<string, DraftValue>> = {}): Promise<z.input<typeof ServerDraft>['transport']> {
  const { transport = 'stdio', cwd } = flags;
  refuseForeign(command, flags, transport);
  switch (transport) {
    case 'stdio':
      return {
        type: 'stdio', command: needed(command, '--command', flags.command, transport), args: [...(flaggedArguments(flags) ?? [])],
        env: (await flaggedValues(session, command, flags, 'env')) ?? {}, ...(cwd === undefined ? {} : { cwd }),
      };
    case 'socket':
      return { type: 'socket', path: needed(command, '--socket', flags.socket, transport) };
    case 'sse':
    case 'http':
    case 'streamable-http':
      return {
        type: transport === 'sse' ? 'sse' : 'streamable-http', url: needed(command, '--url', flags.url, transport),
        headers: { ...headers, ...(await flaggedValues(session, command, flags, 'headers')) },
      };
  }
}

const ofStdio = ['command', 'arg', 'args', 'cwd', 'env', 'createSecretEnv'] as const;
const ofAddress = ['url', 'header', 'createSecretHeader'] as const;
/** Rather than to leave out in silence what somebody asked for. */
export function refuseForeign(command: Command, flags: ServerFlags, transport: NonNullable<ServerFlags['transport']>): void {
  const foreign = transport === 'stdio' ? [...ofAddress, 'socket' as const] : transport === 'socket' ? [...ofStdio, ...ofAddress, 'secretRef' as const] : [...ofStdio, 'socket' as const];
  const given = foreign.find((flag) => flags[flag] !== undefined);
  if (given !== undefined) command.error(`error: option '--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}' says nothing for transport ${transport}`, { exitCode: 1 });
}

function needed(command: Command, flag: string, value: string | undefined, transport: string): string {
  return value ?? command.error(`error: transport ${transport} needs '${flag}'`, { exitCode: 1 });
}
