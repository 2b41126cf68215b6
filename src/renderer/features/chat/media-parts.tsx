import { File, FileText, ImageOff, Link2 } from 'lucide-react';
import { useContext, useState } from 'react';
import type { ContentRef, ResultPart } from '../../../shared/model/content.ts';
import { api } from '../../bridge/api.ts';
import { openLink } from '../../bridge/open-link.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { bytesText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { LinkReading } from './link-reading.ts';
import { SaveContent } from './save-content.tsx';

const addressOf = (reference: ContentRef): string => `content://${reference.id}`;
const copy = (text: string): Promise<void> => api.shell.copy({ text });

/** An image that a tool returned, from the app's own store. Its box has a height before it is here. */
export function ImagePart({ reference }: { readonly reference: ContentRef }) {
  const [state, setState] = useState<'loading' | 'here' | 'broken'>('loading');
  const [large, setLarge] = useState(false);
  const name = `Image, ${reference.mimeType}, ${bytesText(reference.bytes)}`;
  // SVG is a document that can hold script: it is a file here, never a picture.
  if (state === 'broken') return <Row icon={<ImageOff size={16} strokeWidth={1.75} />} title="An image that cannot be shown here" detail={sizeOf(reference)} saving={{ reference, source: 'image' }} />;
  return (
    <>
      <button type="button" aria-label={`${name}. Show it larger`} onClick={() => setLarge(true)} className="block w-fit max-w-full overflow-hidden rounded-card border border-line bg-sunken">
        <img src={addressOf(reference)} alt={name} onLoad={() => setState('here')} onError={() => setState('broken')} className={state === 'loading' ? 'h-60 w-80 object-contain opacity-0' : 'max-h-80 max-w-full object-contain'} />
      </button>
      <Dialog open={large} onClose={() => setLarge(false)} title={name} wide>
        <img src={addressOf(reference)} alt={name} className="mx-auto max-h-[70vh] max-w-full object-contain" />
        <div className="mt-3 flex items-center justify-end gap-2"><SaveContent reference={reference} source="image" label="Save…" /></div>
      </Dialog>
    </>
  );
}

export const AudioPart = ({ reference }: { readonly reference: ContentRef }) => (
  <div className="flex flex-col gap-1">
    <audio controls preload="metadata" src={addressOf(reference)} aria-label={`Sound, ${reference.mimeType}`} className="h-9 w-full max-w-96" />
    <p className="flex items-center gap-1.5 text-detail text-ink-3">{sizeOf(reference)}<SaveContent reference={reference} source="sound" /></p>
  </div>
);

export const BlobPart = ({ uri, reference }: { readonly uri: string; readonly reference: ContentRef }) => (
  <Row icon={<File size={16} strokeWidth={1.75} />} title={lastPart(uri)} uri={uri} detail={sizeOf(reference)} saving={{ reference, source: uri }} />
);

const wasWords = { image: 'An image', audio: 'A sound', blob: 'A file' } as const;
export const UnsavedPart = ({ part }: { readonly part: Extract<ResultPart, { readonly type: 'unsaved' }> }) => (
  <ErrorNote compact tone="ask" what={`${wasWords[part.was]} arrived and could not be saved.`} means={<>Because {part.why}. {part.uri === undefined ? null : <span className="font-code"><VisibleText text={part.uri} /></span>} {part.mimeType}</>} />
);

const sizeOf = (reference: ContentRef): string => `${reference.mimeType} · ${bytesText(reference.bytes)}`;

export function LinkPart({ link }: { readonly link: Extract<ResultPart, { readonly type: 'resource-link' }> }) {
  const read = useContext(LinkReading);
  return <Row icon={<FileText size={16} strokeWidth={1.75} />} title={link.title ?? (link.name || lastPart(link.uri))} uri={link.uri} detail={[link.description, link.mimeType].filter(Boolean).join(' · ')} {...(read ? { onRead: () => read(link) } : {})} />;
}

const lastPart = (uri: string): string => uri.split('/').findLast((part) => part !== '') ?? uri;

/** A thing that the server points to or gave: what it is, where it is, how to get it. */
function Row({ icon, title, uri, detail, saving, onRead }: {
  readonly icon: React.ReactNode;
  readonly title: string;
  readonly uri?: string;
  readonly detail: string;
  readonly saving?: { readonly reference: ContentRef; readonly source: string };
  readonly onRead?: () => void;
}) {
  const isWeb = uri !== undefined && /^https?:\/\//i.test(uri);
  return (
    <div className="flex min-w-0 items-center gap-2.5 rounded-card border border-line bg-card px-3 py-2">
      <span className="shrink-0 text-ink-3" aria-hidden>{icon}</span>
      <div className="min-w-0 flex-1">
        <p className="truncate text-list font-[550] text-ink"><VisibleText text={title} /></p>
        <p className="truncate text-detail text-ink-3">{uri === undefined ? null : <span className="font-code"><VisibleText text={uri} /></span>}{uri !== undefined && detail ? ' · ' : null}{detail ? <VisibleText text={detail} /> : null}</p>
      </div>
      {onRead ? <Button size="s" aria-label={`Read ${title}`} onClick={onRead}>Read</Button> : null}
      {isWeb ? <button type="button" aria-label={`Open ${title}`} onClick={() => openLink(uri)} className="inline-flex size-6 items-center justify-center rounded-control text-ink-2 hover:bg-hover"><Link2 size={14} aria-hidden /></button> : null}
      {saving ? <SaveContent reference={saving.reference} source={saving.source} /> : null}
      {uri === undefined ? null : <CopyButton text={uri} onCopy={copy} name="Copy address" />}
    </div>
  );
}
