import type { ResultPart, ToolResult } from '../../shared/model/content.ts';
import { fittingHead, textSize, type TextCaps, type TextSize } from './fit-text.ts';
import { bodyBlocks, blockOf, tailLines } from './text-blocks.ts';

/** A part whose text was cut, with the whole of it. */
export interface CutPart {
  readonly index: number;
  readonly whole: string;
}
export interface Fitted {
  readonly result: ToolResult;
  readonly cutParts: readonly CutPart[];
}

/** Does all that a model would read keep within the caps? */
export function fits(result: ToolResult, isError: boolean, caps: TextCaps): boolean {
  const texts = [...bodyBlocks(result, isError).map(({ head, text }) => head + text), ...(isError ? ['Error: '] : []), ...tailLines(result)];
  // No unit is less than a byte: what is far too long need not be gone through.
  if (texts.reduce((units, text) => units + text.length, 0) > caps.maxBytes) return false;
  const { bytes, lines } = sizeOf(texts);
  return bytes <= caps.maxBytes && lines <= caps.maxLines;
}

/**
 * The beginning of the result that fits together with what must be seen whatever happens (F-116, F-205): the parts in their order, the first one that does
 * not fit cut, what follows left out. Of an error the first text comes first, for it is what a model reads.
 */
export function fitResult(whole: ToolResult, isError: boolean, caps: TextCaps): Fitted {
  const { bytes, lines } = sizeOf(bodyBlocks(whole, isError).map(({ head, text }) => head + text));
  const cut = { bytes, lines, told: 0 };
  const tail = sizeOf([isError ? 'Error: ' : '', ...tailLines({ ...whole, cut })]);
  const room = new Room({ maxBytes: caps.maxBytes - tail.bytes - 1, maxLines: caps.maxLines - tail.lines });
  const parts = [...whole.parts];
  const cutParts: CutPart[] = [];
  let told = 0;
  for (const index of order(parts, isError)) {
    const part = parts[index];
    const block = part && blockOf(part);
    if (part && block) {
      const text = room.take(block.head, block.text);
      if (text !== block.text && (part.type === 'text' || part.type === 'resource-text' || part.type === 'unknown')) {
        const { lines: of, bytes: size } = textSize(block.text);
        parts[index] = withText(part, text ?? '', { lines: of, bytes: size });
        cutParts.push({ index, whole: block.text });
      }
      if (text !== undefined && told === index) told = index + 1;
    } else if (told === index) told = index + 1;
  }
  const { structured } = whole;
  const rest = structured && { ...structured, preview: room.take('', structured.preview ?? ('json' in structured ? structured.json : '')) ?? '' };
  return { result: { ...whole, parts, ...(rest === undefined ? {} : { structured: rest }), cut: { ...cut, told } }, cutParts };
}

/** Handed out in order; once something did not fit, nothing does. */
class Room {
  #left: TextCaps;
  #first = true;
  #over = false;

  constructor(caps: TextCaps) {
    this.#left = caps;
  }

  /** As much of the text as fits behind its head; `undefined` when not even the head does. What says nothing takes no room. */
  take(head: string, text: string): string | undefined {
    if (`${head}${text.slice(0, 1_000)}`.trim() === '' && text.length < 1_000) return text;
    const before = textSize(head);
    const after = { maxBytes: this.#left.maxBytes - before.bytes - (this.#first ? 0 : 1), maxLines: this.#left.maxLines - before.lines + 1 };
    if (this.#over || after.maxBytes < 0 || after.maxLines < 1) {
      this.#over = true;
      return undefined;
    }
    const taken = fittingHead(text, after);
    this.#over = taken.length < text.length;
    this.#first = false;
    const { bytes, lines } = textSize(taken);
    this.#left = { maxBytes: after.maxBytes - bytes, maxLines: after.maxLines - lines };
    return this.#over && taken === '' && head === '' ? undefined : taken;
  }
}

function order(parts: readonly ResultPart[], isError: boolean): readonly number[] {
  const all = [...parts.keys()];
  const first = isError ? parts.findIndex((part) => part.type === 'text' && part.text.trim() !== '') : -1;
  return first < 0 ? all : [first, ...all.filter((index) => index !== first)];
}

const withText = (part: Extract<ResultPart, { type: 'text' | 'resource-text' | 'unknown' }>, text: string, truncated: TextSize): ResultPart =>
  part.type === 'unknown' ? { ...part, json: text, truncated } : { ...part, text, truncated };

/** Joined by line feeds. */
function sizeOf(texts: readonly string[]): TextSize {
  const sizes = texts.filter((text) => text !== '').map(textSize);
  return { bytes: sizes.reduce((sum, { bytes }) => sum + bytes, Math.max(0, sizes.length - 1)), lines: sizes.reduce((sum, { lines }) => sum + lines, 0) };
}
