/** Deeper parts are left out: whoever reads, hashes or sends them would run out of stack. Nobody means so many levels. */
const deepest = 200;

/** The same value, or a copy without what lies too deep. */
export function shallow(value: unknown): unknown {
  return isDeep(value) ? pruned(value, 0) : value;
}

function isDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}

function pruned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((item) => pruned(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pruned(item, depth + 1)]));
}
