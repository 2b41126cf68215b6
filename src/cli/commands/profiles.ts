import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { AppError } from '../../shared/errors.ts';
import { ConfigScope } from '../../shared/model/config-value.ts';
import type { ProfileReport } from '../../shared/model/profile.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { CliError } from '../cli-error.ts';
import { examples, scopeOption, withCommon } from '../options.ts';
import { counted, oneLine, table } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';
import { issueLine } from './check.ts';

interface MaybeScope extends CommonOptions {
  readonly scope?: ConfigScope;
}
interface SaveFlags extends CommonOptions {
  readonly scope: ConfigScope;
  readonly file?: string;
}
interface RemoveFlags extends CommonOptions {
  readonly scope: ConfigScope;
  readonly yes?: boolean;
}
/** Bytes. */
const longestText = 1_048_576;
const maybeScope = (what: string): Option => new Option('--scope <scope>', what).choices(ConfigScope.options);
const isError = ({ severity }: ProfileReport['issues'][number]): boolean => severity === 'error';

/** Named presets of runs (H-14…H-19), by the routes that the window uses. A name that is none is refused by the core (H-16). */
export function profilesCommands(program: Command, cli: Cli): void {
  const profiles = program.command('profiles').description('named presets that a run may use: its model, tools and servers').helpCommand(false);
  listCommand(profiles, cli);
  showCommand(profiles, cli);
  saveCommand(profiles, cli);
  removeCommand(profiles, cli);
}

function listCommand(profiles: Command, cli: Cli): void {
  withCommon(profiles.command('list').alias('ls').description('profiles with what a run of each would have, and what is wrong with them'))
    .addOption(maybeScope('only those of this scope'))
    .action(async ({ scope, ...flags }: MaybeScope) => {
      await using session = await Session.open(cli, flags);
      if (scope === 'project') await session.needScope(scope);
      const all = await reportsOf(session);
      const shown = all.filter((one) => scope === undefined || one.scope === scope);
      session.report(shown, () => listText(session, shown));
    });
}

function showCommand(profiles: Command, cli: Cli): void {
  withCommon(profiles.command('show').argument('<name>', 'the profile').description('the text of a profile; a mark stands in place of each value that looks secret'))
    .addOption(maybeScope('whose, when both have one; the project’s unless given'))
    .addHelpText('after', examples(['gatehouse profiles show review', 'its text; what a run of it would have goes to stderr'], ['gatehouse profiles show review --json', 'both, with the text to the letter']))
    .action(async (name: string, { scope, ...flags }: MaybeScope) => {
      await using session = await Session.open(cli, flags);
      const { client, signal } = session;
      if (scope === 'project') await session.needScope(scope);
      const found = (await reportsOf(session)).filter((one) => one.name === name);
      const nearest = scope ?? found.find(({ shadowed }) => !shadowed)?.scope ?? 'global';
      const report = found.find((one) => one.scope === nearest);
      if (nearest === 'built-in' && report) return session.report({ ...report, text: '' }, () => 'It comes with Gatehouse: a run as it is without a profile. One of yours of the same name stands in front of it.');
      const read = await client.request('profiles.read', { name, scope: nearest === 'project' ? 'project' : 'global' }, signal);
      session.report({ ...read.report, text: read.text }, () => visibleText(read.text));
      session.remark(reportText(session, read.report));
    });
}

function saveCommand(profiles: Command, cli: Cli): void {
  withCommon(profiles.command('save').argument('<name>', 'the profile').description('write a profile from a file or stdin, when its text is one'))
    .addOption(scopeOption('project'))
    .option('--file <file>', 'the text; stdin unless given')
    .addHelpText('after', examples(['gatehouse profiles save review --file review.toml', 'for this project'], ['gatehouse profiles show review | sed s/opus/sonnet/ | gatehouse profiles save review', 'values behind marks stay what they were']))
    .action(async (name: string, { scope, file, ...flags }: SaveFlags) => {
      const text = await textOf(file, cli);
      await using session = await Session.open(cli, flags);
      await session.needScope(scope);
      const { client, signal } = session;
      const report = await client.request('profiles.check', { name, scope, text }, signal);
      try {
        await client.request('profiles.save', { name, scope, text }, signal);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'config/invalid') || !report.issues.some(isError)) throw error;
        throw new CliError('Nothing was saved.', { details: report.issues.filter(isError).map(issueLine) });
      }
      session.report({ saved: name, scope, file: report.path, issues: report.issues }, () => session.paint('green', `✓ Saved the ${scope} profile ${oneLine(name)}`));
      for (const issue of report.issues) session.remark(issueLine(issue));
    });
}

