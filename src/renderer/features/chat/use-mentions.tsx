import clsx from 'clsx';
import { X } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { ResourceLine } from '../../../shared/model/resource-line.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked } from '../../bridge/request-state.ts';
import { TemplateForm } from '../../bridge/template-form.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { bytesText } from '../../ui/time.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import { mentioned } from './mentioned.ts';
import { optionId } from './tool-cards.tsx';
import type { Wanted } from './use-attaching.tsx';

export interface Mentions {
  readonly view: ReactNode;
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly activeId: string | undefined;
}
const box = 'absolute inset-x-0 bottom-full z-10 mb-2 max-h-[46vh] animate-appear overflow-y-auto rounded-card border border-line bg-card shadow-floating';
const most = 30;

/** `@` in a message finds what servers offer to read. Choosing attaches it; a template asks for its variables first. */
export function useMentions({ text, setText, listId, enabled, onAttach, onDone }: {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly listId: string;
  readonly enabled: boolean;
  readonly onAttach: (wanted: Wanted) => void;
  /** The form of a template is closed: the message is gone on with. */
  readonly onDone: () => void;
}): Mentions {
  const revision = useApp((state) => state.catalogRevision) ?? 0;
  const [marked, setMarked] = useState(0);
  const [dismissed, setDismissed] = useState<string>();
  const [template, setTemplate] = useState<ResourceLine>();
  const mention = enabled && template === undefined ? mentioned(text) : undefined;
  const wanted = mention && dismissed !== mention.rest ? mention : undefined;
  const asked = useAsked(wanted ? `${revision} ${wanted.query}` : '', (signal) => (wanted ? api.resources.find({ text: wanted.query, limit: most }, signal) : Promise.resolve({ lines: [], total: 0 })));
  const found = wanted && asked.phase === 'ready' ? asked.value : undefined;
  const lines = found?.lines ?? [];
  const at = Math.min(marked, Math.max(0, lines.length - 1));
  // An `@` that no resource fits is a word like any other.
  const open = wanted !== undefined && (lines.length > 0 || wanted.query === '');

  const choose = (line: ResourceLine) => {
    setMarked(0);
    setText(wanted?.rest ?? text);
    if (line.template) setTemplate(line);
    else onAttach({ ...line, name: line.title ?? line.name });
  };
  const closeTemplate = () => {
    setTemplate(undefined);
    onDone();
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (!open || !wanted) return false;
    const line = lines[at];
    const step = { ArrowDown: 1, ArrowUp: lines.length - 1 }[event.key];
    if (step !== undefined && line) setMarked((at + step) % lines.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && line) choose(line);
    else if (event.key === 'Escape') setDismissed(wanted.rest);
    else return false;
    event.preventDefault();
    return true;
  };
  const view = template ? (
    <TemplateBox line={template} onClose={closeTemplate} onAttach={(one) => { closeTemplate(); onAttach(one); }} />
  ) : !open ? null : (
    <div className={box}>
      {asked.phase === 'failed' ? <div className="p-2"><FailureNote error={asked.error} compact onRetry={asked.again} /></div> : null}
      {found && lines.length === 0 ? <p className="px-4 py-3 text-list text-ink-2">No server that was seen offers anything to read.</p> : null}
      <ul id={listId} role="listbox" aria-label="Resources" className="p-1">
        {lines.map((line, index) => (
          <li
            key={`${line.serverId} ${line.template} ${line.uri}`} id={optionId(listId, index)} role="option" aria-selected={index === at} onMouseMove={() => setMarked(index)} onClick={() => choose(line)}
            className={clsx('flex min-w-0 items-baseline gap-3 rounded-control px-3 py-1.5', index === at && 'bg-hover')}
          >
            <span className="min-w-0 flex-1">
              <span className="flex min-w-0 items-baseline gap-2 text-list"><span className="min-w-0 truncate font-[550] text-ink"><VisibleText text={line.title ?? line.name} /></span>{line.template ? <Badge>Template</Badge> : null}</span>
              <span className="block truncate font-code text-detail text-ink-2"><VisibleText text={line.uri} /></span>
            </span>
            <span className="shrink-0 text-right text-detail text-ink-2">
              <span className="block"><VisibleText text={line.serverName} />{line.cached ? ', as last seen' : ''}</span>
              <span className="block">{[line.mimeType, line.size === undefined ? undefined : bytesText(line.size)].filter(Boolean).join(' · ')}</span>
            </span>
          </li>
        ))}
      </ul>
      {found && found.total > lines.length ? <p className="border-t border-line px-4 py-2 text-detail text-ink-3">And {found.total - lines.length} more: type a word of what you look for.</p> : null}
    </div>
  );
  return { view, onKey, activeId: open && lines.length > 0 ? optionId(listId, at) : undefined };
}

function TemplateBox({ line, onClose, onAttach }: { readonly line: ResourceLine; readonly onClose: () => void; readonly onAttach: (wanted: Wanted) => void }) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.querySelector('input')?.focus(), []);
  return (
    <section
      ref={section}       aria-label={`Attach ${line.title ?? line.name}`} className={`${box} overflow-visible p-4`}
      onKeyDown={(event) => { if (event.key === 'Escape') { event.preventDefault(); onClose(); } }}
    >
      <header className="mb-3 flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-list font-[550] text-ink"><VisibleText text={line.title ?? line.name} /> <span className="font-normal text-ink-3">of <VisibleText text={line.serverName} /></span></h2>
          {line.description === undefined ? null : <p className="text-detail text-ink-2"><VisibleText text={line.description} /></p>}
        </div>
        <IconButton name="Close" size="s" icon={<X size={16} aria-hidden />} onClick={onClose} />
      </header>
      <TemplateForm serverId={line.serverId} template={line.uri} submit="Attach" busy={false} onUri={(uri) => onAttach({ ...line, uri, name: line.title ?? line.name })} />
    </section>
  );
}
