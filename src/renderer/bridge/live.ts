import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';
import { create, type StoreApi, type UseBoundStore } from 'zustand';
import type { CommandAction, StateMessage } from '../../shared/ipc/channels.ts';
import type { ChatId, ServerId } from '../../shared/ids.ts';
import { reduceApp, type AppState } from '../../shared/state/app-state.ts';
import { reduceChat, type ChatState } from '../../shared/state/chat-state.ts';
import { Follower, type Envelope, type Snapshot } from '../../shared/state/follower.ts';
import { reduceMessages, type MessagesState } from '../../shared/state/messages-state.ts';
import { reduceResourceWatch, type ResourceWatchState } from '../../shared/state/resource-watch.ts';
import { reduceLog, resourceTopic, type LogState, type Topic, type TopicState } from '../../shared/state/topics.ts';
import { api, beforeAnswers, RequestError } from './api.ts';

/** A copy of one topic of main's state, written only here. */
export type Mirror<S> =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly state: S }
  | { readonly phase: 'failed'; readonly error: RequestError };

type Reduce = (state: unknown, action: unknown) => unknown;
const reducerOf = (topic: Topic): Reduce =>
  (topic === 'app' ? reduceApp : topic.startsWith('chat/') ? reduceChat : topic.startsWith('messages/') ? reduceMessages : topic.startsWith('resource/') ? reduceResourceWatch : reduceLog) as Reduce; // main sends a topic only its own states and actions

interface Following {
  readonly store: UseBoundStore<StoreApi<Mirror<unknown>>>;
  readonly follower: Follower<unknown, unknown>;
  /** Shows what came and is not shown yet. */
  readonly settle: () => void;
  watchers: number;
  leave: ReturnType<typeof setTimeout> | undefined;
}
const followed = new Map<Topic, Following>();
/** How long a topic that nobody watches is kept: going back to a chat shows it at once. */
const keptMs = 15_000;

/**
 * The first call at once; of those that come within the time after it only the last, at its end or at `settle`. While they go on coming the time grows, up to `mostMs`: what
 * changes all the time need not be seen so often, and drawing it takes the machine from whatever changes it.
 */
export function inSteps<T>(take: (value: T) => void, leastMs: number, mostMs: number): { readonly show: (value: T) => void; readonly settle: () => void } {
  let last: { readonly value: T } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let ms = leastMs;
  const settle = () => {
    const next = last;
    last = undefined;
    if (next) take(next.value);
  };
  const step = () => {
    timer = last && setTimeout(step, ms);
    ms = last ? Math.min(mostMs, ms * growth) : leastMs;
    settle();
  };
  return {
    show(value) {
      last = { value };
      if (timer === undefined) step();
    },
    settle,
  };
}
const stepMs = 50;
const longestStepMs = 250;
const growth = 1.3;
/** A chat is drawn at most this often. */
const drawnEveryMs = 50;
/** … and a state at most this long after its drawing began. */
const drawnWithinMs = 400;

function followingOf(topic: Topic): Following {
  const known = followed.get(topic);
  if (known) return known;
  const store = create<Mirror<unknown>>(() => ({ phase: 'loading' }));
  const ask = () => void askFor(topic);
  const show = (state: unknown) => store.setState({ phase: 'ready', state }, true);
  // Many servers that come up at once change the app's state hundreds of times in a row: what stands still is shown at once, the rest in steps.
  const steps = topic === 'app' ? inSteps(show, stepMs, longestStepMs) : { show, settle: () => undefined };
  const follower = new Follower<unknown, unknown>(reducerOf(topic), steps.show, ask);
  const made: Following = { store, follower, settle: steps.settle, watchers: 0, leave: undefined };
  followed.set(topic, made);
  ask();
  return made;
}

async function askFor(topic: Topic): Promise<void> {
  const following = followed.get(topic);
  if (!following) return;
  try {
    const snapshot: Snapshot<unknown> = await api.shell.follow({ topic });
    if (followed.get(topic) === following) following.follower.reset(snapshot);
  } catch (thrown) {
    following.store.setState({ phase: 'failed', error: RequestError.from(thrown) }, true);
  }
}

function watch(topic: Topic): () => void {
  const following = followingOf(topic);
  clearTimeout(following.leave);
  following.watchers += 1;
  return () => {
    following.watchers -= 1;
    if (following.watchers === 0) following.leave = setTimeout(() => leave(topic), keptMs);
  };
}

function leave(topic: Topic): void {
  followed.delete(topic);
  // The page no longer cares how this ends: at worst main sends a topic that nobody here reads.
  api.shell.unfollow({ topic }).catch(() => undefined);
}

/** Tries again after a topic could not be followed. */
export function followAgain(topic: Topic): void {
  followed.get(topic)?.store.setState({ phase: 'loading' }, true);
  void askFor(topic);
}