function removeCommand(profiles: Command, cli: Cli): void {
  withCommon(profiles.command('remove').alias('rm').argument('<name>', 'the profile').description('remove a profile; one of the same name behind it holds again'))
    .addOption(scopeOption('project'))
    .option('--yes', 'without asking')
    .action(async (name: string, { scope, yes, ...flags }: RemoveFlags) => {
      await using session = await Session.open(cli, flags);
      await session.needScope(scope);
      const { client, signal } = session;
      const { report } = await client.request('profiles.read', { name, scope }, signal);
      if (yes !== true && !(await cli.terminal.confirm(`Remove the ${scope} profile ${oneLine(name)} (${oneLine(report.path ?? '')})?`, signal))) throw new CliError('Nothing was removed.');
      await client.request('profiles.remove', { name, scope }, signal);
      session.report({ removed: name, scope, file: report.path }, () => session.paint('green', `✓ Removed the ${scope} profile ${oneLine(name)}`));
    });
}

/** Says whose are left out. */
async function reportsOf(session: Session): Promise<readonly ProfileReport[]> {
  const all = await session.client.request('profiles.list', undefined, session.signal);
  const state = await session.client.state(session.signal);
  session.projectOpen(state);
  if (state.trust.phase === 'ask') session.remark('The project’s own profiles wait for your trust: `gatehouse mcp trust`.');
  return all;
}

function listText({ paint }: Session, all: readonly ProfileReport[]): string {
  const rows = all.map((report) => {
    const errors = report.issues.filter(isError).length;
    const state = errors > 0 ? { text: counted(errors, 'problem'), colour: 'red' as const } : report.shadowed ? { text: 'shadowed', colour: 'dim' as const } : 'ready';
    return [report.name, report.scope, state, report.extends.join(' → ') || '–', report.model ?? '–', serversText(report), toolsText(report)];
  });
  const notes = all.flatMap(({ issues }) => issues.map((issue) => paint(isError(issue) ? 'red' : 'yellow', issueLine(issue))));
  return [table(['NAME', 'SCOPE', 'STATE', 'BUILDS ON', 'MODEL', 'SERVERS', 'TOOLS'], rows, paint), ...new Set(notes)].join('\n');
}

const serversText = ({ servers }: ProfileReport): string => servers.join(', ') || 'none';
const toolsText = ({ mcp, tools }: ProfileReport): string => (!mcp ? 'none of servers' : tools === undefined ? 'all' : `${tools.length} allowed`);

function reportText({ paint }: Session, report: ProfileReport): string {
  const facts = [
    ...(report.extends.length === 0 ? [] : [`builds on ${report.extends.join(' → ')}`]),
    ...(report.model === undefined ? [] : [`model ${report.model}`]),
    `servers: ${serversText(report)}`, `tools: ${toolsText(report)}`,
  ];
  return [`${oneLine(report.path ?? '')}\n${facts.map(oneLine).join(' · ')}`, ...report.issues.map((issue) => paint(isError(issue) ? 'red' : 'yellow', issueLine(issue)))].join('\n');
}

async function textOf(file: string | undefined, { terminal, cwd, signal }: Cli): Promise<string> {
  if (file === undefined && terminal.isTyped) throw new CliError('There is no text.', { hint: 'Give it on stdin, or name a file: --file FILE.' });
  const text = file === undefined ? await terminal.readAll(longestText, signal) : await fileText(resolve(cwd, file));
  if (text.trim() === '') throw new CliError('There is no text.', { details: ['Nothing was saved.'] });
  return text;
}

async function fileText(path: string): Promise<string> {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) throw new CliError('Nothing was saved.', { details: [`${path}: there is no such file`] });
  if (facts.size > longestText) throw new CliError('Nothing was saved.', { details: [`${path}: it is larger than 1 MiB`] });
  return readFile(path, 'utf8');
}
