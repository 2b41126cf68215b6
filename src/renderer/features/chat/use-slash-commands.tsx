import clsx from 'clsx';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { beginSignIn } from '../../bridge/use-sign-in.ts';
import { VisibleText } from '../../ui/visible-text.tsx';
import type { PromptCommand } from '../../../shared/model/prompt-command.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { completionsOf, isSlashCommand, type Completion } from './slash-commands.ts';
import { ServerPrompts, ServerStates } from './slash-answers.tsx';
import { ServerSignIns, SignedOut } from './slash-sign-ins.tsx';
import type { PromptCommands } from './use-prompt-commands.tsx';
import { optionId } from './tool-cards.tsx';

type Answer = { readonly show: 'status' | 'prompts' | 'sign-ins' } | { readonly show: 'signed-out'; readonly server: string; readonly revoked: 'yes' | 'failed' | 'unsupported' };
type Offered = Completion | { readonly text: string; readonly label: string; readonly says: string; readonly prompt: PromptCommand };
const promptOffer = (prompt: PromptCommand): Offered => ({ text: `${prompt.command}${prompt.prompt.arguments.length > 0 ? ' ' : ''}`, label: prompt.command, says: visibleText(prompt.prompt.title ?? prompt.prompt.description ?? `A prompt of ${prompt.serverName}`), prompt });
export interface SlashCommands {
  /** The text is a command: nothing is searched and nothing is sent. */
  readonly active: boolean;
  /** Above the composer: the list, an answer, or what went wrong. */
  readonly view: ReactNode;
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly activeId: string | undefined;
}

/** `/mcp …` in the composer, for chats with a model and without (F-194). */
export function useSlashCommands(text: string, setText: (text: string) => void, listId: string, prompts: Pick<PromptCommands, 'offered' | 'choose'>): SlashCommands {
  const servers = useApp((state) => state.servers);
  const project = useApp((state) => state.settings.project);
  const [marked, setMarked] = useState(0);
  const [answer, setAnswer] = useState<Answer>();
  const [asked, setAsked] = useState<string>();
  const request = useRequest();
  const active = isSlashCommand(text) || prompts.offered.length > 0;
  const commands = completionsOf(text, Object.values(servers ?? {}));
  const completions: readonly Offered[] = [...commands, ...prompts.offered.map(promptOffer)];
  const at = Math.min(marked, Math.max(0, completions.length - 1));

  const idOf = (name: string) => Object.values(servers ?? {}).find(({ definition }) => definition.name === name)?.definition.id;
  const doIt = async ({ command, serverName }: Completion): Promise<void> => {
    switch (command.name) {
      case '':
        return go({ page: 'servers' });
      case 'setup':
        return go({ page: 'set-up' });
      case 'tools':
        return go({ page: 'tools' });
      case 'status':
      case 'prompts':
        return setAnswer({ show: command.name });
      case 'reconnect': {
        const all = Object.values(servers ?? {}).filter(({ definition, connection }) =>
          serverName === undefined ? definition.enabled && connection.phase !== 'stopped' : definition.name === serverName);
        await Promise.all(all.map(({ definition }) => api.servers.restart({ serverId: definition.id })));
        return setAnswer({ show: 'status' });
      }
      case 'disable':
      case 'enable':
        if (serverName === undefined) return undefined;
        await api.config.save({ scope: project === undefined ? 'global' : 'project', edits: [{ op: 'patch', name: serverName, fields: { enabled: command.name === 'enable' } }] });
        return setAnswer({ show: 'status' });
      case 'auth': {
        const id = serverName === undefined ? undefined : idOf(serverName);
        if (id) await beginSignIn(id);
        return setAnswer({ show: 'sign-ins' });
      }
      case 'logout': {
        const id = serverName === undefined ? undefined : idOf(serverName);
        if (id && serverName !== undefined) setAnswer({ show: 'signed-out', server: serverName, ...(await api.auth.signOut({ serverId: id })) });
        return;
      }
    }
  };
  const choose = (completion: Offered) => {
    setMarked(0);
    if ('prompt' in completion) return prompts.choose(completion.prompt);
    if (!completion.complete) return setText(completion.text);
    setAnswer(undefined);
    setAsked(completion.serverName);
    setText('');
    return request.run(() => doIt(completion));
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (!active && answer !== undefined && event.key === 'Escape') {
      event.preventDefault();
      setAnswer(undefined);
      return true;
    }
    if (!active) return false;
    const step = { ArrowDown: 1, ArrowUp: completions.length - 1 }[event.key];
    const completion = completions[at];
    if (step !== undefined && completion) setMarked((at + step) % completions.length);
    else if (event.key === 'Tab' && !event.shiftKey && completion) setText(completion.text);
    else if (event.key === 'Enter' && !event.shiftKey) {
      if (completion) choose(completion);
    } else if (event.key === 'Escape') setText('');
    else return false;
    event.preventDefault();
    return true;
  };

  const box = 'absolute inset-x-0 bottom-full z-10 mb-2 max-h-[46vh] animate-appear overflow-y-auto rounded-card border border-line bg-card shadow-floating';
  const view = active ? (
    <div className={box}>
      {completions.length === 0 ? <p className="px-4 py-3 text-list text-ink-2">There is no such command or server.</p> : null}
      <ul id={listId} role="listbox" aria-label="Commands" className="p-1">
        {completions.map((completion, index) => (
          <li
            key={completion.text} id={optionId(listId, index)} role="option" aria-selected={index === at} onMouseMove={() => setMarked(index)} onClick={() => choose(completion)}
            className={clsx('flex min-w-0 items-baseline gap-3 rounded-control px-3 py-2 text-list', index === at && 'bg-hover')}
          >
            <span className="max-w-2/3 min-w-0 shrink-0 truncate font-code text-ink"><VisibleText text={completion.label} /></span>
            <span className="min-w-0 flex-1 truncate text-detail text-ink-2">{completion.says}</span>
          </li>
        ))}
      </ul>
    </div>
  ) : request.state.phase === 'failed' ? (
    <div className="mb-2"><FailureNote error={request.state.error} compact onRetry={undefined} context={{ server: asked }} /></div>
  ) : answer === undefined ? null : (
    <div className={box}><SlashAnswer answer={answer} onClose={() => setAnswer(undefined)} onPrompt={prompts.choose} /></div>
  );
  return { active, view, onKey, activeId: active && completions.length > 0 ? optionId(listId, at) : undefined };
}

function SlashAnswer({ answer, onClose, onPrompt }: { readonly answer: Answer; readonly onClose: () => void; readonly onPrompt: (command: PromptCommand) => void }) {
  switch (answer.show) {
    case 'status':
      return <ServerStates onClose={onClose} />;
    case 'sign-ins':
      return <ServerSignIns onClose={onClose} />;
    case 'signed-out':
      return <SignedOut server={answer.server} revoked={answer.revoked} onClose={onClose} />;
    case 'prompts':
      return <ServerPrompts onClose={onClose} onChoose={(command) => { onClose(); onPrompt(command); }} />;
  }
}
