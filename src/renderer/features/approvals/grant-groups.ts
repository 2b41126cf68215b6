import type { ServerId } from '../../../shared/ids.ts';
import type { Grant } from '../../../shared/model/tool-call.ts';
import type { AppState } from '../../../shared/state/app-state.ts';

export interface GrantGroup {
  readonly serverId: ServerId;
  readonly serverName: string;
  /** The server as it was when it was allowed. */
  readonly target: string;
  /** What became of it: a permission holds only for what it was given for. */
  readonly server: 'same' | 'changed' | 'removed';
  /** For the whole server first, then by tool. */
  readonly grants: readonly Grant[];
}

/** Permissions by the server that they were given for. A server that has changed since has a group of its own for what it was before. */
export function groupGrants(grants: readonly Grant[], servers: AppState['servers']): readonly GrantGroup[] {
  const groups = new Map<string, Grant[]>();
  for (const grant of grants) {
    const key = `${grant.serverId} ${grant.serverRevision}`;
    groups.set(key, [...(groups.get(key) ?? []), grant]);
  }
  return [...groups.values()]
    .flatMap((members): GrantGroup[] => {
      const [first] = members;
      if (!first) return [];
      const definition = servers[first.serverId]?.definition;
      const server = definition === undefined ? 'removed' : definition.revision === first.serverRevision ? 'same' : 'changed';
      return [{ serverId: first.serverId, serverName: first.serverName, target: first.target, server, grants: members.toSorted(byTool) }];
    })
    .toSorted((a, b) => a.serverName.localeCompare(b.serverName, undefined, { numeric: true, sensitivity: 'base' }));
}

const byTool = (a: Grant, b: Grant): number =>
  a.tool === undefined ? (b.tool === undefined ? 0 : -1) : b.tool === undefined ? 1 : a.tool.name.localeCompare(b.tool.name);
