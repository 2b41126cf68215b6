import { Lexer } from 'marked';

interface Cut {
  /** The text that was cut, and its blocks with blank lines and definitions, in order: together they are the text. */
  readonly text: string;
  readonly tokens: readonly { readonly type: string; readonly raw: string }[];
}
/** What comes next may still change these: a table begins as a paragraph, a list goes on after a blank line. */
const unsettled = 4;

/** Cuts a text that grew since `before` by reading only its end again. */
export function growMarkdown(text: string, before: Cut | undefined): Cut {
  const kept = before && text.startsWith(before.text) ? before.tokens.slice(0, -unsettled) : [];
  const read = kept.reduce((length, token) => length + token.raw.length, 0);
  // Blocks only: what stands inside of them is read where they are drawn.
  const rest = new Lexer({ gfm: true }).blockTokens(text.slice(read).replaceAll(/\r\n|\r/g, '\n')).map(({ type, raw }) => ({ type, raw }));
  const tokens = [...kept, ...rest];
  // Other line ends became \n: then positions no longer fit, and the whole is read each time.
  return tokens.reduce((length, token) => length + token.raw.length, 0) === text.length ? { text, tokens } : { text: `${text}\0`, tokens };
}

/** Cuts Markdown into its top-level blocks. Text that grows at its end leaves the earlier blocks equal, so only the last is drawn again. Link definitions stay usable in every block. */
export function splitMarkdown(text: string): readonly string[] {
  return blocksOf(growMarkdown(text, undefined));
}

export function blocksOf({ tokens }: Cut): readonly string[] {
  const definitions = tokens.filter((token) => token.type === 'def').map((token) => token.raw.trim()).join('\n');
  const blocks = tokens.filter((token) => token.type !== 'space' && token.type !== 'def').map((token) => token.raw);
  // A definition may stand anywhere; only blocks that refer to one get them.
  return definitions === '' ? blocks : blocks.map((block) => (/\]\[|\]/.test(block) ? `${block}\n\n${definitions}` : block));
}

/** Goes back from block `from` by about `characters`, and by one block at least. */
export function blocksBefore(blocks: readonly string[], from: number, characters: number): number {
  let first = Math.min(from, blocks.length);
  for (let length = 0; first > 0 && length < characters; length += blocks[first]?.length ?? 0) first -= 1;
  return first;
}

/** Blocks `from` up to `to`, which is not one of them. */
export interface Span {
  readonly from: number;
  readonly to: number;
}
/** The blocks that wait to be drawn once a text has more than its `known` first blocks: what goes beyond `characters`, its end first. */
export function waitingAfter(blocks: readonly string[], known: number, waiting: Span, characters: number): Span {
  const to = blocksBefore(blocks, blocks.length, characters);
  return to <= known ? waiting : { from: waiting.from < waiting.to ? waiting.from : known, to };
}
