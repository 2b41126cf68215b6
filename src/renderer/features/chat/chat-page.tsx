import { useEffect, useId, useMemo, useState, type KeyboardEvent } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { Attachment } from '../../../shared/model/attachment.ts';
import type { CatalogTool } from '../../../shared/model/catalog.ts';
import type { ModelChoice, ModelProvider } from '../../../shared/model/settings.ts';
import type { Approval } from '../../../shared/model/tool-call.ts';
import type { ChatState } from '../../../shared/state/chat-state.ts';
import { api } from '../../bridge/api.ts';
import { setAttachments, setDraft } from '../../bridge/drafts.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { followAgain, useApp, useChatMirror } from '../../bridge/live.ts';
import { go, type Place } from '../../bridge/place.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { ApprovalCardView } from './call-group.tsx';
import { ChatHeader } from './chat-header.tsx';
import { ChatQuestions, type ElicitationCardView } from './chat-questions.tsx';
import { ChatStart } from './chat-start.tsx';
import { Composer } from './composer.tsx';
import { ChosenToolForm, type ChosenTool } from './direct-tools.tsx';
import { ModelPicker } from './model-picker.tsx';
import { ProfilePicker } from './profile-picker.tsx';
import { createChat, useNewChatTools } from './new-chat.ts';
import { ownToolsFor, useOwnTools, withOwnTools } from './own-forms.ts';
import { becomeChat, usePageOf } from './page-of-chat.ts';
import { ToolCards, optionId } from './tool-cards.tsx';
import { Transcript } from './transcript.tsx';
import { modelOf } from './profile-standing.ts';
import { useProfileChoice } from './use-profile-choice.ts';
import { useWriting } from './use-writing.tsx';
import { pageOf, useToolSearch } from './use-tool-search.ts';

type ChatPlace = Extract<Place, { readonly page: 'chat' }>;
const noApprovals: readonly Approval[] = [];
const noProviders: readonly ModelProvider[] = [];

interface ChatPageProps {
  readonly place: ChatPlace;
  readonly approvalCard: ApprovalCardView;
  readonly elicitationCard: ElicitationCardView;
}

export function ChatPage(props: ChatPageProps) {
  // Another chat is another page: nothing that is open in one shows up in the other.
  return <OneChat key={usePageOf(props.place.chatId)} {...props} />;
}

