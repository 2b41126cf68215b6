import type { Node } from 'jsonc-parser';
import { memberOf, membersOf, objectRoot } from './json-tree.ts';
import { namesServer, serversPlaces, type ServersPlace } from './servers-place.ts';

export interface Entry {
  readonly place: ServersPlace;
  /** Key and value in a map, the element in a list. */
  readonly whole: Node;
  readonly value: Node;
}
/** In the first place that has any, in the order of the text. */
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

/** The one that counts: of a list the first; of a map the last of a key, where keys that differ in blanks only are one name and the first of them counts. */
export function entryOf(text: string, name: string): Entry | undefined {
  const entries = entriesOf(serversPlaces(objectRoot(text)), name);
  const [first] = entries;
  return first?.place.kind === 'map' ? entries.findLast((entry) => keyOf(entry) === keyOf(first)) : first;
}

const keyOf = ({ whole }: Entry): unknown => whole.children?.[0]?.value;
