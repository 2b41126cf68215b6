import type { DiscoveredSource } from '../../../shared/model/exchange.ts';
import { clientWords } from './client-words.ts';
import { offerKey, type Offered } from './picks.ts';

/** A line of the list of what was found: a program's file, or a server in it. */
type DiscoveryRow =
  | { readonly kind: 'source'; readonly key: string; readonly source: DiscoveredSource }
  | { readonly kind: 'candidate'; readonly key: string; readonly offered: Offered; readonly last: boolean };

export const offersOf = (source: DiscoveredSource): readonly Offered[] =>
  source.candidates.map((candidate) => ({ source: source.id, label: source.label, candidate }));

/** Files with their servers below them; with words to find, only what has them all. */
export function discoveryRows(sources: readonly DiscoveredSource[], text: string): readonly DiscoveryRow[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sources.flatMap((source): readonly DiscoveryRow[] => {
    const offers = offersOf(source).filter(({ candidate, label }) => {
      const all = `${candidate.name} ${candidate.target} ${label} ${clientWords[source.client].name}`.toLowerCase();
      return words.every((word) => all.includes(word));
    });
    if (offers.length === 0) return [];
    return [
      { kind: 'source', key: source.id, source },
      ...offers.map((offered, at): DiscoveryRow => ({ kind: 'candidate', key: offerKey(offered), offered, last: at === offers.length - 1 })),
    ];
  });
}
