import type { LongLine } from './line-reader.ts';

/**
 * Which request a JSON-RPC answer belongs to when only its ends were kept. `undefined` for a server's own request or notification, whose id
 * lives in another space, and whenever it cannot be told for certain: failing the wrong request would be worse than a timeout.
 */
export function idOfLongAnswer(line: Pick<LongLine, 'head' | 'tail'>): string | number | undefined {
  const { keys, id } = topLevelKeys(line.head.toString('utf8').replace(/^\ufeff/, ''));
  if (keys.has('method') || !(keys.has('result') || keys.has('error'))) return undefined;
  return id ?? idAtEnd(line.tail.toString('utf8'));
}

/** Walks the start of a JSON object, strings and depth in mind: an "id" inside a result is not the answer's. */
function topLevelKeys(text: string): { readonly keys: ReadonlySet<string>; readonly id: string | number | undefined } {
  const keys = new Set<string>();
  let id: string | number | undefined;
  let depth = 0;
  const token = /"((?:[^"\\]|\\.)*)"(\s*:\s*(-?\d+(?=[\s,}])|"(?:[^"\\]|\\.)*")?)?|[{[\]}]/gsy;
  for (let at = text.search(/\S/); at >= 0 && at < text.length; ) {
    token.lastIndex = at;
    const match = token.exec(text);
    if (!match) {
      // An unfinished string at the cut: nothing behind it can be told.
      if (text[at] === '"') break;
      at += 1;
      continue;
    }
    const [whole, name, colon, value] = match;
    if (name === undefined) depth += whole === '{' || whole === '[' ? 1 : -1;
    else if (colon !== undefined && depth === 1) {
      keys.add(name);
      if (name === 'id' && value !== undefined) id = parsedId(value);
    }
    at += whole.length;
  }
  return { keys, id };
}

/** Many servers write the id last: `…},"jsonrpc":"2.0","id":7}`. What stands before the last brace is at the top level. */
function idAtEnd(text: string): string | number | undefined {
  const match = /[,{]\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(text);
  return match?.[1] === undefined ? undefined : parsedId(match[1]);
}

function parsedId(json: string): string | number | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' || typeof value === 'number' ? value : undefined;
  } catch {
    return undefined;
  }
}
