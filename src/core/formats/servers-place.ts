import type { Node } from 'jsonc-parser';
import { memberOf, membersOf, type Member } from './json-tree.ts';

/** Where in a JSON file of ours the servers stand. */
export type ServersPlace =
  /** By name; `path` is empty when the file itself is the map. */
  | { readonly kind: 'map'; readonly path: readonly string[]; readonly node: Node }
  /** Each with its `name`; the scope's switch is `enabled` beside the list. */
  | { readonly kind: 'list'; readonly path: readonly string[]; readonly node: Node; readonly holder: readonly string[] }
  /** There is such a key, but what it holds is neither. */
  | { readonly kind: 'wrong'; readonly path: readonly string[]; readonly node: Node };

export const serversKeys = ['mcpServers', 'mcp-servers', 'servers'] as const;
/** The scope's switch of a file whose servers are a map: a key of the file itself. */
export const mapSwitch = 'mcpEnabled';
const notServers: readonly string[] = [mapSwitch, 'enabled', 'imports', 'settings', 'inputs', '$schema'];
const waysIn = ['command', 'url', 'serverUrl', 'httpUrl', 'socket'] as const;

/** In the order of `serversKeys`; a file may have more than one of them. Empty for a file that has no servers yet. */
export function serversPlaces(root: Node): readonly ServersPlace[] {
  const keyed = serversKeys.flatMap((key) => {
    const member = memberOf(root, key);
    // A bare map may hold a server of that name.
    return member && !isEntry(member.value) ? [placeAt(key, member.value)] : [];
  });
  if (keyed.length > 0) return keyed;
  return isBareMap(root) ? [{ kind: 'map', path: [], node: root }] : [];
}

function placeAt(key: string, node: Node): ServersPlace {
  if (node.type === 'array') return { kind: 'list', path: [key], node, holder: [] };
  if (node.type !== 'object') return { kind: 'wrong', path: [key], node };
  const list = memberOf(node, 'servers')?.value;
  return list?.type === 'array' ? { kind: 'list', path: [key, 'servers'], node: list, holder: [key] } : { kind: 'map', path: [key], node };
}

const isEntry = (node: Node): boolean => membersOf(node).some(({ key, value }) => waysIn.some((way) => way === key) && (value.type === 'string' || value.type === 'array'));

/** A file that is itself the map of servers: at least one member says how to reach one. */
const isBareMap = (root: Node): boolean =>
  !isEntry(root) && membersOf(root).some(({ key, value }) => !notServers.includes(key) && waysIn.some((way) => memberOf(value, way) !== undefined));

/** Whether a member of a map of servers is meant as one. */
export function namesServer({ path }: ServersPlace, { key, value }: Member): boolean {
  return path.length === 0 ? !notServers.includes(key) : key !== 'enabled' || value.type !== 'boolean';
}

/** Where the switch of all servers stands, as paths; what is first counts. Empty when the file says nothing of it. */
export function switchesIn(root: Node): readonly (readonly string[])[] {
  const besides = serversPlaces(root).map((place) => [...(place.kind === 'list' ? place.holder : place.path), 'enabled']);
  const all = [...besides.filter((path) => path.length > 1 || serversPlaces(root)[0]?.kind === 'list'), [mapSwitch], ['mcp', 'enabled']];
  return all.filter((path) => {
    const node = path.reduce<Node | undefined>((found, key) => memberOf(found, key)?.value, root);
    return node?.type === 'boolean';
  });
}
