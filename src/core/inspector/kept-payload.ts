/** A message that is larger is kept in part. Characters of JSON. */
const wholeLimit = 256 * 1024;
/** What is kept of such a message, and of one text within it. */
const keptLimit = 256 * 1024;
const textLimit = 8 * 1024;
/** A text that is cut may end in the middle of a secret, which is not found there: this much of it is kept for looking and never shown. */
export const unseenTail = 4 * 1024;
const keyLimit = 1024;
const deepest = 100;
/** Beyond these a message is only said to be larger. */
const countedValues = 100_000;

/** The beginning of a text, with what follows for looking only. */
export class CutText {
  readonly beginning: string;
  readonly length: number;

  constructor(text: string) {
    // A slice alone would hold on to the whole text.
    this.beginning = structuredClone(text.slice(0, textLimit + unseenTail));
    this.length = text.length;
  }
}
/** So many items or fields are left out. */
export class CutRest {
  readonly count: number;

  constructor(count: number) {
    this.count = count;
  }
}

export interface KeptPayload {
  readonly value: unknown;
  /** Characters of JSON, near enough; at the least with `larger`. */
  readonly size: number;
  readonly larger: boolean;
  /** What it costs to keep. */
  readonly kept: number;
  readonly cut: boolean;
}

/**
 * A message as it is kept: itself, or a cut copy of a large one. Nothing is turned into text, since most messages are never looked at:
 * time grows with the number of values, hardly with the length of texts.
 */
export function keptPayload(value: unknown): KeptPayload {
  const { size, larger } = sizeOf(value);
  if (size <= wholeLimit) return { value, size, larger, kept: size, cut: false };
  const room = { left: keptLimit };
  const copy = cutCopy(value, room, 0);
  return { value: copy, size, larger, kept: keptLimit - room.left, cut: true };
}

/** Escapes are not counted. */
function sizeOf(value: unknown): { readonly size: number; readonly larger: boolean } {
  const open: unknown[] = [value];
  let size = 0;
  let counted = 0;
  for (;;) {
    const next = open.pop();
    if (typeof next === 'string') size += next.length + 2;
    else if (typeof next !== 'object' || next === null) size += next === undefined ? 0 : 5;
    else if (Array.isArray(next)) {
      size += next.length + 1;
      counted += next.length;
      if (counted > countedValues) return { size, larger: true };
      for (const item of next) open.push(item);
    } else {
      size += 1;
      // Without lists of its names and values, which would cost more than the message.
      for (const key in next) {
        if (!Object.hasOwn(next, key)) continue;
        size += key.length + 4;
        counted += 1;
        if (counted > countedValues) return { size, larger: true };
        open.push(fieldOf(next, key));
      }
    }
    if (open.length === 0) return { size, larger: false };
  }
}

const fieldOf = (object: object, key: string): unknown => (object as Readonly<Record<string, unknown>>)[key]; // an own key of it

function cutCopy(value: unknown, room: { left: number }, depth: number): unknown {
  if (typeof value === 'string') {
    if (value.length <= textLimit && value.length <= room.left) {
      room.left -= value.length + 2;
      return value;
    }
    room.left -= Math.min(value.length, textLimit + unseenTail);
    return new CutText(value);
  }
  if (typeof value !== 'object' || value === null) {
    room.left -= 5;
    return value;
  }
  return Array.isArray(value) ? cutList(value, room, depth) : cutObject(value, room, depth);
}

function cutList(value: readonly unknown[], room: { left: number }, depth: number): unknown {
  if (depth >= deepest || room.left <= 0) return new CutRest(value.length);
  const kept: unknown[] = [];
  for (let at = 0; at < value.length && room.left > 0; at += 1) {
    room.left -= 1;
    kept.push(cutCopy(value[at], room, depth + 1));
  }
  return kept.length < value.length ? [...kept, new CutRest(value.length - kept.length)] : kept;
}

function cutObject(value: object, room: { left: number }, depth: number): unknown {
  if (depth >= deepest || room.left <= 0) return new CutRest(Object.keys(value).length);
  const kept = new Map<string, unknown>();
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    if (room.left <= 0) {
      kept.set('…', new CutRest(Object.keys(value).length - kept.size));
      break;
    }
    room.left -= 4 + Math.min(key.length, keyLimit);
    kept.set(key.length > keyLimit ? `[a name of ${key.length} characters]` : key, cutCopy(fieldOf(value, key), room, depth + 1));
  }
  return Object.fromEntries(kept);
}
