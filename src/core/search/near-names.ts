/** Names longer than this get no suggestions (F-74): comparing them costs more than a guess is worth. */
const longestName = 512;
const mostSuggestions = 5;
const farthest = 2;

/** Up to five of the names that are at most two slips away from `name` (F-74), nearest first, then by name. A slip is a wrong, missing or extra letter or two that changed places; case does not count. */
export function nearNames(name: string, among: Iterable<string>): readonly string[] {
  if (name.length === 0 || name.length > longestName) return [];
  const wanted = name.toLowerCase();
  return [...new Set(among)]
    .map((other) => ({ other, distance: slipsBetween(wanted, other.toLowerCase(), farthest) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance || (a.other < b.other ? -1 : 1))
    .slice(0, mostSuggestions)
    .map(({ other }) => other);
}

/** The fewest slips (Damerau-Levenshtein, neighbours only) that make one text of the other; `most + 1` as soon as there are more than `most`. Counts UTF-16 units. */
export function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  if (a === b) return 0;
  let rows: [number[], number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at), []];
  for (let i = 1; i <= a.length; i += 1) {
    const [before, last, row] = rows;
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    if (least > most) return most + 1;
    rows = [last, row, before];
  }
  return Math.min(rows[1][b.length] ?? 0, most + 1);
}
