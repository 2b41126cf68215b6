import { marked } from 'marked';

/** Cuts Markdown into its top-level blocks. Text that grows at its end leaves the earlier blocks equal, so only the last is drawn again. Link definitions stay usable in every block. */
export function splitMarkdown(text: string): readonly string[] {
  const tokens = marked.lexer(text, { gfm: true });
  const definitions = tokens.filter((token) => token.type === 'def').map((token) => token.raw.trim()).join('\n');
  const blocks = tokens.filter((token) => token.type !== 'space' && token.type !== 'def').map((token) => token.raw);
  // A definition may stand anywhere; only blocks that refer to one get them.
  return definitions === '' ? blocks : blocks.map((block) => (/\]\[|\]/.test(block) ? `${block}\n\n${definitions}` : block));
}
