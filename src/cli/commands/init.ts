import type { Command } from 'commander';
import { importKinds, type Discovery } from '../../shared/model/exchange.ts';
import type { SourceView } from '../../shared/model/source.ts';
import { withCommon } from '../options.ts';
import { counted, oneLine } from '../output.ts';
import { Session, type Cli, type CommonOptions } from '../session.ts';
import { issueLine } from './check.ts';

interface InitFlags extends CommonOptions {
  readonly dryRun?: boolean;
  readonly discoverHostConfigs?: boolean;
}
type ImportKind = (typeof importKinds)[number];

export function initCommand(program: Command, cli: Cli): void {
  withCommon(program.command('init').description('look for the files of other programs, and take their servers in from now on'))
    .option('--dry-run', 'say what would be done, and write nothing')
    .option('--discover-host-configs', 'also load every file that is found, below all other sources')
    .addHelpText('after', '\nOnly the mcp.json of the home is written; the files of other programs stay as they are.\n')
    .action(async (flags: InitFlags) => {
      await using session = await Session.open(cli, flags);
      const { client, signal } = session;
      const found = await client.request('exchange.discover', { scope: 'global' }, signal);
      const sources = await client.request('config.sources', undefined, signal);
      const missing = missingImports(found, sources);
      const discovery = flags.discoverHostConfigs === true && !sources.some(({ kind, status }) => kind === 'host' && status !== 'off');
      const written = flags.dryRun !== true;
      if (written) {
        for (const kind of missing) await client.request('exchange.set-import', { client: kind, on: true }, signal);
        if (discovery) await client.request('exchange.set-discovery', { on: true }, signal);
      }
      const { sources: programs, issues } = found;
      session.report({ found: programs, issues, imports: missing, hostConfigDiscovery: discovery, written: written && (missing.length > 0 || discovery) }, () =>
        [
          ...(programs.length === 0 ? ['No files of other programs were found.'] : programs.map(({ label, path, candidates }) => `${oneLine(label)}: ${counted(candidates.length, 'server')} (${oneLine(path)})`)),
          ...issues.map((issue) => session.paint('yellow', issueLine(issue))),
          ...missing.map((kind) => `${written ? '✓ Added' : 'Would add'} the import ${kind}`),
          ...(discovery ? [`${written ? '✓ Switched' : 'Would switch'} hostConfigDiscovery on`] : []),
          ...(missing.length === 0 && !discovery ? ['Nothing to change.'] : []),
        ].join('\n'),
      );
    });
}

/** Programs whose files were found, can be imported and are not yet. */
function missingImports({ sources }: Discovery, known: readonly SourceView[]): readonly ImportKind[] {
  const imported = (kind: ImportKind) => known.some(({ kind: what, id, status }) => what === 'import' && status !== 'off' && (id === `import:${kind}` || id.startsWith(`import:${kind}-`)));
  return importKinds.filter((kind) => sources.some(({ client, candidates }) => client === kind && candidates.length > 0) && !imported(kind));
}
