import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { go } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { beginSignIn } from '../../bridge/use-sign-in.ts';
import type { PromptCommand } from '../../../shared/model/prompt-command.ts';
import { visibleText } from '../../../shared/text/visible-text.ts';
import { CommandList } from './command-list.tsx';
import { isProfileCommand, profileOffers, type ProfileOffer } from './profile-command.ts';
import { completionsOf, isSlashCommand, type Completion } from './slash-commands.ts';
import { ServerPrompts, ServerStates } from './slash-answers.tsx';
import { ServerSignIns, SignedOut } from './slash-sign-ins.tsx';
import type { ProfileChoice } from './use-profile-choice.ts';
import type { PromptCommands } from './use-prompt-commands.tsx';
import { optionId } from './tool-cards.tsx';

type Answer = { readonly show: 'status' | 'prompts' | 'sign-ins' } | { readonly show: 'signed-out'; readonly server: string; readonly revoked: 'yes' | 'failed' | 'unsupported' };
type Offered = Completion | ProfileOffer | { readonly text: string; readonly label: string; readonly says: string; readonly prompt: PromptCommand };
const promptOffer = (prompt: PromptCommand): Offered => ({ text: `${prompt.command}${prompt.prompt.arguments.length > 0 ? ' ' : ''}`, label: prompt.command, says: visibleText(prompt.prompt.title ?? prompt.prompt.description ?? `A prompt of ${prompt.serverName}`), prompt });
export interface SlashCommands {
  /** The text is a command: nothing is searched and nothing is sent. */
  readonly active: boolean;
  /** Above the composer: the list, an answer, or what went wrong. */
  readonly view: ReactNode;
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly activeId: string | undefined;
}

/** `/mcp …` (F-194) and `/profile …` in the composer, for chats with a model and without. */
export function useSlashCommands({ text, setText, listId, prompts, profiles }: {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly listId: string;
  readonly prompts: Pick<PromptCommands, 'offered' | 'choose'>;
  readonly profiles: ProfileChoice;
}): SlashCommands {
  const written = isSlashCommand(text);
  // Only what is written after a slash is about servers: the composer need not follow what they do.
  const servers = useApp((state) => (written ? state.servers : undefined));
  const project = useApp((state) => state.settings.project);
  const [marked, setMarked] = useState(0);
  const [answer, setAnswer] = useState<Answer>();
  const [asked, setAsked] = useState<string>();
  const request = useRequest();
  const active = written || isProfileCommand(text) || prompts.offered.length > 0;
  const commands = completionsOf(text, Object.values(servers ?? {}));
  const completions: readonly Offered[] = [...commands, ...profileOffers(text, profiles.reports, profiles.name), ...prompts.offered.map(promptOffer)];
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
  const chooseProfile = ({ profile, text: written }: ProfileOffer) => {
    setText(profile === undefined ? written : '');
    if (profile !== undefined) profiles.choose(profile ?? undefined);
  };
  const choose = (completion: Offered) => {
    setMarked(0);
    if ('prompt' in completion) return prompts.choose(completion.prompt);
    if ('profile' in completion) return chooseProfile(completion);
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
      <CommandList
        listId={listId} commands={completions} marked={at} onMark={setMarked} onChoose={choose}
        nothing={!isProfileCommand(text) ? 'There is no such command or server.' : profiles.reports ? 'There is no profile of this name.' : 'Looking for profiles…'}
      />
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
