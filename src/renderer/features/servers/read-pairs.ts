export interface Pair {
  readonly name: string;
  readonly value: string;
}

/**
 * Several variables or headers pasted at once: lines of an .env file (`NAME="value"`, comments, `export`) or of a request
 * (`Name: value`). `undefined` for text that is neither.
 */
export function readPairs(text: string, kind: 'env' | 'headers'): readonly Pair[] | undefined {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !(kind === 'env' && line.startsWith('#')));
  const pairs = lines.map((line) => (kind === 'env' ? envPair(line) : headerPair(line)));
  const read = pairs.filter((pair) => pair !== undefined);
  return read.length > 0 && read.length === pairs.length ? read : undefined;
}

function envPair(line: string): Pair | undefined {
  const found = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*(.*)$/.exec(line);
  return found ? { name: found[1] ?? '', value: unquoted(found[2] ?? '') } : undefined;
}
function headerPair(line: string): Pair | undefined {
  const found = /^(?:-H\s+)?["']?([\w-]+):\s*(.*?)["']?$/.exec(line);
  return found ? { name: found[1] ?? '', value: found[2] ?? '' } : undefined;
}
const unquoted = (value: string): string => /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
