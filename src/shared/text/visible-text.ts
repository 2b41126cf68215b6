/** A run of plain text, or the mark that stands for something that would not be seen. */
export interface TextPiece {
  readonly text: string;
  readonly mark: boolean;
}

/** Terminal sequences, controls but tab and newline, format characters (bidi, zero-width, tags, soft hyphen), other unseen letters, lone surrogates. */
const unseen = new RegExp(
  [
    '\\u001B\\[[0-?]*[ -\\/]*[@-~]', // terminal colours and cursor moves, as one mark
    '\\u001B\\][^\\u0007\\u001B]{0,200}(?:\\u0007|\\u001B\\\\)',
    '[\\p{Cc}--[\\t\\n]]',
    '[\\p{Cf}--[\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}]]', // those that are left out have a shape
    '[\\u2028\\u2029\\u115F\\u1160\\u3164\\uFFA0\\u2800\\u034F\\u17B4\\u17B5\\u180B-\\u180F]',
    '[\\u{E0100}-\\u{E01EF}]',
    '\\p{Cs}',
  ].join('|'),
  'gv',
);
const joiner = '\u200D';
const joinsEmoji = (text: string, index: number): boolean =>
  /\p{Extended_Pictographic}\uFE0F?\p{Emoji_Modifier}?$/u.test(text.slice(Math.max(0, index - 8), index)) && /^\p{Extended_Pictographic}/u.test(text.slice(index + 1, index + 3));

const codeOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
const markOf = (found: string): string => (found.length > 1 && found.startsWith('\u001B') ? `⟨ESC${found.slice(1).replaceAll(/\p{Cc}/gu, codeOf)}⟩` : `⟨${codeOf(found)}⟩`);

/** Cuts text into what is seen as it is and marks for what would not be seen. A Windows line end counts as a newline. */
export function visiblePieces(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  for (const found of text.matchAll(unseen)) {
    const [match] = found;
    if (match === joiner && joinsEmoji(text, found.index)) continue;
    if (match === '\r' && text[found.index + 1] === '\n') {
      if (found.index > from) pieces.push({ text: text.slice(from, found.index), mark: false });
      from = found.index + 1;
      continue;
    }
    if (found.index > from) pieces.push({ text: text.slice(from, found.index), mark: false });
    pieces.push({ text: markOf(match), mark: true });
    from = found.index + match.length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), mark: false });
  return pieces;
}

/** The same as one string: what a person approves is what they see. */
export const visibleText = (text: string): string => visiblePieces(text).map((piece) => piece.text).join('');

export const hasInvisible = (text: string): boolean => visiblePieces(text).some((piece) => piece.mark);
