import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { ScopeEntry, ScopeView } from '../../shared/ipc/contract/config.ts';
import type { ConfigScope, ConfigValues, DraftValue } from '../../shared/model/config-value.ts';
import type { ServerDraft, TransportConfig } from '../../shared/model/server-definition.ts';
import { hiddenMark } from '../../shared/text/hidden-mark.ts';
import { CliError } from '../cli-error.ts';
import { examples, many, serverName } from '../options.ts';
import { oneLine } from '../output.ts';
import { checkPairs, flaggedArguments, flaggedSwitch, flaggedValues, withServerFlags, type ServerFlags } from '../server-flags.ts';
import { Session, type Cli } from '../session.ts';
import { newTransport, refuseForeign } from './add.ts';

interface EditFlags extends ServerFlags {
  readonly rename?: string;
  readonly unsetEnv?: readonly string[];
  readonly unsetHeader?: readonly string[];
}
type Transport = z.input<typeof ServerDraft>['transport'];

export function editCommand(mcp: Command, cli: Cli): void {
  withServerFlags(mcp.command('edit').description('change the given fields of a server of one scope; the others stay').argument('<name>', 'the server', serverName))
    .option('--rename <name>', 'call it so from now on', serverName)
    .option('--unset-env <NAME>', 'take an environment variable out', many)
    .option('--unset-header <NAME>', 'take a header out', many)
    .addHelpText('after', examples(
      ['gatehouse mcp edit local-tools --args \'["server.js","--verbose"]\'', 'other arguments; command and environment stay'],
      ['gatehouse mcp edit docs --scope global --transport sse --url https://example.test/sse', 'another transport; fields that are foreign to it go'],
    ))
    .action(async (name: string, flags: EditFlags, command: Command) => {
      checkPairs(command, flags);
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      const { client, signal } = session;
      const file = await unlessChanged(async () => {
        const view = await client.request('config.scope', { scope: flags.scope }, signal);
        const entry = ownEntry(view, name, flags.scope);
        const transport = await editedTransport(session, command, flags, ownPart(entry, view.scope));
        const enabled = flaggedSwitch(flags);
        const draft = { name: flags.rename ?? name, transport, ...(enabled === undefined ? {} : { enabled }) };
        await client.request('config.save', { scope: flags.scope, edits: [{ op: 'put', draft, previousName: name, seen: entry.seen }] }, signal);
        return view.file;
      }, signal);
      session.report({ edited: flags.rename ?? name, scope: flags.scope, file }, () => session.paint('green', `✓ Updated MCP server "${oneLine(name)}" in ${flags.scope} scope`));
    });
}

/** The entry of a scope's own file; throws when it has none that defines a server. */
export function ownEntry(view: ScopeView, name: string, scope: ConfigScope): ScopeEntry {
  const entry = view.entries.find((candidate) => candidate.name === name);
  if (entry?.here !== true) {
    const elsewhere = entry === undefined ? '' : ' It is defined in another file.';
    throw new CliError(`There is no server “${oneLine(name)}” in the ${scope} scope (${oneLine(view.file)}).${elsewhere}`, { hint: 'Use `gatehouse mcp list` to see what there is.' });
  }
  return entry;
}

/** What stands in the file itself: a field that a lower file decided is not of this entry, and must not be copied into it. Arguments stay by themselves. */
function ownPart({ name, definition, provenance, editable }: ScopeEntry, scope: ConfigScope): TransportConfig {
  if (!editable || definition === undefined) {
    throw new CliError(`“${oneLine(name)}” is defined in another file; this one only switches or filters it.`, { hint: 'Use `gatehouse mcp enable` and `disable`, or edit that file.' });
  }
  const owned = scope === 'project' ? 'project' : 'home';
  const own = (field: string) => provenance?.fields.some((origin) => origin.field === field && origin.source === owned && origin.dropped !== true) === true;
  const { transport } = definition;
  switch (transport.type) {
    case 'stdio': {
      const { cwd, envFile, ...rest } = transport;
      return {
        ...rest, env: own('env') ? transport.env : {},
        ...(cwd !== undefined && own('cwd') ? { cwd } : {}), ...(envFile !== undefined && own('envFile') ? { envFile } : {}),
      };
    }
    case 'socket':
      return transport;
    default:
      return { ...transport, headers: own('headers') ? transport.headers : {} };
  }
}

async function editedTransport(session: Session, command: Command, flags: EditFlags, own: TransportConfig): Promise<Transport> {
  const wanted = flags.transport === 'http' ? 'streamable-http' : (flags.transport ?? own.type);
  const kept = (values: ConfigValues, without: readonly string[] = []): Readonly<Record<string, DraftValue>> =>
    Object.fromEntries(Object.keys(values).filter((key) => !without.includes(key)).map((key) => [key, { kept: true } as const]));
  const addressed = wanted === 'sse' || wanted === 'streamable-http';
  if (addressed && (own.type === 'sse' || own.type === 'streamable-http')) {
    refuseForeign(command, flags, wanted);
    return {
      type: wanted, ...(flags.url === undefined ? {} : { url: flags.url }),
      headers: { ...kept(own.headers, flags.unsetHeader), ...(await flaggedValues(session, command, flags, 'headers')) },
    };
  }
  if (wanted !== own.type) return newTransport(session, command, { ...flags, transport: wanted });
  refuseForeign(command, flags, wanted);
  if (own.type === 'socket') return { type: 'socket', path: flags.socket ?? own.path };
  if (own.type !== 'stdio') throw new Error('not reached'); // the two kinds of address were handled above
  if (flags.command === undefined && own.command.includes(hiddenMark)) {
    throw new CliError('A part of its command is hidden, because it looks like a secret.', { hint: 'Give the whole --command to change it.' });
  }
  const cwd = flags.cwd ?? own.cwd;
  const args = flaggedArguments(flags);
  return {
    type: 'stdio', command: flags.command ?? own.command, ...(args === undefined ? {} : { args: [...args] }),
    env: { ...kept(own.env, flags.unsetEnv), ...(await flaggedValues(session, command, flags, 'env')) },
    ...(cwd === undefined ? {} : { cwd }), ...(own.envFile === undefined ? {} : { envFile: own.envFile }),
  };
}

const tries = 5;
/** Somebody saved the file in between: it is read and changed again, a few times. */
export async function unlessChanged<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'config/changed') || attempt === tries) throw error;
      await sleep(50 * 2 ** attempt * Math.random(), undefined, { signal });
    }
  }
}
