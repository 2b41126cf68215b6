export interface FoldedText {
  readonly shown: string;
  readonly folded: boolean;
  readonly lines: number;
  readonly characters: number;
}

const lineCount = (text: string): number => {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
};

/** The beginning of a long text, cut at a line or never inside a character, with what there is in all. */
export function foldText(text: string, limits: { readonly lines: number; readonly characters: number }): FoldedText {
  const lines = lineCount(text);
  const whole = { lines, characters: text.length };
  if (lines <= limits.lines && text.length <= limits.characters) return { shown: text, folded: false, ...whole };
  let shown = text.split('\n', limits.lines).join('\n').slice(0, limits.characters);
  if (/[\uD800-\uDBFF]$/.test(shown)) shown = shown.slice(0, -1);
  return { shown: shown.trimEnd(), folded: true, ...whole };
}
