import type { Node } from 'jsonc-parser';
import { memberOf, membersOf, objectRoot } from './json-tree.ts';
import { namesServer, serversPlaces, type ServersPlace } from './servers-place.ts';

export interface Entry {
  readonly place: ServersPlace;
  /** Key and value in a map, the element in a list. */
  readonly whole: Node;
  readonly value: Node;
}
/** In the first place that has any, in the order of the text. A map's last one of a name counts, a list's first. */
export function entriesOf(places: readonly ServersPlace[], name: string): readonly Entry[] {
  const entries = allOf(places, name);
  const first = entries[0];
  return first ? entries.filter(({ place }) => place === first.place) : [];
}

/** Wherever the file has some. */
export function allOf(places: readonly ServersPlace[], name: string): readonly Entry[] {
  return places.flatMap((place): readonly Entry[] => {
    if (place.kind === 'map') {
      const named = membersOf(place.node).filter((member) => member.key.trim() === name.trim() && namesServer(place, member));
      return named.map(({ property, value }) => ({ place, whole: property, value }));
    }
    if (place.kind === 'wrong') return [];
    return (place.node.children ?? []).flatMap((item) => (nameOf(item)?.trim() === name.trim() ? [{ place, whole: item, value: item }] : []));
  });
}

export function nameOf(item: Node): string | undefined {
  const name: unknown = memberOf(item, 'name')?.value.value;
  return typeof name === 'string' ? name : undefined;
}

/** The one that counts. */
export const entryOf = (text: string, name: string): Entry | undefined => {
  const entries = entriesOf(serversPlaces(objectRoot(text)), name);
  return entries[0]?.place.kind === 'list' ? entries[0] : entries.at(-1);
};
