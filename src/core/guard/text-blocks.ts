import type { ContentRef, ResultPart, ToolResult } from '../../shared/model/content.ts';
import { visibleText } from '../../shared/text/visible-text.ts';
import { sizeWords } from './fit-text.ts';

/** What one part of a result says to a model: a line of ours about it, and the server's own text. */
export interface TextBlock {
  readonly head: string;
  readonly text: string;
}

/**
 * The server's words, block by block: its parts, then the structured content unless the text says the same (H-41, F-126). Of an error only the first
 * text, if there is one.
 */
export function bodyBlocks(result: ToolResult, isError: boolean): readonly TextBlock[] {
  if (isError) {
    const first = firstText(result.parts);
    if (first) return [{ head: '', text: first.text }];
  }
  const parts = result.cut ? result.parts.slice(0, result.cut.told) : result.parts;
  const structured = structuredText(result);
  return [...parts.map(blockOf), { head: '', text: structured }].flatMap((block) => (block && `${block.head}${block.text}`.trim() !== '' ? [block] : []));
}

export const firstText = (parts: readonly ResultPart[]) => parts.find((part) => part.type === 'text' && part.text.trim() !== '') as Extract<ResultPart, { type: 'text' }> | undefined; // the type was just compared

const structuredText = ({ structured }: ToolResult): string => (structured === undefined ? '' : (structured.preview ?? ('json' in structured ? structured.json : '')));

/** `undefined` for an image: it is looked at, not read. */
export function blockOf(part: ResultPart): TextBlock | undefined {
  switch (part.type) {
    case 'text':
      return { head: '', text: part.text };
    case 'resource-text':
      return { head: `[${oneLine(part.uri)}]${part.text === '' ? '' : '\n'}`, text: part.text };
    case 'image':
      return undefined;
    case 'audio':
      return { head: `[Audio, ${kept(part.ref)}]`, text: '' };
    case 'blob':
      return { head: `[${oneLine(part.uri)}: ${kept(part.ref)}]`, text: '' };
    case 'resource-link':
      return { head: `[Resource ${part.name === '' ? '' : `“${oneLine(part.name)}” `}${oneLine(part.uri)}]`, text: '' };
    case 'unknown':
      return { head: '', text: part.json };
    case 'unsaved':
      return { head: `[${{ image: 'Image', audio: 'Audio', blob: part.uri === undefined ? 'File' : oneLine(part.uri) }[part.was]}, ${part.mimeType}: it arrived and could not be saved, ${part.why}]`, text: '' };
  }
}

/** How kept bytes are announced (F-121). */
export const kept = (ref: ContentRef): string => `${ref.mimeType}, ${sizeWords(ref.bytes)}, kept for the person as ${ref.id}`;

/** What must be seen however little room there is (F-205): what is wrong with it, and where the whole of it is. */
export function tailLines({ schemaMismatch, expected, cut, reference, unsaved }: Pick<ToolResult, 'schemaMismatch' | 'expected' | 'cut' | 'reference' | 'unsaved'>): readonly string[] {
  return [
    ...(schemaMismatch === undefined ? [] : [`[The result does not fit the tool's own output schema: ${schemaMismatch}]`]),
    ...(expected === undefined ? [] : [expected]),
    ...notice(cut, reference, unsaved),
  ];
}

function notice(cut: ToolResult['cut'], reference: ContentRef | undefined, unsaved: string | undefined): readonly string[] {
  const size = cut && `Only the beginning is shown; the whole is ${cut.lines.toLocaleString('en-US')} ${cut.lines === 1 ? 'line' : 'lines'}, ${sizeWords(cut.bytes)}.`;
  if (reference) return [`[${size === undefined ? 'The whole result is kept:' : `${size} It is kept:`} read it with mcp, action "read-result", ref "${reference.id}"]`];
  if (unsaved !== undefined) return [`[${size === undefined ? 'The whole result could not be saved:' : `${size} It could not be saved:`} ${unsaved}]`];
  return size === undefined ? [] : [`[${size}]`];
}

/** A server's name for something, within a line of ours: it cannot begin a line of its own. */
function oneLine(text: string): string {
  const line = visibleText(text.slice(0, 1_000)).replaceAll(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
