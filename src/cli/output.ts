import { visibleText } from '../shared/text/visible-text.ts';

/** Text of a file, server or program in one line: what would not be seen, or would move the cursor, is shown as a mark. */
export const oneLine = (text: string): string => visibleText(text).replaceAll('\n', '⟨U+000A⟩').replaceAll('\t', '⟨U+0009⟩');

/** One JSON document. Characters that a terminal would act on are escaped, which means the same. */
export const jsonText = (document: unknown): string =>
  JSON.stringify(document, undefined, 2).replaceAll(/[\p{Cf}\u007F-\u009F\u2028\u2029]/gu, escaped);
const escaped = (character: string): string => [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow';
const codes: { readonly [C in Colour]: readonly [number, number] } = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] };
export type Paint = (colour: Colour, text: string) => string;

export const painter = (on: boolean): Paint => (colour, text) => {
  const [begin, end] = codes[colour];
  return on && text !== '' ? `\u001B[${begin}m${text}\u001B[${end}m` : text;
};

export interface Cell {
  readonly text: string;
  readonly colour?: Colour;
}
const asCell = (cell: string | Cell): Cell => (typeof cell === 'string' ? { text: cell } : cell);

/** Columns as wide as their longest cell; every cell is made one line. */
export function table(head: readonly string[], rows: readonly (readonly (string | Cell)[])[], paint: Paint): string {
  const cells = rows.map((row) => row.map(asCell).map(({ text, ...rest }) => ({ text: oneLine(text), ...rest })));
  const widths = head.map((title, column) => Math.max(lengthOf(title), ...cells.map((row) => lengthOf(row[column]?.text ?? ''))));
  const line = (row: readonly Cell[]): string =>
    row
      .map(({ text, colour }, column) => {
        const last = column === row.length - 1;
        const padding = last ? '' : ' '.repeat((widths[column] ?? 0) - lengthOf(text));
        return `${colour === undefined ? text : paint(colour, text)}${padding}`;
      })
      .join('  ')
      .trimEnd();
  return [line(head.map((text) => ({ text, colour: 'dim' as const }))), ...cells.map(line)].join('\n');
}
/** What a person sees as one character. */
export const charactersOf = (text: string): readonly string[] => Array.from(segmenter.segment(text), ({ segment }) => segment);
const segmenter = new Intl.Segmenter();
const lengthOf = (text: string): number => charactersOf(text).length;

/** A unified diff, its lines coloured. */
export function diffText(diff: string, paint: Paint): string {
  return visibleText(diff)
    .split('\n')
    .map((line) => {
      if (line.startsWith('+') && !line.startsWith('+++')) return paint('green', line);
      if (line.startsWith('-') && !line.startsWith('---')) return paint('red', line);
      return line.startsWith('@@') ? paint('dim', line) : line;
    })
    .join('\n');
}

/** `3 servers`, `1 server`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
