/** Scripts that are written without spaces: their runs are read in pairs of characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const runs = /[\p{L}\p{M}\p{N}]+/gu;
const caseChange = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const kinds = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+|\p{N}+|[^\p{N}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
const plain = /^[a-z]+$/;
/** A longer run without a break is no word; what is beyond is not read. */
const longestWord = 64;

/**
 * The words of a text, in lower case. Identifiers are split at case changes, separators and digits, and also kept whole
 * (`YouTube` gives you, tube, youtube; `base64` gives base, 64, base64). Scripts without spaces give pairs of characters.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize('NFKC').matchAll(runs)) addRun(run, words);
  return words;
}

function addRun(run: string, words: string[]): void {
  if (plain.test(run)) {
    words.push(run.slice(0, longestWord));
    return;
  }
  const before = words.length;
  for (const part of run.split(caseChange)) {
    for (const [piece] of part.toLowerCase().matchAll(kinds)) {
      if (unspaced.test(piece)) addPairs(piece, words);
      else words.push(piece.slice(0, longestWord));
    }
  }
  if (words.length > before + 1 && run.length <= longestWord && !unspaced.test(run)) words.push(run.toLowerCase());
}

function addPairs(piece: string, words: string[]): void {
  const letters = Array.from(piece);
  if (letters.length === 1) words.push(piece);
  for (let at = 0; at + 1 < letters.length; at += 1) words.push(`${letters[at]}${letters[at + 1]}`);
}
