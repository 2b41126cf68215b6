import { MessageSquareText } from 'lucide-react';
import { useState } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import type { CatalogPrompt, ServerCatalog } from '../../../shared/model/catalog.ts';
import type { PromptAnswer } from '../../../shared/model/prompt-command.ts';
import { api } from '../../bridge/api.ts';
import { ArgumentForm } from '../../bridge/argument-form.tsx';
import { addAttachments, setDraft } from '../../bridge/drafts.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { go } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { ContentPart } from './content-part.tsx';
import { fitsWords, searchFrom } from './fits-words.ts';

/** What a server has prepared for models: each can be filled in, looked at, and used in a chat. */
export function PromptsTab({ catalog, scroller }: { readonly catalog: ServerCatalog; readonly scroller: HTMLElement | null }) {
  const { prompts, serverId, serverName } = catalog;
  const [text, setText] = useState('');
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const shown = prompts.filter((one) => fitsWords(text, one.name, one.title, one.description));
  const toggle = (name: string) => setOpen((before) => (before.has(name) ? new Set([...before].filter((one) => one !== name)) : new Set(before).add(name)));
  if (prompts.length === 0) {
    return <EmptyState icon={<MessageSquareText strokeWidth={1.5} />} title="No prompts">This server offers no prepared prompts.</EmptyState>;
  }
  return (
    <div className="flex flex-col gap-3">
      {prompts.length < searchFrom ? null : <SearchField name="Find a prompt" value={text} onChange={setText} className="w-72 max-w-full" />}
      {shown.length === 0 ? <p className="py-4 text-list text-ink-3">No prompt has these words.</p> : null}
      <VirtualList
        within={scroller} name="Prompts" items={shown} keyOf={(prompt) => prompt.name} estimate={64}
        renderItem={(prompt) => <PromptRow prompt={prompt} serverId={serverId} serverName={serverName} open={open.has(prompt.name)} onToggle={() => toggle(prompt.name)} />}
      />
    </div>
  );
}

function PromptRow({ prompt, serverId, serverName, open, onToggle }: {
  readonly prompt: CatalogPrompt;
  readonly serverId: ServerId;
  readonly serverName: string;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const name = prompt.title ?? prompt.name;
  return (
    <div className="border-b border-line py-2.5">
      <div className="flex min-w-0 items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-baseline gap-2 text-list">
            <span className="truncate font-[550] text-ink"><VisibleText text={name} /></span>
            {prompt.title ? <code className="truncate text-detail text-ink-3"><VisibleText text={prompt.name} /></code> : null}
          </p>
          {prompt.description ? <LongText text={prompt.description} code={false} lines={3} characters={300} className="text-list text-ink-2" /> : null}
          {prompt.arguments.length > 0 && !open ? <ArgumentList prompt={prompt} /> : null}
        </div>
        <Button size="s" aria-expanded={open} aria-label={open ? `Close ${name}` : `Use ${name}`} onClick={onToggle}>{open ? 'Close' : 'Use'}</Button>
      </div>
      {open ? <PromptUse prompt={prompt} serverId={serverId} serverName={serverName} /> : null}
    </div>
  );
}

const ArgumentList = ({ prompt }: { readonly prompt: CatalogPrompt }) => (
  <dl className="mt-1.5 flex flex-col gap-1 border-l border-line-strong pl-3">
    {prompt.arguments.map((argument) => (
      <div key={argument.name} className="flex min-w-0 flex-wrap items-baseline gap-x-2 text-list">
        <dt className="font-code text-code font-semibold break-all text-ink"><VisibleText text={argument.name} /></dt>
        <dd className="min-w-0 text-ink-2">
          {argument.required ? <span className="text-detail font-[550] text-accent">required </span> : null}
          {argument.description ? <VisibleText text={argument.description} /> : null}
        </dd>
      </div>
    ))}
  </dl>
);

function PromptUse({ prompt, serverId, serverName }: { readonly prompt: CatalogPrompt; readonly serverId: ServerId; readonly serverName: string }) {
  const [answer, setAnswer] = useState<PromptAnswer>();
  const request = useRequest();
  const get = (args: Readonly<Record<string, string>>) => request.run(async () => setAnswer(await api.prompts.get({ serverId, prompt: prompt.name, args: { ...args } })));
  const use = (message: PromptAnswer & { readonly kind: 'message' }) => {
    setDraft('new', message.text);
    addAttachments('new', message.attachments);
    go({ page: 'chat' });
  };
  return (
    <div className="mt-2.5 flex flex-col gap-3 rounded-card border border-line bg-sunken p-3">
      <ArgumentForm
        serverId={serverId} of={{ prompt: prompt.name }} args={prompt.arguments} submit="Show the message" busy={request.state.phase === 'sending'} onSubmit={get}
        extra={answer?.kind === 'message' ? <Button onClick={() => use(answer)}>Use in a new chat</Button> : null}
      />
      {request.state.phase === 'failed' ? <FailureNote error={request.state.error} compact context={{ server: serverName }} /> : null}
      <div role="status" className="flex flex-col gap-2 empty:hidden">
        {answer?.kind === 'empty' ? <p className="text-list text-ask">It came back empty.</p> : null}
        {answer?.kind === 'usage' ? <p className="text-list text-ask">Missing: {answer.missing.join(', ')}</p> : null}
        {answer?.kind === 'message' ? (
          <>
            <div tabIndex={0} role="region" aria-label="Message" className="max-h-112 overflow-auto rounded-control border border-line bg-card px-3 py-2 text-list break-words whitespace-pre-wrap text-ink select-text"><VisibleText text={answer.text} /></div>
            {answer.attachments.map((attachment, index) => (
              <div key={index} className="flex flex-col gap-1"><p className="text-detail text-ink-3">Attached: <VisibleText text={attachment.name} /></p>{attachment.result.parts.map((part, at) => <ContentPart key={at} part={part} />)}</div>
            ))}
          </>
        ) : null}
      </div>
    </div>
  );
}
