import type { ConfigIssue, EntryState, SourceEntry, SourceView } from '../../shared/model/source.ts';
import { maskFields } from '../formats/literals.ts';
import type { RawEntry } from '../formats/raw-entry.ts';
import type { ReadSource } from './config-sources.ts';
import { transportOf } from './definition-of.ts';
import { launchTarget } from './launch-revision.ts';
import { definesTransport, type Merged } from './merge.ts';

/** Every source with what became of each of its entries. */
export const sourceViews = (read: readonly ReadSource[], merged: Merged): readonly SourceView[] =>
  read.map(({ source, status, parsed }) => ({
    ...source,
    status,
    owned: source.kind === 'home' || source.kind === 'project',
    entries: [...parsed.entries.map((entry) => entryView(source.id, status, entry, merged)), ...invalidEntries(parsed.issues)],
  }));

function entryView(sourceId: string, status: ReadSource['status'], entry: RawEntry, merged: Merged): SourceEntry {
  const { name, fields, place } = entry;
  return {
    name,
    state: status === 'untrusted' ? 'untrusted' : stateHere(sourceId, entry, merged),
    ...(place === undefined ? {} : { place }),
    ...(definesTransport(fields) ? { target: launchTarget(transportOf(name, 'global', maskFields(fields))) } : {}),
  };
}

/** A source's entry may run as it stands, as part of a merge, or not at all. */
function stateHere(sourceId: string, { name, fields }: RawEntry, merged: Merged): EntryState {
  const server = merged.servers.find((candidate) => candidate.name === name);
  if (!server) return 'effective';
  const { provenance, enabled } = server;
  if (!enabled) return provenance.disabledBy === sourceId ? 'disabled' : 'masked';
  const decided = provenance.fields.filter(({ source, dropped }) => source === sourceId && !dropped).length;
  if (decided < Object.keys(fields).length) return 'overridden';
  return provenance.chain.length > 1 && provenance.source !== sourceId ? 'overridden' : provenance.state === 'project-local' ? 'project-local' : 'effective';
}

const invalidEntries = (issues: readonly ConfigIssue[]): readonly SourceEntry[] =>
  issues.flatMap((issue) =>
    issue.severity === 'error' && issue.server !== undefined
      ? [{ name: issue.server, state: 'invalid' as const, problem: issue.message, ...(issue.line === undefined ? {} : { place: { line: issue.line, column: issue.column ?? 1 } }) }]
      : [],
  );

/** What is wrong in any of them, and entries that speak of a server which nobody defines. */
export function issuesOf(read: readonly ReadSource[], merged: Merged): readonly ConfigIssue[] {
  return [
    ...read.filter(({ status }) => status !== 'untrusted').flatMap(({ parsed }) => parsed.issues),
    ...merged.orphans.map(({ source, entry }): ConfigIssue => ({
      code: 'invalid-transport', severity: 'warning', file: source.path ?? source.label, path: `mcpServers.${entry.name}`, server: entry.name,
      message: `“${entry.name}” says nothing of how to reach it, and no other file does`,
      ...(entry.place === undefined ? {} : entry.place),
    })),
  ];
}
