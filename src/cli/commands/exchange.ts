import { open, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import { ExportShape, Pick, type ImportPlan } from '../../shared/model/exchange.ts';
import { CliError } from '../cli-error.ts';
import { examples, many, scopeOption, withCommon } from '../options.ts';
import { counted, diffText, oneLine, table } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';
import { issueLine } from './check.ts';

interface PickFlags extends CommonOptions {
  readonly scope: ConfigScope;
  readonly yes?: boolean;
  readonly only?: readonly string[];
  readonly onDuplicate: 'refuse' | 'skip' | 'rename' | 'replace';
}
interface AdoptFlags extends PickFlags {
  readonly all?: boolean;
}
const longestText = 4_194_304;

const withPicks = (command: Command): Command =>
  withCommon(command)
    .addOption(scopeOption('project'))
    .option('--yes', 'do it; without it, what would happen is shown')
    .addOption(new Option('--on-duplicate <what>', 'what becomes of a name that is taken').choices(['refuse', 'skip', 'rename', 'replace']).default('refuse'));

export function importCommand(mcp: Command, cli: Cli): void {
  withPicks(mcp.command('import').argument('<file>', 'the file, or - for stdin'))
    .description('take servers from a file of any known shape, or from a `claude mcp add …` or `npx …` line; values become secrets')
    .option('--only <name>', 'this server alone; may be given more than once', many)
    .addHelpText('after', examples(['gatehouse mcp import ./claude_desktop_config.json', 'what would happen'], ['gatehouse mcp import ./claude_desktop_config.json --scope project --yes', 'and do it']))
    .action(async (file: string, flags: PickFlags) => {
      const text = await textOf(file, cli);
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      const { client, signal } = session;
      const { scope } = flags;
      const picks = await picksOf(session, text, flags);
      const plan = await client.request('exchange.preview-import', { scope, text, ...(picks === undefined ? {} : { picks }) }, signal);
      refuseEmpty(plan, file);
      const summary = summaryOf(file, scope, plan);
      if (flags.yes !== true) throw notYet(session, plan, summary);
      refuseRefused(plan);
      const { added } = await client.request('exchange.import', { scope, text, ...(picks === undefined ? {} : { picks }) }, signal);
      session.report({ ...summary, added }, () => `${summaryText(summary, plan)}\n${session.paint('green', `✓ Imported ${counted(added.length, 'server')} to ${scope} scope`)}`);
    });
}

/** Without a wish about names, the core decides for all that it reads. */
async function picksOf({ client, signal }: Session, text: string, { scope, only, onDuplicate }: PickFlags): Promise<Pick[] | undefined> {
  if (only === undefined && onDuplicate === 'refuse') return undefined;
  const { candidates } = await client.request('exchange.preview-import', { scope, text }, signal);
  const missing = only?.find((name) => !candidates.some((candidate) => candidate.name === name));
  if (missing !== undefined) throw new CliError(`There is no server “${oneLine(missing)}” in what was read.`);
  return candidates.filter(({ name }) => only === undefined || only.includes(name)).map(({ name }) => Pick.parse({ source: 'text', name, onDuplicate }));
}

async function textOf(file: string, { terminal, cwd, signal }: Cli): Promise<string> {
  if (file === '-') return terminal.readAll(longestText, signal);
  const path = resolve(cwd, file);
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) throw new CliError('Nothing was imported.', { details: [`${file}: there is no such file`] });
  if (facts.size > longestText) throw new CliError('Nothing was imported.', { details: [`${file}: it is larger than 4 MiB`] });
  return readFile(path, 'utf8');
}

function refuseEmpty({ candidates, issues }: ImportPlan, from: string): void {
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (candidates.length > 0 && errors.length === 0) return;
  throw new CliError('Nothing was imported.', { details: errors.length > 0 ? errors.map(issueLine) : [`${oneLine(from)}: there are no servers in it`] });
}

function refuseRefused({ rows }: ImportPlan): void {
  const refused = rows.filter(({ action }) => action === 'refuse');
  if (refused.length === 0) return;
  throw new CliError('Nothing was imported.', {
    details: refused.map(({ as }) => `there is a server “${oneLine(as)}” already`),
    hint: 'Use --on-duplicate skip, rename or replace.',
  });
}

interface Summary {
  readonly source: string;
  readonly scope: ConfigScope;
  readonly format: string;
  readonly file: string;
  readonly servers: ImportPlan['rows'];
  readonly secretsToCreate: readonly string[];
}
const summaryOf = (source: string, scope: ConfigScope, { rows, format, file }: ImportPlan): Summary => ({
  source, scope, format, file, servers: rows, secretsToCreate: rows.flatMap(({ secretsToCreate }) => secretsToCreate),
});

function summaryText({ source, scope, format, file, servers, secretsToCreate }: Summary, { issues }: ImportPlan): string {
  return [
    `Source: ${oneLine(source)} (${oneLine(format)})`, `Scope: ${scope} (${oneLine(file)})`,
    `Servers: ${servers.map(({ as, name, action }) => `${oneLine(as)} (${action}${as === name ? '' : ` of ${oneLine(name)}`})`).join(', ') || 'none'}`,
    `Secrets to create: ${secretsToCreate.map(oneLine).join(', ') || 'none'}`,
    ...issues.map(issueLine),
  ].join('\n');
}

