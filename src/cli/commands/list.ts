import type { Command } from 'commander';
import { AppError } from '../../shared/errors.ts';
import type { EntryState, SourceView } from '../../shared/model/source.ts';
import { examples, withCommon } from '../options.ts';
import { oneLine, table, type Colour, type Paint } from '../output.ts';
import { effectiveRow, labelsOf, scopeRow, untrustedRows, type Labels, type ListedServer } from '../server-rows.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';
import { nextStep } from '../sign-in-view.ts';

interface ListOptions extends CommonOptions {
  readonly chain?: boolean;
}

export function listCommand(mcp: Command, cli: Cli): void {
  withCommon(mcp.command('list').alias('ls').description('show the servers of the global scope, of the project, and what holds in effect'))
    .option('--chain', 'show which files made each server what it is')
    .addHelpText('after', examples(['gatehouse mcp list', 'servers, where they come from, and what keeps them from running'], ['gatehouse mcp list --chain --json', 'every field with the file that decided it']))
    .action(async (options: ListOptions) => {
      await using session = await Session.open(cli, options);
      const listing = await listServers(session, options.chain === true);
      session.report(listing, () => textOf(listing, session.paint));
    });
}

interface Listing {
  readonly global: readonly ListedServer[];
  readonly project: readonly ListedServer[];
  readonly effective: readonly ListedServer[];
}

export async function listServers(session: Session, chain: boolean): Promise<Listing> {
  const { client, signal } = session;
  const state = await client.state(signal);
  const withProject = session.projectOpen(state);
  if (session.project !== undefined && !withProject) {
    session.remark(`The running Gatehouse has ${state.settings.project === undefined ? 'no project' : oneLine(state.settings.project)} open, not ${oneLine(session.project)}: its servers are shown.`);
  }
  const sources = await client.request('config.sources', undefined, signal);
  const labels = labelsOf(sources);
  const global = await client.request('config.scope', { scope: 'global' }, signal);
  const open = withProject || (client.where === 'app' && state.settings.project !== undefined);
  return {
    global: byName(global.entries.map((entry) => scopeRow(entry, global.file, labels, chain))),
    project: open ? byName(await projectRows(session, sources, labels, chain)) : [],
    effective: byName(Object.values(state.servers).map((row) => effectiveRow(row, labels, chain))),
  };
}

async function projectRows({ client, signal }: Session, sources: readonly SourceView[], labels: Labels, chain: boolean): Promise<readonly ListedServer[]> {
  try {
    const { entries, file } = await client.request('config.scope', { scope: 'project' }, signal);
    return entries.map((entry) => scopeRow(entry, file, labels, chain));
  } catch (error) {
    if (error instanceof AppError && error.code === 'trust/needed') return untrustedRows(sources);
    throw error;
  }
}

const byName = (rows: readonly ListedServer[]): readonly ListedServer[] => rows.toSorted((one, other) => one.name.localeCompare(other.name));

const colours: { readonly [S in EntryState]: Colour | undefined } = {
  effective: 'green', inherited: undefined, overridden: 'yellow', 'project-local': 'green', disabled: 'dim', masked: 'dim', untrusted: 'yellow', invalid: 'red',
};

function textOf({ global, project, effective }: Listing, paint: Paint): string {
  const parts = ([['Global', global], ['Project', project], ['Effective', effective]] as const).map(([title, rows]) => `${paint('bold', title)}\n${rowsText(rows, paint)}`);
  const untrusted = project.some(({ state }) => state === 'untrusted') ? ['Use `gatehouse mcp trust` to see what the untrusted ones would run, and to allow it.'] : [];
  const steps = effective.flatMap(({ name, signIn }) => nextStep(name, signIn) ?? []);
  return [...parts, ...untrusted, ...(steps.length === 0 ? [] : [paint('yellow', steps.join('\n'))])].join('\n\n');
}

function rowsText(rows: readonly ListedServer[], paint: Paint): string {
  if (rows.length === 0) return 'none';
  const cells = rows.map(({ name, source, state, transport, target, secrets }) => {
    const colour = colours[state];
    return [name, colour === undefined ? state : { text: state, colour }, transport ?? '–', secrets.join(', ') || 'none', source, target ?? '–'];
  });
  const notes = rows.flatMap(({ name, problem, chain }) => [
    ...(problem === undefined ? [] : [paint('red', `${oneLine(name)}: ${oneLine(problem)}`)]),
    ...(chain ?? []).map(
      ({ source, line, decides, dropped }) =>
        `${oneLine(name)}: ${oneLine(source)}${line === undefined ? '' : `:${line}`}${decides.length === 0 ? '' : ` decides ${decides.join(', ')}`}${dropped.length === 0 ? '' : `; dropped: ${dropped.join(', ')}`}`,
    ),
  ]);
  return [table(['NAME', 'STATE', 'TRANSPORT', 'SECRETS', 'SOURCE', 'TARGET'], cells, paint), ...notes].join('\n');
}
