import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { ChatId, type ServerId } from '../../shared/ids.ts';
import type { ChatTools } from '../../shared/model/chat-tools.ts';
import { everyTool } from '../../shared/model/every-tool.ts';
import type { ModelChoice } from '../../shared/model/settings.ts';
import type { ChatSummary } from '../../shared/state/app-state.ts';
import type { ChatState } from '../../shared/state/chat-state.ts';
import { Lanes } from '../kernel/lanes.ts';
import type { Clock, ContentStore, Documents, KeptContent, Log, TranscriptStore } from '../ports.ts';
import { profileName } from '../profiles/profile-name.ts';
import { Transcript } from '../transcripts/transcript.ts';
import { Chat, type ChatDeps } from './chat.ts';
import { linkIn } from './link-in.ts';

const file = 'chats.json';
/** How long what is no news to the next start may wait, so that calls in a row do not write the list each time. Milliseconds. */
const laterMs = 1_000;
/** So many chats at rest stay open beside those that are busy or followed, and each for so long after its last use (milliseconds). */
const sparesOpen = 8;
const spareMs = 60_000;
const Summary = z.strictObject({ id: ChatId, title: z.string(), createdAt: z.number(), updatedAt: z.number(), activity: z.enum(['idle', 'running', 'waiting', 'interrupted']) });
const Index = z.object({ version: z.literal(1), chats: z.array(Summary) });

export interface ChatsDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly documents: Documents;
  readonly transcripts: TranscriptStore;
  readonly contents: ContentStore;
  readonly chat: Omit<ChatDeps, 'onBusy'>;
  readonly onSummary: (chat: ChatSummary) => void;
  readonly onRemoved: (chatId: ChatId) => void;
}

/** Every chat of the home. The list is kept beside the logs for speed; the logs are the truth, and a chat that was busy when the app ended is settled at the next start. */
export class Chats implements AsyncDisposable {
  readonly #deps: ChatsDeps;
  readonly #summaries = new Map<ChatId, ChatSummary>();
  readonly #open = new Map<ChatId, Promise<Chat>>();
  readonly #live = new Set<Chat>();
  /** When each was last asked for. */
  readonly #used = new Map<ChatId, number>();
  readonly #closing = new Map<ChatId, Promise<void>>();
  readonly #lanes = new Lanes<'index'>();
  #nextWrite: Promise<void> | undefined;
  #laterWrite: ReturnType<typeof setTimeout> | undefined;
  /** Those that the list on the disk surely calls busy: the next start reads their logs, whatever else the list says of them. */
  readonly #busyOnDisk = new Set<ChatId>();

  constructor(deps: ChatsDeps) {
    this.#deps = deps;
  }

  async load(signal: AbortSignal): Promise<void> {
    const known = await this.#readIndex(signal);
    for (const id of await this.#deps.transcripts.list(signal)) {
      const summary = known.get(id);
      if (summary && !isBusy(summary)) this.#put(summary);
      else await this.#reopen(id, signal).catch((error: unknown) => this.#deps.log.error('A chat could not be opened', error));
    }
  }

