/** Longer lines hold values, not places that a person looks for. */
const maxLine = 2000;
const keyBeforeEquals = /^\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=/;

/**
 * Where tables and keys of a TOML document stand, by their path joined with NUL: the TOML reader gives values without places. Only for showing lines:
 * what it misses (keys of inline tables) stands where its table does.
 */
export function tomlOffsets(text: string): ReadonlyMap<string, number> {
  const offsets = new Map<string, number>();
  let table: readonly string[] = [];
  let closing: '"""' | "'''" | undefined;
  let offset = 0;
  for (const line of text.split('\n')) {
    if (!closing && line.length <= maxLine) {
      const header = /^\s*\[{1,2}\s*(.+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line.trimEnd());
      const path = header?.[1] === undefined ? undefined : keyPath(header[1]);
      if (path) {
        table = path;
        remember(offsets, [], path, offset + line.indexOf('['));
      } else {
        const key = keyBeforeEquals.exec(line)?.[1];
        const keys = key === undefined ? undefined : keyPath(key);
        if (keys) remember(offsets, table, keys, offset + (line.length - line.trimStart().length));
      }
    }
    for (const [quotes] of line.matchAll(/"""|'''/g)) {
      if (closing === undefined) closing = quotes === '"""' ? '"""' : "'''";
      else if (closing === quotes) closing = undefined;
    }
    offset += line.length + 1;
  }
  return offsets;
}

function remember(offsets: Map<string, number>, table: readonly string[], path: readonly string[], offset: number): void {
  for (let length = 1; length <= path.length; length++) {
    const key = [...table, ...path.slice(0, length)].join('\0');
    // The table itself, not the first of its children, is where it stands.
    if (length === path.length || !offsets.has(key)) offsets.set(key, offset);
  }
}

function keyPath(text: string): readonly string[] | undefined {
  const part = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(\.|$)/y;
  const path: string[] = [];
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (!match) return undefined;
    path.push(match[1] === undefined ? (match[2] ?? match[3] ?? '') : match[1].replace(/\\(["\\])/g, '$1'));
    if (match[4] === '') break;
  }
  return path.length > 0 ? path : undefined;
}
