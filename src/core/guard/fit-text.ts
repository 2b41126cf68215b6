/** How much text may be shown and sent to a model at once. */
export interface TextCaps {
  /** Bytes of UTF-8. */
  readonly maxBytes: number;
  readonly maxLines: number;
}
export interface TextSize {
  readonly bytes: number;
  readonly lines: number;
}

const lineFeed = 10;
const isHigh = (code: number): boolean => code >= 0xd800 && code < 0xdc00;
const isLow = (code: number): boolean => code >= 0xdc00 && code < 0xe000;

/** Bytes of UTF-8 and lines, with nothing encoded or copied. A lone surrogate counts as the three bytes of the mark that takes its place. */
export function textSize(text: string): TextSize {
  let bytes = 0;
  let lines = 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed) lines += 1;
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    else if (isHigh(code) && isLow(text.charCodeAt(at + 1))) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return { bytes, lines };
}

/** Where the piece that begins at `from` must end to keep within the caps and `characters`; never within a character. */
export function fittingEnd(text: string, from: number, caps: TextCaps, characters = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  let lines = 1;
  let at = from;
  if (caps.maxLines < 1) return from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const units = isHigh(code) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
    bytes += units === 2 ? 4 : code < 0x80 ? 1 : code < 0x800 ? 2 : 3;
    if (bytes > caps.maxBytes || at + units - from > characters) return at;
    if (code === lineFeed) lines += 1;
    if (lines > caps.maxLines) return at;
    at += units;
  }
  return at;
}

/** The beginning that fits. */
export const fittingHead = (text: string, caps: TextCaps): string => text.slice(0, fittingEnd(text, 0, caps));

/** A place that is not within a character: the one given, or the one before it. */
export const characterStart = (text: string, at: number): number => (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at);

/** A size for people and models, in B, KiB or MiB. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [value, unit] = bytes < 1_048_576 ? [bytes / 1024, 'KiB'] : [bytes / 1_048_576, 'MiB'];
  return `${value.toFixed(1).replace(/\.0$/, '')} ${unit}`;
}