const commandListeners = new Set<(action: CommandAction) => void>();
/** What came before the page had anybody to obey it: the last one counts. */
let early: CommandAction | undefined;
/** What main's menus, tray and notifications ask of the page. */
export function onCommand(listener: (action: CommandAction) => void): () => void {
  commandListeners.add(listener);
  if (early) listener(early);
  early = undefined;
  return () => commandListeners.delete(listener);
}

function receive({ topic, envelope }: StateMessage): void {
  if (topic === 'command') {
    const action = envelope.action as CommandAction; // main's menus send nothing else on this topic
    if (commandListeners.size === 0) early = action;
    for (const listener of commandListeners) listener(action);
    return;
  }
  followed.get(topic as Topic)?.follower.accept(envelope as Envelope<unknown>); // an unknown topic is in no map
}

/** Starts listening. Called once, before anything is drawn. */
export function connectBridge(): void {
  window.gatehouse.onState((messages) => messages.forEach(receive));
  beforeAnswers(() => followed.get('app')?.settle());
  watch('app');
}

const nothing: Mirror<never> = { phase: 'loading' };

/** Follows a topic for as long as the component lives; `undefined` follows nothing. */
export function useMirror<T extends Topic>(topic: T | undefined): Mirror<TopicState<T>> {
  const following = topic === undefined ? undefined : followingOf(topic);
  useEffect(() => (topic === undefined ? undefined : watch(topic)), [topic]);
  const mirror = useSyncExternalStore(following?.store.subscribe ?? (() => () => undefined), following?.store.getState ?? (() => nothing));
  return mirror as Mirror<TopicState<T>>; // written by the reducer of this topic alone
}

interface DrawnChat {
  readonly store: StoreApi<Mirror<ChatState>> | undefined;
  readonly mirror: Mirror<ChatState>;
  /** When its drawing began; absent for what is there at first. */
  readonly begun?: number;
}
/** When the next state may be drawn, after one whose drawing began at `begun` and that stands on the page since `stood`; nothing was drawn yet: at once. */
export const restedAt = (begun: number | undefined, stood: number): number => (begun === undefined ? stood : stood + Math.max(drawnEveryMs, 2 * (stood - begun)));

/**
 * A chat, as fast as the page can draw it: a state is drawn in React's slices, so that a key press never waits for it, and the next only once that
 * one stands on the page and the rest of the machine has had as long. What comes in between is drawn with the last of it.
 */
export function useChatMirror(chatId: ChatId | undefined): Mirror<ChatState> {
  const topic = chatId === undefined ? undefined : (`chat/${chatId}` as const);
  const store = topic === undefined ? undefined : (followingOf(topic).store as StoreApi<Mirror<ChatState>>); // written by the reducer of this topic alone
  const [drawn, setDrawn] = useState<DrawnChat>(() => ({ store, mirror: store?.getState() ?? nothing }));
  useEffect(() => (topic === undefined ? undefined : watch(topic)), [topic]);
  useEffect(() => {
    if (!store) return undefined;
    const rested = restedAt(drawn.begun, performance.now());
    let timer: ReturnType<typeof setTimeout> | undefined;
    const draw = () => {
      const next = { store, mirror: store.getState(), begun: performance.now() };
      startTransition(() => setDrawn(next));
      // Whatever else is drawn meanwhile takes a slice's place: it does so for a moment, not for as long as fifty servers take to start.
      timer = setTimeout(() => setDrawn(next), drawnWithinMs);
    };
    const look = () => {
      if (timer === undefined && store.getState() !== drawn.mirror) timer = setTimeout(draw, drawn.store === store ? rested - performance.now() : 0);
    };
    look();
    const leave = store.subscribe(look);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }, [store, drawn]);
  return drawn.store === store ? drawn.mirror : (store?.getState() ?? nothing);
}
export const useLogMirror = (serverId: ServerId): Mirror<LogState> => useMirror(`log/${serverId}` as const);
export const useMessagesMirror = (serverId: ServerId): Mirror<MessagesState> => useMirror(`messages/${serverId}` as const);
/** Changes of a resource, for as long as the component lives. */
export const useResourceWatch = (serverId: ServerId, uri: string): Mirror<ResourceWatchState> => useMirror(resourceTopic(serverId, uri));
export const useAppMirror = (): Mirror<AppState> => useMirror('app');

/** A part of the app's state; `undefined` until main has sent it. `pick` must give the same object for the same state. */
export function useApp<R>(pick: (state: AppState) => R): R | undefined {
  const { store } = followingOf('app');
  const read = (): R | undefined => {
    const mirror = store.getState() as Mirror<AppState>; // the app topic's own state
    return mirror.phase === 'ready' ? pick(mirror.state) : undefined;
  };
  return useSyncExternalStore(store.subscribe, read);
}

/** The app's state right now, for handlers. */
export function appNow(): AppState | undefined {
  const { store, settle } = followingOf('app');
  settle();
  const mirror = store.getState() as Mirror<AppState>; // the app topic's own state
  return mirror.phase === 'ready' ? mirror.state : undefined;
}
