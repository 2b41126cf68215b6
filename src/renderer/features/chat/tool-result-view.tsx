import { Braces, Scissors } from 'lucide-react';
import { useMemo } from 'react';
import type { ResultPart, ToolResult, Truncated } from '../../../shared/model/content.ts';
import { api } from '../../bridge/api.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { hasInvisible } from '../../../shared/text/visible-text.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { FoldedLines } from '../../ui/folded-lines.tsx';
import { Table, tableOf } from '../../ui/table.tsx';
import { bytesText, countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { AudioPart, BlobPart, ImagePart, LinkPart, UnsavedPart } from './media-parts.tsx';
import { SaveContent } from './save-content.tsx';
import { jsonOf, repeats, textKind } from './text-kind.ts';
import { WholeText } from './whole-text.tsx';

const nothingStructured = Symbol('no structured result');

/** A result as what it is: text, tables, trees, code, images, sound, links. */
export function ToolResultView({ result }: { readonly result: ToolResult }) {
  const { structured } = result;
  const value = useMemo((): unknown => {
    if (!structured || !('json' in structured)) return nothingStructured;
    const found: unknown = JSON.parse(structured.json); // the guard's own JSON.stringify
    return found;
  }, [structured]);
  const parts = value === nothingStructured ? result.parts : result.parts.filter((part) => !(part.type === 'text' && repeats(part.text, value)));
  if (parts.length === 0 && !structured) return <p className="text-list text-ink-3">The tool answered with nothing, which counts as done.</p>;
  return (
    <div className="flex flex-col gap-3">
      {result.schemaMismatch ? <ErrorNote compact tone="ask" what="The structured result does not fit the tool's own schema." means="It is shown as it came." detail={result.schemaMismatch} /> : null}
      {parts.map((part, index) => <PartView key={index} part={part} />)}
      {value === nothingStructured ? null : <Structured value={value} alone={parts.length === 0} />}
      {structured && 'ref' in structured && structured.ref ? <WholeText reference={structured.ref} label="Structured result" name="structured-result" /> : null}
      <Kept result={result} />
    </div>
  );
}

function PartView({ part }: { readonly part: ResultPart }) {
  switch (part.type) {
    case 'text':
      return <TextPart text={part.text} truncated={part.truncated} />;
    case 'resource-text':
      return (
        <div className="flex flex-col gap-1">
          <p className="font-code text-detail break-all text-ink-3"><VisibleText text={part.uri} /></p>
          <TextPart text={part.text} truncated={part.truncated} mimeType={part.mimeType} uri={part.uri} />
        </div>
      );
    case 'image':
      return <ImagePart reference={part.ref} />;
    case 'audio':
      return <AudioPart reference={part.ref} />;
    case 'blob':
      return <BlobPart uri={part.uri} reference={part.ref} />;
    case 'resource-link':
      return <LinkPart link={part} />;
    case 'unsaved':
      return <UnsavedPart part={part} />;
    case 'unknown':
      return <TextPart text={part.json} truncated={part.truncated} />;
  }
}

/** Text and code begin with three lines; data has rows and branches of its own to open. */
function TextPart({ text, truncated, mimeType, uri }: {
  readonly text: string;
  readonly truncated?: Truncated | undefined;
  readonly mimeType?: string | undefined;
  readonly uri?: string | undefined;
}) {
  const kind = textKind(text, { mimeType, uri });
  const whole = truncated ? <Rest truncated={truncated} beginning={text !== ''} name={uri ?? 'text'} /> : null;
  if (text === '') return whole ?? <p className="text-list text-ink-3">Empty text.</p>;
  if (kind.kind === 'json') return <div className="flex flex-col gap-2"><Value value={kind.value} />{whole}</div>;
  const coloured = kind.kind === 'code' && !hasInvisible(text);
  return (
    <FoldedLines text={text} {...(truncated ? { allLabel: 'Show this part' } : {})}>
      <div className="flex flex-col gap-2">
        {coloured
          ? <CodeBlock code={text} language={kind.language} onCopy={(copied) => api.shell.copy({ text: copied })} />
          : <div tabIndex={0} role="region" aria-label="Whole text" className="max-h-112 overflow-y-auto font-code text-code break-words whitespace-pre-wrap select-text"><VisibleText text={text} /></div>}
        {whole}
      </div>
    </FoldedLines>
  );
}

const Rest = ({ truncated, beginning, name }: { readonly truncated: Truncated; readonly beginning: boolean; readonly name: string }) =>
  truncated.ref
    ? <WholeText reference={truncated.ref} lines={truncated.lines} label={beginning ? 'This is the beginning' : 'Kept beside the chat'} name={name} />
    : <p className="text-detail text-ink-3">{beginning ? 'This is the beginning; the' : 'The'} whole, {countText(truncated.lines, 'line')} and {bytesText(truncated.bytes)}, could not be saved.</p>;

function Value({ value }: { readonly value: unknown }) {
  const table = tableOf(value);
  if (table) return <Table columns={table.columns} rows={table.rows} name="Result" />;
  return <div className="max-h-112 overflow-auto" tabIndex={0} role="group" aria-label="Result"><JsonTree value={value} /></div>;
}

/** Beside the text that the server wrote for people, it starts folded. */
function Structured({ value, alone }: { readonly value: unknown; readonly alone: boolean }) {
  const shown = typeof value === 'string' ? (jsonOf(value) ?? value) : value;
  if (alone) return <Value value={shown} />;
  return (
    <details className="group/data text-list">
      <summary className="flex w-fit items-center gap-1.5 rounded-control text-detail text-ink-2 hover:text-ink"><Braces size={12} aria-hidden />Structured result</summary>
      <div className="mt-2"><Value value={shown} /></div>
    </details>
  );
}

/** What a model does not see of a result, and where the whole of it is. */
function Kept({ result: { cut, reference, unsaved } }: { readonly result: ToolResult }) {
  if (unsaved !== undefined) return <ErrorNote compact tone="ask" what="The whole result could not be saved." means={`Because ${unsaved}. What is shown here is what there is.`} />;
  if (!cut || !reference) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-line pt-2.5 text-detail text-ink-2">
      <span className="min-w-0 flex-1 basis-64"><Scissors size={12} strokeWidth={1.75} aria-hidden className="mr-1.5 inline-block align-[-1px] text-ink-3" />A model is given the beginning. The whole, {countText(cut.lines, 'line')} and {bytesText(cut.bytes)}, is kept out of its context; it can read on when it needs to.</span>
      <SaveContent reference={reference} source="result" label="Save whole result…" />
    </p>
  );
}