/** What would happen, and that nothing did. */
function notYet(session: Session, plan: ImportPlan, summary: Summary): CliError {
  session.report({ ...summary, diff: plan.diff, written: false }, () => `${summaryText(summary, plan)}\n\n${diffText(plan.diff, session.paint)}`);
  return new CliError('Nothing was written, and no secret was created.', { hint: 'Add --yes to do it.' });
}

export function exportCommand(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('export').description('print servers as JSON, with references in place of secrets'))
    .addOption(scopeOption('effective', ['effective']))
    .addOption(new Option('--shape <shape>', 'whose form').choices(ExportShape.options).default('gatehouse'))
    .option('--output <file>', 'write it to a new file')
    .option('--force', 'write over the file')
    .addHelpText('after', examples(['gatehouse mcp export --output gatehouse-mcp.json', 'what holds in effect, in a file'], ['gatehouse mcp export --scope global --shape claude', 'for another program; secret values are left out and named']))
    .action(async (flags: CommonOptions & { readonly scope: ConfigScope | 'effective'; readonly shape: ExportShape; readonly output?: string; readonly force?: boolean }) => {
      await using session = await Session.open(cli, flags);
      if (flags.scope === 'project') await session.needScope('project');
      const { text, omitted } = await session.client.request('exchange.export', { scope: flags.scope, shape: flags.shape }, session.signal);
      if (omitted.length > 0) session.remark(`Left out, because that form cannot name a secret: ${omitted.map(oneLine).join(', ')}`);
      if (flags.output === undefined) return cli.terminal.print(text);
      const path = resolve(cli.cwd, flags.output);
      await writeNew(path, text, flags.force === true);
      session.report({ file: path, omitted }, () => session.paint('green', `✓ Exported to ${oneLine(path)}`));
    });
}

async function writeNew(path: string, text: string, force: boolean): Promise<void> {
  const file = await open(path, force ? 'w' : 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new CliError(`There is a file ${oneLine(path)} already.`, { hint: 'Add --force to write over it.' });
    throw new CliError(`${oneLine(path)} cannot be written: ${error.code ?? 'failed'}.`);
  });
  try {
    await file.writeFile(text.endsWith('\n') ? text : `${text}\n`);
  } finally {
    await file.close();
  }
}

export function discoverCommand(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('discover').description('look into the files of other programs on this machine; nothing of them is started'))
    .addOption(new Option('--scope <scope>', 'only those of this scope').choices(['global', 'project']))
    .action(async (flags: CommonOptions & { readonly scope?: ConfigScope }) => {
      await using session = await Session.open(cli, flags);
      const found = await session.client.request('exchange.discover', flags.scope === undefined ? {} : { scope: flags.scope }, session.signal);
      session.report(found, () => {
        const rows = found.sources.flatMap(({ id, path, candidates }) =>
          candidates.map(({ name, target, alreadyConfigured, hasPlaintextSecrets }) => [
            id, name, { text: alreadyConfigured ? 'configured' : 'new', ...(alreadyConfigured ? { colour: 'dim' as const } : {}) }, hasPlaintextSecrets ? 'in the open' : 'none', path, target,
          ]),
        );
        const notes = found.issues.map((issue) => session.paint('yellow', issueLine(issue)));
        const empty = found.sources.length === 0 ? ['Nothing was found.'] : [];
        return [...empty, ...(rows.length > 0 ? [table(['SOURCE', 'NAME', 'STATE', 'SECRETS', 'FILE', 'TARGET'], rows, session.paint)] : []), ...notes].join('\n');
      });
    });
}

export function adoptCommand(mcp: Command, cli: Cli): void {
  withPicks(mcp.command('adopt').argument('<source>', 'a source of `gatehouse mcp discover`').argument('[names...]', 'its servers'))
    .description('take servers of another program into a scope; values become secrets, and the other file stays as it is')
    .option('--all', 'every server of the source')
    .addHelpText('after', examples(['gatehouse mcp adopt cursor docs', 'what would happen'], ['gatehouse mcp adopt cursor --all --scope global --yes', 'and do it, for all of them']))
    .action(async (source: string, names: readonly string[], flags: AdoptFlags) => {
      await using session = await Session.open(cli, flags);
      await session.needScope(flags.scope);
      const { client, signal } = session;
      const { scope, onDuplicate } = flags;
      const { sources } = await client.request('exchange.discover', {}, signal);
      const found = sources.find(({ id }) => id === source);
      if (!found) throw new CliError(`There is no source “${oneLine(source)}”.`, { hint: `There are: ${sources.map(({ id }) => oneLine(id)).join(', ') || 'none'}.` });
      const wanted = flags.all === true ? found.candidates.map(({ name }) => name) : names;
      const missing = wanted.find((name) => !found.candidates.some((candidate) => candidate.name === name));
      if (missing !== undefined) throw new CliError(`There is no server “${oneLine(missing)}” in ${oneLine(source)}.`);
      if (wanted.length === 0) throw new CliError('Name the servers, or add --all.', { details: found.candidates.map(({ name }) => oneLine(name)) });
      const picks = wanted.map((name) => Pick.parse({ source, name, onDuplicate }));
      const plan = await client.request('exchange.preview-adopt', { scope, picks }, signal);
      const summary = summaryOf(found.path, scope, plan);
      if (flags.yes !== true) throw notYet(session, plan, summary);
      refuseRefused(plan);
      const { added } = await client.request('exchange.adopt', { scope, picks }, signal);
      session.report({ ...summary, added }, () => `${summaryText(summary, plan)}\n${session.paint('green', `✓ Adopted ${counted(added.length, 'server')} to ${scope} scope`)}`);
    });
}
