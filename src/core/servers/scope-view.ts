import type { ScopeEntry, ScopeView } from '../../shared/ipc/contract/config.ts';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import { entryMarks } from '../formats/edit-source.ts';
import type { ReadSource } from './config-sources.ts';
import { definitionOf } from './definition-of.ts';
import { definesTransport, mergeLayers } from './merge.ts';

/** One scope's page: what holds with this scope's layers and those below, what its own file says, and what is wrong there. */
export function scopeView(scope: ConfigScope, file: string, text: string | undefined, read: readonly ReadSource[], project: string | undefined): ScopeView {
  const layers = read.filter(({ source, status }) => status === 'read' && (scope === 'project' || source.scope === 'global'));
  const { servers, on } = mergeLayers(layers, scope === 'project');
  const owned = read.find(({ source }) => source.path === file)?.parsed;
  const own = new Map(owned?.entries.map((entry) => [entry.name, entry]));
  const issues = owned?.issues ?? [];
  const names = new Set([...servers.map(({ name }) => name), ...own.keys(), ...issues.flatMap(({ server }) => (server === undefined ? [] : [server]))]);
  const marks = entryMarks(text, [...names]);
  const byName = new Map(servers.map((server) => [server.name, server]));
  const entries = [...names].map((name): ScopeEntry => {
    const server = byName.get(name);
    const here = own.get(name);
    const wrong = issues.filter((issue) => issue.server === name);
    return {
      name,
      state: server?.provenance.state ?? (here ? 'disabled' : 'invalid'),
      ...(server
        ? { definition: definitionOf(name, server.owner, server.owner === 'project' ? (project ?? '') : server.owner, server.enabled, server.fields), provenance: server.provenance }
        : {}),
      here: here !== undefined,
      editable: here !== undefined && definesTransport(here.fields),
      seen: marks.get(name) ?? 'absent',
      issues: wrong,
    };
  });
  return {
    scope, file, exists: text !== undefined, on, entries,
    ...(owned?.enabled === undefined ? {} : { switch: owned.enabled }),
    issues: issues.filter(({ server }) => server === undefined),
  };
}
