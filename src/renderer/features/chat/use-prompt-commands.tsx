import clsx from 'clsx';
import { X } from 'lucide-react';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { PromptAnswer, PromptCommand } from '../../../shared/model/prompt-command.ts';
import { argumentAtEnd } from '../../../shared/text/prompt-words.ts';
import { api } from '../../bridge/api.ts';
import { useCompletion } from '../../bridge/completed-input.tsx';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useAsked, useRequest } from '../../bridge/request-state.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { VisibleText } from '../../ui/visible-text.tsx';
import { promptIn, promptsFor, usageOf, withArgument } from './prompt-commands.ts';
import { optionId } from './tool-cards.tsx';

export interface PromptCommands {
  /** The text is a prompt's command: it is not sent as it stands. */
  readonly active: boolean;
  readonly view: ReactNode;
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly activeId: string | undefined;
  /** Those that fit what is typed, for the list of commands. */
  readonly offered: readonly PromptCommand[];
  readonly choose: (command: PromptCommand) => void;
}
type Said = Exclude<PromptAnswer, { readonly kind: 'message' }> | { readonly kind: 'no-model' };
const nothing: readonly PromptCommand[] = [];
const most = 8;

/** `/mcp__server__prompt …` in the composer: its arguments with what the server suggests, and what becomes of it (F-145 to F-147). */
export function usePromptCommands({ text, setText, listId, chatId, hasModel, onMessage }: {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly listId: string;
  readonly chatId: ChatId | undefined;
  readonly hasModel: boolean;
  readonly onMessage: (message: PromptAnswer & { readonly kind: 'message' }) => Promise<void>;
}): PromptCommands {
  const revision = useApp((state) => state.catalogRevision) ?? 0;
  const slashed = text.startsWith('/');
  const asked = useAsked(slashed ? `${revision}` : '', (signal) => (slashed ? api.prompts.commands({}, signal) : Promise.resolve(nothing)));
  const prompts = slashed && asked.phase === 'ready' ? asked.value : nothing;
  const typed = promptIn(text, prompts);
  const argument = typed && argumentAtEnd(typed.typed, typed.found.prompt);
  const suggestions = useCompletion(typed && argument ? { serverId: typed.found.serverId, of: { prompt: typed.found.prompt.name }, argument: argument.name, value: argument.value, others: {} } : undefined)
    .filter((value) => value !== argument?.value)
    .slice(0, most);
  const [marked, setMarked] = useState(-1);
  const [said, setSaid] = useState<Said>();
  const request = useRequest();
  const at = marked < suggestions.length ? marked : -1;

  const run = (command: string) => {
    setSaid(undefined);
    if (!hasModel) return setSaid({ kind: 'no-model' });
    return request.run(async () => {
      const answer = await api.prompts.run({ text: command, ...(chatId === undefined ? {} : { chatId }) });
      if (answer.kind === 'message') await onMessage(answer);
      else setSaid(answer);
    });
  };
  const choose = (command: PromptCommand) => {
    setText(`${command.command}${command.prompt.arguments.length > 0 ? ' ' : ''}`);
    if (command.prompt.arguments.length === 0) run(command.command);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === 'Escape' && said !== undefined) {
      event.preventDefault();
      setSaid(undefined);
      return true;
    }
    if (!typed) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const value = suggestions[at] ?? (event.key === 'Tab' ? suggestions[0] : undefined);
    if (step !== undefined && suggestions.length > 0) setMarked((at + step + suggestions.length + (at < 0 && step < 0 ? 1 : 0)) % suggestions.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && value !== undefined) {
      setText(withArgument(text, typed, value));
      setMarked(-1);
    } else if (event.key === 'Enter' && !event.shiftKey) run(text);
    else return false;
    event.preventDefault();
    return true;
  };
  const close = () => setSaid(undefined);
  const view =
    request.state.phase === 'failed' ? <div className="mb-2"><FailureNote error={request.state.error} compact context={{ server: typed?.found.serverName ?? '' }} onRetry={typed ? () => run(text) : undefined} /></div>
    : said ? <SaidBox said={said} onClose={close} />
    : typed ? <Typing typed={typed.found} argument={argument?.name} busy={request.state.phase === 'sending'} suggestions={suggestions} marked={at} listId={listId} onMark={setMarked} onTake={(value) => setText(withArgument(text, typed, value))} />
    : null;
  return { active: typed !== undefined, view, onKey, activeId: typed && at >= 0 ? optionId(listId, at) : undefined, offered: typed ? nothing : promptsFor(text, prompts), choose };
}

