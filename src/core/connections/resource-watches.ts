import type { ResourceWatchAction } from '../../shared/state/resource-watch.ts';
import { aborted } from '../kernel/aborted.ts';
import { asAppError } from './failure.ts';
import type { Link } from './link.ts';
import { keepSubscribed } from './listen.ts';
import type { ConnectionPoolDeps } from './session.ts';

type Listener = (action: ResourceWatchAction) => void;
interface Watched {
  readonly listeners: Set<Listener>;
  /** Ends its subscription on the link that there is. */
  end: AbortController | undefined;
}
/** A server is asked to announce the changes of at most so many of its resources. */
const most = 64;

/**
 * The resources of one server whose changes somebody follows. Each is subscribed to on every link that comes, in the way of its era, and left when nobody follows it any more; over a
 * gap between links something may have been missed, which counts as a change.
 */
export class ResourceWatches {
  readonly #deps: ConnectionPoolDeps;
  readonly #requestMs: () => number;
  readonly #watched = new Map<string, Watched>();
  #link: Link | undefined;

  constructor(deps: ConnectionPoolDeps, requestMs: () => number) {
    this.#deps = deps;
    this.#requestMs = requestMs;
  }

  /** Those that hold the connection open. */
  get size(): number {
    return this.#watched.size;
  }

  attach(link: Link): void {
    this.detach();
    this.#link = link;
    for (const [uri, watched] of this.#watched) this.#subscribe(uri, watched, link, true);
  }

  detach(): void {
    this.#link = undefined;
    for (const watched of this.#watched.values()) {
      watched.end?.abort();
      watched.end = undefined;
      tell(watched, { type: 'phase', phase: 'waiting' });
    }
  }

  /** Until it is disposed. */
  watch(uri: string, listener: Listener): Disposable {
    let watched = this.#watched.get(uri);
    if (!watched && this.#watched.size >= most) {
      listener({ type: 'phase', phase: 'failed', code: 'request/invalid' });
      return { [Symbol.dispose]: () => undefined };
    }
    if (!watched) {
      watched = { listeners: new Set(), end: undefined };
      this.#watched.set(uri, watched);
    }
    const followed = watched;
    followed.listeners.add(listener);
    if (this.#link && !followed.end) this.#subscribe(uri, followed, this.#link, false);
    return {
      [Symbol.dispose]: () => {
        if (!followed.listeners.delete(listener) || followed.listeners.size > 0) return;
        followed.end?.abort();
        if (this.#watched.get(uri) === followed) this.#watched.delete(uri);
      },
    };
  }

  /** The server says that one changed: it itself, or something below it. */
  changed(link: Link, uri: string): void {
    if (link !== this.#link) return;
    const at = this.#deps.clock.now();
    for (const [watchedUri, watched] of this.#watched) if (uri === watchedUri || uri.startsWith(`${watchedUri}/`)) tell(watched, { type: 'changed', at });
  }

  #subscribe(uri: string, watched: Watched, link: Link, missed: boolean): void {
    const end = (watched.end = new AbortController());
    if (!link.announcesResources()) return tell(watched, { type: 'phase', phase: 'unsupported' });
    const on = (): void => {
      tell(watched, { type: 'phase', phase: 'watching' });
      if (missed) tell(watched, { type: 'changed', at: this.#deps.clock.now() });
      missed = true;
    };
    const held = link.era === 'modern' ? keepSubscribed(link, { resourceSubscriptions: [uri] }, on, this.#deps, end.signal) : this.#hold(link, uri, on, end.signal);
    held.catch((error: unknown) => {
      if (!end.signal.aborted) tell(watched, { type: 'phase', phase: 'failed', code: asAppError(error).code });
    });
  }

  /** The old era's way: one request to begin and one to end. */
  async #hold(link: Link, uri: string, on: () => void, signal: AbortSignal): Promise<void> {
    await link.request('resources/subscribe', { uri }, this.#requestMs(), signal);
    on();
    await aborted(signal);
    if (link.isGone) return;
    await link.request('resources/unsubscribe', { uri }, this.#requestMs(), new AbortController().signal);
  }
}

function tell({ listeners }: Watched, action: ResourceWatchAction): void {
  for (const listener of listeners) listener(action);
}
