import { useState } from 'react';
import type { ContentRef, ResultPart } from '../../../shared/model/content.ts';
import { hasInvisible } from '../../../shared/text/visible-text.ts';
import { openLink } from '../../bridge/open-link.tsx';
import { copyText } from '../../bridge/tool-detail.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { bytesText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';

/** A part of what a server gave to read, as what it is. It is data: its markup loads nothing and its links ask first. */
export function ContentPart({ part }: { readonly part: ResultPart }) {
  switch (part.type) {
    case 'text':
    case 'resource-text':
      return <TextContent text={part.text} mimeType={part.type === 'resource-text' ? part.mimeType : undefined} cut={part.truncated !== undefined} />;
    case 'image':
      return <Picture reference={part.ref} />;
    case 'audio':
      return <audio controls preload="metadata" src={`content://${part.ref.id}`} aria-label={`Sound, ${part.ref.mimeType}`} className="h-9 w-full max-w-96" />;
    case 'blob':
      return /^image\/(?!svg)/i.test(part.ref.mimeType) ? <Picture reference={part.ref} /> : <p className="text-list text-ink-2">A file that is not shown here: {part.ref.mimeType}, {bytesText(part.ref.bytes)}.</p>;
    case 'resource-link':
      return <p className="font-code text-code break-all text-ink-2"><VisibleText text={part.uri} /></p>;
    case 'unsaved':
      return <p className="text-list text-ask">It arrived and could not be saved, because {part.why}.</p>;
    case 'unknown':
      return <Plain text={part.json} />;
  }
}

function TextContent({ text, mimeType = '', cut }: { readonly text: string; readonly mimeType: string | undefined; readonly cut: boolean }) {
  if (text === '') return <p className="text-list text-ink-3">Empty text.</p>;
  const json = /\bjson\b/i.test(mimeType) ? jsonOf(text) : undefined;
  return (
    <div tabIndex={0} role="region" aria-label="Content" className="max-h-112 min-w-0 overflow-auto rounded-control border border-line bg-card px-3 py-2 select-text">
      {json !== undefined ? <JsonTree value={json} /> : /^text\/(x-)?markdown\b/i.test(mimeType) && !hasInvisible(text) ? <MarkdownText text={text} /> : <Plain text={text} />}
      {cut ? <p className="mt-2 text-detail text-ink-3">This is the beginning. Save it to have the whole.</p> : null}
    </div>
  );
}

/** Its frontmatter stays what it is: as Markdown it would be a heading. */
function MarkdownText({ text }: { readonly text: string }) {
  const front = /^---[ \t]*\r?\n(?=[\w-]+:)[\s\S]*?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[0] ?? '';
  return (
    <>
      {front === '' ? null : <div className="mb-3 border-b border-line pb-2"><Plain text={front.trimEnd()} /></div>}
      <Markdown text={text.slice(front.length)} onOpenLink={openLink} onCopy={copyText} />
    </>
  );
}

const Plain = ({ text }: { readonly text: string }) => <p className="font-code text-code break-words whitespace-pre-wrap text-ink"><VisibleText text={text} /></p>;

function jsonOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // it is called JSON and is shown as text
  }
}

function Picture({ reference }: { readonly reference: ContentRef }) {
  const [broken, setBroken] = useState(false);
  if (broken) return <p className="text-list text-ink-2">A picture that cannot be shown here.</p>;
  return <img src={`content://${reference.id}`} alt={`${reference.mimeType}, ${bytesText(reference.bytes)}`} onError={() => setBroken(true)} className="max-h-80 max-w-full self-start rounded-control border border-line bg-card object-contain" />;
}