function OneChat({ place, approvalCard, elicitationCard }: ChatPageProps) {
  const { chatId } = place;
  const mirror = useChatMirror(chatId);
  const chat = mirror.phase === 'ready' ? mirror.state : undefined;
  const waiting = useApp((state) => state.approvals) ?? noApprovals;
  const approvals = useMemo(() => waiting.filter((one) => 'chatId' in one.call.caller && one.call.caller.chatId === chatId), [waiting, chatId]);
  const defaultModel = useApp((state) => state.settings.model);
  const providers = useApp((state) => state.settings.providers) ?? noProviders;
  const detected = useApp((state) => state.detected) ?? noProviders;
  const [newModel, setNewModel] = useState<ModelChoice | null>();
  const ownModel = chatId === undefined ? newModel : chat?.model;
  const model = ownModel === undefined ? (defaultModel ?? null) : ownModel;
  const direct = model === null;
  const draftKey = chatId ?? 'new';
  const [known, setKnown] = useState<CatalogTool>();
  const [linked, setLinked] = useState(place.tool);
  // A link to another tool takes the place of the form that is open.
  if (linked !== place.tool) {
    setLinked(place.tool);
    setKnown(undefined);
  }
  const chosen = chosenOf(known, place.tool);
  const ready = useApp(() => true) ?? false;
  const sending = useRequest();
  const stopping = useRequest();
  const running = chat !== undefined && isBusy(chat);
  const profiles = useProfileChoice(chatId, chat);
  const writing = useWriting({ draftKey, chatId, direct, profiles, onMessage: (message, attached) => sendMessage(message, attached), onFocus: () => setFocusTurn((turn) => turn + 1) });
  const { text } = writing;
  const newTools = useNewChatTools();
  const own = useOwnTools(direct);
  const search = withOwnTools(useToolSearch(text, direct && chosen === undefined && !writing.command), ownToolsFor(text, own));
  const [active, setActive] = useState(0);
  const [focusTurn, setFocusTurn] = useState(0);
  const listId = useId();
  const tools = pageOf(search)?.tools ?? [];
  const marked = Math.min(active, Math.max(0, tools.length - 1));

  const ensureChat = async (): Promise<ChatId> => chatId ?? (await createChat(direct ? null : ownModel));
  const sendMessage = async (message: string, attached: readonly Attachment[]): Promise<void> => {
    const id = await ensureChat();
    await api.chats.send({ chatId: id, text: message, attachments: [...attached] });
    setDraft(draftKey, '');
    setAttachments(draftKey, []);
    if (chatId === undefined) becomeChat(id);
  };
  const send = () => sending.run(() => sendMessage(text, writing.attachments));
  const runTool = async (tool: CatalogTool, args: Readonly<Record<string, unknown>>): Promise<void> => {
    const id = await ensureChat();
    await api.chats.callTool({ chatId: id, ref: tool.ref, args: { ...args } });
    setDraft(draftKey, '');
    setKnown(undefined);
    setFocusTurn((turn) => turn + 1);
    if (chatId === undefined) becomeChat(id);
    else if (place.tool) go({ page: 'chat', chatId: id }, 'replace');
  };
  const chooseModel = (next: ModelChoice | null | undefined) => {
    if (chatId === undefined) setNewModel(next);
    else sending.run(() => api.chats.chooseModel({ chatId, ...(next === undefined ? {} : { model: next }) }));
    if (next) setKnown(undefined);
  };
  const stop = () => (chatId === undefined ? undefined : stopping.run(() => api.chats.stop({ chatId })));
  const closeTool = () => {
    setKnown(undefined);
    setFocusTurn((turn) => turn + 1);
    if (place.tool) go({ page: 'chat', ...(chatId ? { chatId } : {}) }, 'replace');
  };
  const calling = Object.values(chat?.calls ?? {}).some((view) => view.phase !== 'settled');
  useEscape(running || calling, stop);
  const choose = (tool: CatalogTool) => setKnown(tool);
  const key = (event: KeyboardEvent): boolean => {
    if (writing.onKey(event)) return true;
    if (!direct || tools.length === 0 || chosen) return false;
    const marks = { ArrowDown: (marked + 1) % tools.length, ArrowUp: (marked + tools.length - 1) % tools.length };
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setActive(marks[event.key]);
      return true;
    }
    const tool = tools[marked];
    if (event.key !== 'Enter' || event.shiftKey || !tool) return false;
    event.preventDefault();
    choose(tool);
    return true;
  };

  const isEmpty = chatId === undefined || chat?.items.length === 0;
  return (
    <>
      <ChatHeader chatId={chatId} chat={chat} direct={direct} />
      {isEmpty && !chosen && ready ? <ChatStart direct={direct} searching={search.phase !== 'idle'} onChoose={choose} own={own} /> : null}
      {isEmpty && (chosen || !ready) ? <div className="flex-1" /> : null}
      {chatId !== undefined && mirror.phase === 'loading' ? <div className="mx-auto w-full max-w-(--column) flex-1 px-6 py-8"><Skeleton rows={5} /></div> : null}
      {chatId !== undefined && mirror.phase === 'failed' ? <div className="mx-auto w-full max-w-(--column) flex-1 px-6 py-8"><FailureNote error={mirror.error} onRetry={() => followAgain(`chat/${chatId}`)} /></div> : null}
      {chatId !== undefined && chat && chat.items.length > 0 ? <Transcript chatId={chatId} state={chat} approvals={approvals} card={approvalCard} /> : null}
      <div className="mx-auto w-full max-w-(--column) shrink-0 px-6 pb-4 compact:px-4">
        <div className="relative">
        {sending.state.phase === 'failed' ? <div className="mb-2"><FailureNote error={sending.state.error} compact context={{ model: model?.model }} onRetry={text.trim() === '' ? undefined : send} /></div> : null}
        {profiles.refused ? <div className="mb-2"><FailureNote error={profiles.refused} compact /></div> : null}
        {stopping.state.phase === 'failed' ? <div className="mb-2"><FailureNote error={stopping.state.error} compact onRetry={stop} /></div> : null}
        {chatId === undefined ? null : <ChatQuestions chatId={chatId} card={elicitationCard} />}
        {chosen ? <ChosenToolForm chosen={chosen} onRun={runTool} onClose={closeTool} /> : null}
        {writing.above}
        {direct && !chosen && !writing.command ? <ToolCards search={search} allowed={chat?.tools ?? newTools} listId={listId} active={marked} onActive={setActive} onChoose={choose} onRetry={search.again} /> : null}
        <Composer
          text={text} onText={(next) => { setDraft(draftKey, next); setActive(0); if (chosen) closeTool(); }} onSend={direct || writing.command || writing.reading ? undefined : send} onStop={stop} running={running} sending={sending.state.phase === 'sending'}
          stopping={stopping.state.phase === 'sending'} direct={direct} onKey={key} focusKey={`${draftKey} ${focusTurn}`} listId={writing.list ? writing.list.listId : direct && tools.length > 0 && !chosen ? listId : undefined}
          activeId={writing.list?.activeId ?? (direct && tools.length > 0 && !chosen ? optionId(listId, marked) : undefined)}
          hasAttached={writing.attachments.length > 0} onAttach={writing.onAttach} attached={writing.attached}
          picker={
            <>
              <ModelPicker model={model} onFollow={ownModel === undefined ? undefined : () => chooseModel(undefined)} providerName={[...providers, ...detected].find((one) => one.id === model?.providerId)?.name} onChoose={chooseModel} disabled={running} given={ownModel === undefined ? modelOf(profiles.standing) : undefined} />
              <ProfilePicker choice={profiles} running={running} direct={direct} onDone={() => setFocusTurn((turn) => turn + 1)} />
            </>
          }
        />
        </div>
      </div>
    </>
  );
}

/** A run works, or a call that the person made. */
const isBusy = (chat: ChatState): boolean => chat.run.phase === 'running' || Object.values(chat.calls).some((view) => view.call.caller.kind === 'direct' && view.phase !== 'settled');

const chosenOf = (tool: CatalogTool | undefined, linked: ChatPlace['tool']): ChosenTool | undefined =>
  tool ? { kind: 'known', tool } : linked ? { kind: 'named', ...linked } : undefined;

/** Esc stops the run and the calls of Direct mode, unless it closed something first. */
function useEscape(running: boolean, stop: () => void): void {
  useEffect(() => {
    if (!running) return undefined;
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) stop();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}