  /** One that the app was ended at before its first word reached the disk was never there: nobody was told of it. */
  async #reopen(id: ChatId, signal: AbortSignal): Promise<void> {
    const chat = await this.#opened(id, signal);
    if (!chat.transcript.isEmpty) return;
    await this.#close(chat);
    await this.#deps.transcripts.remove(id, signal);
  }

  /** Whoever asks for it from now on waits, and gets another. */
  async #close(chat: Chat): Promise<void> {
    const { id } = chat;
    for (const known of [this.#open, this.#used]) known.delete(id);
    this.#live.delete(chat);
    const closing = chat[Symbol.asyncDispose]().finally(() => this.#closing.delete(id));
    this.#closing.set(id, closing);
    await closing;
  }

  /** Chats at rest that nobody looks at are read from the disk when somebody does. */
  #closeSpares(): void {
    const before = this.#deps.clock.now() - spareMs;
    const spare = [...this.#live].filter((chat) => chat.atRest && chat.transcript.store.followers <= 1); // the list's own
    const byUse = spare.toSorted((a, b) => (this.#used.get(a.id) ?? 0) - (this.#used.get(b.id) ?? 0));
    for (const chat of byUse.slice(0, -sparesOpen)) {
      if ((this.#used.get(chat.id) ?? 0) <= before) this.#close(chat).catch((error: unknown) => this.#deps.log.error('A chat could not be closed', error));
    }
  }

  /** Goes on with what stood still when the app ended, once there is everything that it may need. */
  goOn(): void {
    for (const chat of this.#live) chat.goOn();
  }

  /** Chats and calls that run right now. */
  busy(): { readonly runs: number; readonly calls: number } {
    const chats = [...this.#live];
    return { runs: chats.filter((chat) => chat.running).length, calls: chats.reduce((sum, chat) => sum + chat.directCalls, 0) };
  }

  /** What a chat may use. A call of a chat is made while it is open. */
  toolsOf(id: ChatId): ChatTools {
    return [...this.#live].find((chat) => chat.id === id)?.transcript.store.current.tools ?? everyTool;
  }

  /** What this server linked to in that chat: in the results of its tools, and in what was attached. */
  linkIn(id: ChatId, serverId: ServerId, uri: string): ReturnType<typeof linkIn> {
    const chat = [...this.#live].find((one) => one.id === id)?.transcript.store.current;
    return chat && linkIn(chat, serverId, uri);
  }

  /** Throws `request/invalid` for what is no profile's name. */
  async create({ model, profile }: { readonly model?: ModelChoice | null | undefined; readonly profile?: string | undefined }, signal: AbortSignal): Promise<ChatId> {
    if (profile !== undefined) profileName(profile);
    const id = ChatId.parse(this.#deps.newId().toLowerCase());
    const chat = await this.#opened(id, signal);
    await chat.transcript.append({ type: 'chat-created', chatId: id, title: 'New chat' }, true);
    if (model !== undefined) await chat.chooseModel(model);
    if (profile !== undefined) await chat.chooseProfile(profile);
    return id;
  }

  /** Throws `chat/not-found` for a chat that was never created or is deleted. */
  async get(id: ChatId, signal: AbortSignal): Promise<Chat> {
    if (!this.#summaries.has(id)) throw new AppError('chat/not-found', 'There is no such chat');
    return this.#opened(id, signal);
  }

  async remove(id: ChatId, signal: AbortSignal): Promise<void> {
    await this.#close(await this.get(id, signal));
    this.#summaries.delete(id);
    this.#busyOnDisk.delete(id);
    await this.#deps.transcripts.remove(id, signal);
    await this.#deps.contents.removeChat(id, signal);
    await this.#writeIndex();
    this.#deps.onRemoved(id);
  }

  #opened(id: ChatId, signal: AbortSignal): Promise<Chat> {
    const opening = this.#open.get(id) ?? this.#load(id, signal);
    this.#open.set(id, opening);
    this.#used.set(id, this.#deps.clock.now());
    opening.then(
      () => this.#closeSpares(),
      () => this.#open.delete(id),
    );
    return opening;
  }

  async #load(id: ChatId, signal: AbortSignal): Promise<Chat> {
    await this.#closing.get(id)?.catch(() => undefined);
    const transcript = new Transcript(await this.#deps.transcripts.open(id, signal), this.#deps);
    const chat = new Chat(id, transcript, { ...this.#deps.chat, onBusy: () => this.#markBusy(id) });
    this.#live.add(chat);
    if (await chat.settleLeftovers()) await this.#removeUnnamed(transcript, id, signal);
    transcript.store.follow(() => this.#summarise(id, transcript.store.current));
    this.#summarise(id, transcript.store.current);
    return chat;
  }

  /** What a call had put aside when the app ended is named by no outcome: nobody can ever ask for it. */
  async #removeUnnamed({ entries }: Transcript, id: ChatId, signal: AbortSignal): Promise<void> {
    const said = JSON.stringify(entries);
    const over = { keeper: (keeper: ChatId) => (keeper === id ? ('look' as const) : ('keep' as const)), content: (content: KeptContent) => !said.includes(content.id) };
    await this.#deps.contents.tidy(over, signal).catch((error: unknown) => this.#deps.log.error('Contents of an interrupted chat could not be tidied', error));
  }

  #summarise(id: ChatId, state: ChatState): void {
    if (state.id === undefined) return;
    const activity = activityOf(state);
    const old = this.#summaries.get(id);
    // Streaming text changes nothing that the list shows.
    if (old && old.title === state.title && old.activity === activity && state.run.phase === 'running') return;
    const summary: ChatSummary = { id, title: state.title, createdAt: state.createdAt, updatedAt: state.updatedAt, activity };
    if (old && JSON.stringify(old) === JSON.stringify(summary)) return;
    this.#put(summary);
    if (this.#busyOnDisk.has(id)) this.#laterWrite ??= setTimeout(() => this.#writeInBackground(), laterMs);
    else this.#writeInBackground();
  }

  async #markBusy(id: ChatId): Promise<void> {
    const summary = this.#summaries.get(id);
    if (!summary) return;
    if (!isBusy(summary)) this.#put({ ...summary, activity: 'running' });
    if (!this.#busyOnDisk.has(id)) await this.#writeIndex();
  }

  #put(summary: ChatSummary): void {
    this.#summaries.set(summary.id, summary);
    this.#deps.onSummary(summary);
  }

  #writeInBackground(): void {
    this.#writeIndex().catch((error: unknown) => this.#deps.log.error('The list of chats could not be saved', error));
  }

  /** A write that has not begun yet serves every change made until it begins. */
  #writeIndex(): Promise<void> {
    return (this.#nextWrite ??= this.#lanes.run('index', async () => {
      this.#nextWrite = undefined;
      clearTimeout(this.#laterWrite);
      this.#laterWrite = undefined;
      const chats = [...this.#summaries.values()];
      const busy = new Set(chats.filter(isBusy).map(({ id }) => id));
      for (const id of this.#busyOnDisk) if (!busy.has(id)) this.#busyOnDisk.delete(id);
      await this.#deps.documents.update(file, () => `${JSON.stringify({ version: 1, chats })}\n`, AbortSignal.timeout(30_000));
      for (const id of busy) if (this.#summaries.has(id)) this.#busyOnDisk.add(id);
    }));
  }

  /** Resolves when the list on the disk says what is known now. */
  async saved(): Promise<void> {
    if (this.#laterWrite !== undefined) this.#writeInBackground();
    await this.#lanes.drained();
  }

  async #readIndex(signal: AbortSignal): Promise<ReadonlyMap<ChatId, ChatSummary>> {
    try {
      const text = await this.#deps.documents.read(file, signal);
      const { chats } = Index.parse(JSON.parse(text ?? '{"version":1,"chats":[]}'));
      return new Map(chats.map((chat) => [chat.id, chat]));
    } catch (error) {
      this.#deps.log.error('The list of chats could not be read; it is made anew from the chats', error);
      return new Map();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const chats = await Promise.allSettled(this.#open.values());
    await Promise.allSettled(chats.flatMap((chat) => (chat.status === 'fulfilled' ? [chat.value[Symbol.asyncDispose]()] : [])));
    await Promise.allSettled(this.#closing.values());
    await this.saved();
  }
}

const isBusy = ({ activity }: ChatSummary): boolean => activity === 'running' || activity === 'waiting';

function activityOf({ run, calls }: ChatState): ChatSummary['activity'] {
  const phases = Object.values(calls).map((call) => call.phase);
  if (phases.includes('waiting')) return 'waiting';
  if (run.phase === 'running' || phases.some((phase) => phase !== 'settled')) return 'running';
  return run.phase === 'resting' && run.ending.how === 'interrupted' ? 'interrupted' : 'idle';
}