const box = 'absolute inset-x-0 bottom-full z-10 mb-2 max-h-[46vh] animate-appear overflow-y-auto rounded-card border border-line bg-card shadow-floating';

function Typing({ typed, argument, busy, suggestions, marked, listId, onMark, onTake }: {
  readonly typed: PromptCommand;
  readonly argument: string | undefined;
  readonly busy: boolean;
  readonly suggestions: readonly string[];
  readonly marked: number;
  readonly listId: string;
  readonly onMark: (index: number) => void;
  readonly onTake: (value: string) => void;
}) {
  const about = typed.prompt.arguments.find(({ name }) => name === argument);
  return (
    <section aria-label="Prompt" className={box}>
      <div className="px-4 py-2.5 text-list">
        <p className="flex items-baseline gap-2"><span className="min-w-0 font-[550] text-ink"><VisibleText text={typed.prompt.title ?? typed.prompt.name} /></span><span className="text-detail text-ink-3"><VisibleText text={typed.serverName} /></span>{busy ? <Spinner /> : null}</p>
        {typed.prompt.description === undefined ? null : <p className="text-detail text-ink-2"><VisibleText text={typed.prompt.description} /></p>}
        <p className="mt-1 font-code text-detail break-all text-ink-3"><VisibleText text={usageOf(typed)} /></p>
        {about ? <p className="mt-1 text-detail text-ink-2"><span className="font-code text-ink"><VisibleText text={about.name} /></span>{about.required ? ' (required)' : ''}{about.description === undefined ? null : <>: <VisibleText text={about.description} /></>}</p> : null}
      </div>
      {suggestions.length > 0 ? (
        <ul id={listId} role="listbox" aria-label={`Suggestions for ${argument ?? 'it'}`} className="border-t border-line p-1">
          {suggestions.map((value, index) => (
            <li key={value} id={optionId(listId, index)} role="option" aria-selected={index === marked} onMouseMove={() => onMark(index)} onClick={() => onTake(value)} className={clsx('truncate rounded-control px-3 py-1.5 text-list text-ink', index === marked && 'bg-hover')}>
              <VisibleText text={value} />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

function SaidBox({ said, onClose }: { readonly said: Said; readonly onClose: () => void }) {
  return (
    <section role="status" aria-label="About the prompt" className={`${box} flex items-start gap-3 px-4 py-3 text-list`}>
      <div className="min-w-0 flex-1">
        {said.kind === 'no-model' ? <p className="text-ink">A prompt is a message to a model. Choose a model below first.</p> : null}
        {said.kind === 'empty' ? <p className="text-ask">The prompt “<VisibleText text={said.prompt} />” of “<VisibleText text={said.serverName} />” came back empty. Nothing was sent.</p> : null}
        {said.kind === 'usage' ? (
          <>
            <p className="text-ink">{said.problem ?? (said.missing.length === 1 ? 'An argument is missing:' : 'Arguments are missing:')} <span className="font-code"><VisibleText text={said.missing.join(', ')} /></span></p>
            <p className="mt-1 font-code text-detail break-all text-ink-2"><VisibleText text={said.usage} /></p>
            <p className="mt-1 text-detail text-ink-3">In this order, or as name=value. Quotes hold words together.</p>
          </>
        ) : null}
      </div>
      <IconButton name="Close" size="s" icon={<X size={16} aria-hidden />} onClick={onClose} />
    </section>
  );
}
