/** Characters gathered before a piece is handed on. */
const pieceUnits = 65_536;

type Frame = { readonly end: string; readonly entries: Iterator<readonly [string | undefined, unknown]>; first: boolean };

/**
 * JSON text of a parsed JSON value, in pieces: as `JSON.stringify` makes it, with never more of it in memory than a piece, however long its strings and
 * however deep it is nested.
 */
export function* jsonPieces(root: unknown): Generator<string> {
  let out = '';
  const stack: Frame[] = [];
  let next: { readonly value: unknown } | undefined = { value: root };
  while (next) {
    const { value }: { readonly value: unknown } = next;
    if (typeof value === 'string' && value.length > pieceUnits) {
      out += '"';
      for (let at = 0; at < value.length; at += pieceUnits) {
        yield out;
        out = JSON.stringify(value.slice(at, at + pieceUnits)).slice(1, -1);
      }
      out += '"';
    } else if (typeof value === 'object' && value !== null) {
      out += Array.isArray(value) ? '[' : '{';
      stack.push({ end: Array.isArray(value) ? ']' : '}', entries: entriesOf(value), first: true });
    } else out += JSON.stringify(value) ?? 'null';
    next = undefined;
    for (let frame = stack.at(-1); frame && !next; frame = stack.at(-1)) {
      const entry = frame.entries.next();
      if (entry.done === true) {
        out += frame.end;
        stack.pop();
        continue;
      }
      const [key, item] = entry.value;
      out += `${frame.first ? '' : ','}${key === undefined ? '' : `${JSON.stringify(key)}:`}`;
      frame.first = false;
      next = { value: item };
    }
    if (out.length >= pieceUnits) {
      yield out;
      out = '';
    }
  }
  if (out !== '') yield out;
}

function* entriesOf(value: object): Generator<readonly [string | undefined, unknown]> {
  if (Array.isArray(value)) {
    for (const item of value) yield [undefined, item];
    return;
  }
  for (const [key, item] of Object.entries(value)) if (item !== undefined) yield [key, item];
}

/** The JSON text if it is no longer than that many characters. */
export function shortJson(value: unknown, most: number): string | undefined {
  let text = '';
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length > most) return undefined;
  }
  return text;
}
