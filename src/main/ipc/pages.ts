import { Followers } from './followers.ts';
import type { StateMessage } from '../../shared/ipc/channels.ts';

/** What a page needs of the window that shows it. `WebContents` fits. */
export interface PageHost {
  readonly id: number;
  send(channel: string, messages: readonly StateMessage[]): void;
  isDestroyed(): boolean;
  once(event: 'destroyed', listener: () => void): unknown;
  on(event: 'render-process-gone', listener: () => void): unknown;
}

/** To send and to take in a message costs as much as what it says: what changes within so long after one goes together. Milliseconds. */
const gatherMs = 30;

/** One load of a window's page: its open requests and what it follows end together, with the next load, a crash or the window. */
export class Page {
  readonly token: string;
  readonly followers: Followers;
  readonly #requests = new Map<number, AbortController>();
  readonly #send: (messages: readonly StateMessage[]) => void;
  #gathered: StateMessage[] = [];
  #gathering: NodeJS.Timeout | undefined;

  constructor(token: string, send: (messages: readonly StateMessage[]) => void) {
    this.token = token;
    this.#send = send;
    this.followers = new Followers((message) => this.#tell(message));
  }

  /** The request's signal; `undefined` when the page uses this id already. */
  begin(id: number): AbortSignal | undefined {
    if (this.#requests.has(id)) return undefined;
    const controller = new AbortController();
    this.#requests.set(id, controller);
    return controller.signal;
  }

  /** Before the answer goes: the page has by then what the request changed. */
  finish(id: number): void {
    this.#requests.delete(id);
    this.#flush();
  }

  cancel(id: number): void {
    this.#requests.get(id)?.abort(new DOMException('The page cancelled', 'AbortError'));
  }

  end(): void {
    for (const controller of this.#requests.values()) controller.abort(new DOMException('The page went away', 'AbortError'));
    this.#requests.clear();
    this.followers[Symbol.dispose]();
    clearTimeout(this.#gathering);
    this.#gathered = [];
  }

  /** What comes after a quiet moment goes at once. */
  #tell(message: StateMessage): void {
    this.#gathered.push(message);
    if (this.#gathering === undefined) this.#step();
  }

  #step(): void {
    this.#gathering = this.#gathered.length > 0 ? setTimeout(() => this.#step(), gatherMs) : undefined;
    this.#flush();
  }

  #flush(): void {
    const messages = this.#gathered;
    if (messages.length === 0) return;
    this.#gathered = [];
    this.#send(messages);
  }
}

/** The page that each window shows now. */
export class Pages {
  readonly #channel: string;
  readonly #pages = new Map<number, Page>();
  readonly #watched = new WeakSet<PageHost>();
  readonly #onBegin: (host: PageHost) => void;

  /** `onBegin` hears of a page when it first speaks: from then on it listens too. */
  constructor(channel: string, onBegin: (host: PageHost) => void = () => undefined) {
    this.#channel = channel;
    this.#onBegin = onBegin;
  }

  /** The page that speaks. A new token means that the window has loaded again. */
  speaking(host: PageHost, token: string): Page {
    const current = this.#pages.get(host.id);
    if (current?.token === token) return current;
    current?.end();
    const page = new Page(token, (messages) => {
      if (!host.isDestroyed()) host.send(this.#channel, messages);
    });
    this.#pages.set(host.id, page);
    this.#watch(host);
    this.#onBegin(host);
    return page;
  }

  find(hostId: number): Page | undefined {
    return this.#pages.get(hostId);
  }

  endAll(): void {
    for (const id of this.#pages.keys()) this.#end(id);
  }

  #watch(host: PageHost): void {
    if (this.#watched.has(host)) return;
    this.#watched.add(host);
    const { id } = host;
    host.on('render-process-gone', () => this.#end(id));
    host.once('destroyed', () => this.#end(id));
  }

  #end(hostId: number): void {
    this.#pages.get(hostId)?.end();
    this.#pages.delete(hostId);
  }
}
