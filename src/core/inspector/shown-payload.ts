import { CutRest, CutText, unseenTail } from './kept-payload.ts';

const deepest = 200;

/** What was kept of a message, for eyes and files: secret values hidden in texts and names, data of pictures and files only counted. */
export function shownPayload(value: unknown, mask: (text: string) => string): unknown {
  const shown = (item: unknown, depth: number): unknown => {
    if (typeof item === 'string') return mask(item);
    if (item instanceof CutText) return `${shownBeginning(item, mask)}… [cut: ${item.length.toLocaleString('en-US')} characters in all]`;
    if (item instanceof CutRest) return `[${item.count.toLocaleString('en-US')} more, cut]`;
    if (typeof item !== 'object' || item === null) return item;
    if (depth > deepest) return '[deeper, cut]';
    if (Array.isArray(item)) return item.map((one) => shown(one, depth + 1));
    const entries = new Map<string, unknown>();
    for (const [key, one] of Object.entries(item)) {
      const name = free(mask(key), entries);
      entries.set(name, isData(key, item) ? dataWords(one) : shown(one, depth + 1));
    }
    return Object.fromEntries(entries);
  };
  return shown(value, 0);
}

/** Without what was kept only to find a secret that runs over the cut. */
function shownBeginning({ beginning }: CutText, mask: (text: string) => string): string {
  const masked = mask(beginning);
  return masked.slice(0, Math.max(0, masked.length - unseenTail));
}

/** Two names with one secret each would be one. */
function free(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
  return free;
}

/** Base64 of a picture, a sound or a resource (MCP: `data` beside a `mimeType`, `blob`). */
function isData(key: string, item: object): boolean {
  return key === 'blob' || (key === 'data' && 'mimeType' in item);
}

function dataWords(value: unknown): unknown {
  const length = typeof value === 'string' ? value.length : value instanceof CutText ? value.length : undefined;
  return length === undefined ? '[data]' : `[base64, ${length.toLocaleString('en-US')} characters]`;
}
