import { Braces } from 'lucide-react';
import { useMemo } from 'react';
import type { ResultPart, ToolResult, Truncated } from '../../../shared/model/content.ts';
import { api } from '../../bridge/api.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { hasInvisible } from '../../../shared/text/visible-text.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Table, tableOf } from '../../ui/table.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { AudioPart, BlobPart, ImagePart, LinkPart } from './media-parts.tsx';
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
      {structured && 'ref' in structured && structured.ref ? <WholeText reference={structured.ref} label="Structured result" /> : null}
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
      return <p className="text-list text-ink-2">{part.mimeType} arrived and could not be saved: {part.why}.</p>;
    case 'unknown':
      return <CodeBlock code={part.json} language="json" onCopy={(text) => api.shell.copy({ text })} />;
  }
}

function TextPart({ text, truncated, mimeType, uri }: {
  readonly text: string;
  readonly truncated?: Truncated | undefined;
  readonly mimeType?: string | undefined;
  readonly uri?: string | undefined;
}) {
  const kind = textKind(text, { mimeType, uri });
  if (text === '') return <p className="text-list text-ink-3">Empty text.</p>;
  return (
    <div className="flex flex-col gap-2">
      {kind.kind === 'json' ? <Value value={kind.value} /> : null}
      {kind.kind === 'code' && !hasInvisible(text) ? <CodeBlock code={text} language={kind.language} onCopy={(copied) => api.shell.copy({ text: copied })} /> : null}
      {kind.kind === 'text' || (kind.kind === 'code' && hasInvisible(text)) ? <LongText text={text} {...(truncated ? { allLabel: 'Show this part' } : {})} /> : null}
      {truncated?.ref ? <WholeText reference={truncated.ref} lines={truncated.lines} label="This is the beginning" /> : null}
    </div>
  );
}

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
