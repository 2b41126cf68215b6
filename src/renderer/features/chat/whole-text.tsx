import { useState } from 'react';
import type { ContentRef } from '../../../shared/model/content.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { bytesText, countText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { SaveContent } from './save-content.tsx';

/** What is read into the window at once: 1 MiB of text is thousands of pages. */
const most = 1_048_576;

/** A text that is kept outside of the chat's state, read when asked for. */
export function WholeText({ reference, lines, label, name }: { readonly reference: ContentRef; readonly lines?: number; readonly label: string; readonly name: string }) {
  const [text, setText] = useState<string>();
  const { state, run } = useRequest();
  const size = [lines === undefined ? '' : countText(lines, 'line'), bytesText(reference.bytes)].filter(Boolean).join(', ');
  const load = () => run(async () => {
    const { base64 } = await api.contents.read({ id: reference.id, limit: most });
    setText(new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))));
  });
  if (text !== undefined) {
    return (
      <div className="flex flex-col gap-1">
        <pre tabIndex={0} aria-label="The whole text" className="max-h-112 overflow-auto rounded-card border border-line bg-sunken px-3 py-2 font-code text-code break-words whitespace-pre-wrap select-text"><VisibleText text={text} /></pre>
        <p className="flex items-center gap-1.5 text-detail text-ink-3">{reference.bytes > most ? `The first ${bytesText(most)} of ${bytesText(reference.bytes)}.` : `All of it: ${size}.`}<SaveContent reference={reference} source={name} /></p>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-2 text-detail text-ink-3">{label}. <Button size="s" busy={state.phase === 'sending'} onClick={load}>Show all: {size}</Button></p>
      {state.phase === 'failed' && state.error.code === 'request/invalid' ? <p role="alert" className="text-detail text-ink-2">It is not kept any more: its time was over.</p> : null}
      {state.phase === 'failed' && state.error.code !== 'request/invalid' ? <FailureNote error={state.error} compact onRetry={load} /> : null}
    </div>
  );
}
