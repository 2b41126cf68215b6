import { ChevronRight } from 'lucide-react';
import { memo, useState } from 'react';
import type { ChatItem } from '../../../shared/state/chat-state.ts';
import { api } from '../../bridge/api.ts';
import { openLink } from '../../bridge/open-link.tsx';
import { CopyButton } from '../../ui/code-block.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { clockText, countText } from '../../ui/time.ts';
import { AttachmentChips } from './attachment-chips.tsx';
import { finishWords } from './transcript-rows.ts';

const copy = (text: string): Promise<void> => api.shell.copy({ text });

export const UserMessage = memo(function UserMessage({ item }: { readonly item: Extract<ChatItem, { readonly kind: 'user' }> }) {
  return (
    <div className="group/message flex items-end justify-end gap-1.5">
      <span className="flex flex-col items-end pb-1 opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100"><CopyButton text={item.text} onCopy={copy} name="Copy message" /></span>
      <div title={clockText(item.at)} className="max-w-[78%] rounded-bubble rounded-br-[4px] bg-accent-soft px-4 py-2">
        <h2 className="sr-only">You</h2>
        {item.text === '' ? null : <LongText text={item.text} code={false} lines={20} characters={3000} />}
        {item.attachments ? <div className={item.text === '' ? '' : 'mt-2'}><AttachmentChips attachments={item.attachments} /></div> : null}
      </div>
    </div>
  );
});

export const AnswerMessage = memo(function AnswerMessage({ item, streaming }: { readonly item: Extract<ChatItem, { readonly kind: 'assistant' }>; readonly streaming: boolean }) {
  const finish = finishWords(item.finish);
  return (
    <div className="group/message relative">
      <h2 className="sr-only">{item.model.model}</h2>
      {item.reasoning.trim() === '' ? null : <Reasoning text={item.reasoning} streaming={streaming && item.text === ''} />}
      {item.text === '' ? null : <Markdown text={item.text} streaming={streaming} onOpenLink={openLink} onCopy={copy} />}
      {finish ? <p className="mt-2 text-list text-ask">{finish}</p> : null}
      <SetAside tools={item.toolsSetAside} />
      {item.text === '' || streaming ? null : (
        <span className="absolute -bottom-6 left-0 z-1 flex items-center gap-1 rounded-control bg-pane pr-1 text-detail text-ink-3 opacity-0 transition-opacity group-focus-within/message:opacity-100 group-hover/message:opacity-100">
          <CopyButton text={item.text} onCopy={copy} name="Copy answer" />{clockText(item.at)} · {item.model.model}
        </span>
      )}
    </div>
  );
});

function Reasoning({ text, streaming }: { readonly text: string; readonly streaming: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="mb-2">
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className="flex items-center gap-1 rounded-control text-list text-ink-3 hover:text-ink-2">
        <ChevronRight size={14} className={open ? 'rotate-90 transition-transform' : 'transition-transform'} aria-hidden />
        <span className={streaming ? 'animate-breathe' : undefined}>{streaming ? 'Thinking' : 'Thought'}</span>
        <span className="text-detail">{countText(text.trim().split(/\s+/).length, 'word')}</span>
      </button>
      {open ? <div className="mt-1.5 ml-1.5 border-l-2 border-line pl-3 text-list break-words whitespace-pre-wrap text-ink-2 select-text">{text.trim()}</div> : null}
    </div>
  );
}

function SetAside({ tools }: { readonly tools: readonly { readonly name: string; readonly reason: string }[] }) {
  if (tools.length === 0) return null;
  return (
    <details className="mt-2 text-detail text-ink-3">
      <summary className="w-fit rounded-control hover:text-ink-2">{countText(tools.length, 'tool')} could not be offered to this model</summary>
      <ul className="mt-1 space-y-0.5 pl-3">{tools.map((tool) => <li key={tool.name}><span className="font-code text-ink-2">{tool.name}</span>: {tool.reason}</li>)}</ul>
    </details>
  );
}
