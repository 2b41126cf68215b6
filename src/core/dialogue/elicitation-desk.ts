import { AppError } from '../../shared/errors.ts';
import { ElicitationId, type ChatId, type ServerId } from '../../shared/ids.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { withDefaults } from '../../shared/model/elicitation-content.ts';
import { ElicitationContent, type AskingCall, type Elicitation, type ElicitationAction } from '../../shared/model/elicitation.ts';
import type { Browser, Clock, SchemaValidator } from '../ports.ts';
import { readElicitation, type ReadElicitation } from './read-elicitation.ts';
import { formatProblems } from './text-formats.ts';

export interface ElicitationDeskDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly schemas: SchemaValidator;
  readonly browser: Browser;
  /** There is a window that shows questions, a person at it, and they have not switched it off (F-150). */
  readonly canAsk: () => boolean;
  readonly serverName: (id: ServerId) => string;
  /** Takes our secrets out of what servers say. */
  readonly mask: (text: string) => string;
  readonly onChange: (elicitations: readonly Elicitation[]) => void;
}
/** Which calls a question may come from: none, one, or several. */
export interface AskingServer {
  readonly serverId: ServerId;
  readonly calls: readonly AskingCall[];
}
/** What the server is told. Content goes with an accepted form alone. */
export interface ElicitationAnswer {
  readonly action: ElicitationAction;
  readonly content?: ElicitationContent;
}

interface Open {
  readonly elicitation: Elicitation;
  readonly serversId: string | undefined;
  /** The server waits; absent for what nobody waits for. */
  readonly settle?: (answer: ElicitationAnswer) => void;
}

/** Of one server, at the same time: a person can only be asked so much. */
const mostOpen = 5;

/** Questions of servers that wait for a person (F-148, F-149). Each is answered once, and ends with whatever asked it. */
export class ElicitationDesk {
  readonly #deps: ElicitationDeskDeps;
  readonly #open = new Map<ElicitationId, Open>();

  constructor(deps: ElicitationDeskDeps) {
    this.#deps = deps;
  }

  isOn(): boolean {
    return this.#deps.canAsk();
  }

  /**
   * `params` of `elicitation/create`, untrusted. Throws `request/invalid` for what cannot be put to a person, `request/forbidden` when this server asks too much at once,
   * and the signal's reason: then nobody was asked, or the question is gone.
   */
  async ask(params: unknown, from: AskingServer, signal: AbortSignal): Promise<ElicitationAnswer> {
    const read = readElicitation(params, { mask: this.#deps.mask, retry: false });
    if (this.#of(from.serverId).length >= mostOpen) throw new AppError('request/forbidden', 'Too many questions of this server are open');
    signal.throwIfAborted();
    const id = this.#newId();
    const answered = new Promise<ElicitationAnswer>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }); // an abort reason is an Error here
      this.#put(id, { elicitation: this.#shown(id, read, from), serversId: read.serversId, settle: resolve });
    });
    try {
      return await answered;
    } finally {
      // A page that was opened stays until its server says that it is over, or the person does.
      if (this.#open.get(id)?.settle) this.#drop([id]);
    }
  }

  /**
   * Makes a call. One that fails because pages have to be visited first (−32042) shows them, and says what to do: the call is not made again by itself. Throws what the call
   * throws, `elicitation/url-required` in our own words.
   */
  async showingPages<T>(from: AskingServer, make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'elicitation/url-required') throw error;
      throw new AppError('elicitation/url-required', this.#show(pagesOf(error), from), { cause: error });
    }
  }

  #show(pages: readonly unknown[], from: AskingServer): string {
    const read = pages.slice(0, mostOpen).flatMap((page) => this.#pageOf(page));
    const hosts = [...new Set(read.map(({ host }) => host))];
    const first = `“${this.#deps.serverName(from.serverId)}” wants the person to finish something in the browser first${hosts.length > 0 ? ` (${hosts.join(', ')})` : ''}.`;
    if (read.length === 0) return `${first} It names no address that may be opened.`;
    if (!this.isOn()) return `${first} There is nobody to show it to.`;
    for (const { one } of read) {
      const same = this.#of(from.serverId).find(({ serversId }) => serversId !== undefined && serversId === one.serversId);
      if (same || this.#of(from.serverId).length >= mostOpen) continue;
      const id = this.#newId();
      this.#put(id, { elicitation: this.#shown(id, one, from), serversId: one.serversId });
    }
    return `${first} It is shown to them. Make the call again once they have completed it.`;
  }

  #pageOf(page: unknown): readonly { readonly one: ReadElicitation; readonly host: string }[] {
    try {
      const one = readElicitation(page, { mask: this.#deps.mask, retry: true });
      return one.ask.kind === 'url' ? [{ one, host: one.ask.host }] : [];
    } catch (error) {
      if (error instanceof AppError && error.code === 'request/invalid') return [];
      throw error;
    }
  }

  /**
   * Throws `elicitation/not-found` for one that was answered before or is over, `request/invalid` for content that does not fit: the question stays. To accept a page opens
   * it in the person's browser, and throws `user/needed` where there is none.
   */
  async answer(id: ElicitationId, action: ElicitationAction, content: ElicitationContent, signal: AbortSignal): Promise<void> {
    const { ask } = this.#found(id).elicitation;
    if (action !== 'accept') return this.#settle(id, { action });
    if (ask.kind === 'url') {
      await this.#deps.browser.open(ask.url, signal);
      return this.#opened(id);
    }
    const sent = await this.#checked(ask.schema, content, signal);
    this.#settle(id, { action, content: sent });
  }

  /** The server says that the business of one page is over. Names of others, and of other servers, clear nothing. */
  completed(serverId: ServerId, serversId: string): void {
    for (const { elicitation } of this.#of(serverId).filter((open) => open.serversId === serversId)) this.#settle(elicitation.id, { action: 'cancel' });
  }

  /** The connection is gone, and with it whoever asked. */
  connectionEnded(serverId: ServerId): void {
    this.#drop(this.#of(serverId).map(({ elicitation }) => elicitation.id));
  }

  async #checked(schema: JsonObject, content: ElicitationContent, signal: AbortSignal): Promise<ElicitationContent> {
    const sent = ElicitationContent.parse(withDefaults(schema, content));
    const verdict = await this.#deps.schemas.check(schema, sent, signal);
    const problems = [...(verdict.kind === 'fits' ? [] : verdict.kind === 'misfits' ? verdict.problems : [verdict.message]), ...formatProblems(schema, sent)];
    if (problems.length === 0) return sent;
    throw new AppError('request/invalid', `The answer does not fit the form: ${problems.slice(0, 5).join('; ')}`, { data: { problems } });
  }

  /** Opened is not over: only the old era tells when it is, and a call that failed for it waits for the person's word. */
  #opened(id: ElicitationId): void {
    const { elicitation, serversId, settle } = this.#found(id);
    settle?.({ action: 'accept' });
    const { ask } = elicitation;
    if (ask.kind !== 'url' || (serversId === undefined && !ask.retry)) return this.#drop([id]);
    this.#put(id, { elicitation: { ...elicitation, ask: { ...ask, phase: 'opened' } }, serversId });
  }

  #settle(id: ElicitationId, answer: ElicitationAnswer): void {
    const { settle } = this.#found(id);
    this.#drop([id]);
    settle?.(answer);
  }

  #found(id: ElicitationId): Open {
    const open = this.#open.get(id);
    if (!open) throw new AppError('elicitation/not-found', 'This question is no longer waiting');
    return open;
  }

  #shown(id: ElicitationId, { message, ask }: ReadElicitation, { serverId, calls }: AskingServer): Elicitation {
    const [call, ...others] = calls;
    const chatId = chatOf(calls);
    return {
      id, serverId, serverName: this.#deps.serverName(serverId), message, askedAt: this.#deps.clock.now(), ask,
      ...(call && others.length === 0 ? { call } : {}),
      ...(chatId === undefined ? {} : { chatId }),
    };
  }

  #of(serverId: ServerId): readonly Open[] {
    return [...this.#open.values()].filter(({ elicitation }) => elicitation.serverId === serverId);
  }

  #newId(): ElicitationId {
    return ElicitationId.parse(this.#deps.newId());
  }

  #put(id: ElicitationId, open: Open): void {
    this.#open.set(id, open);
    this.#deps.onChange(this.#all());
  }

  #drop(ids: readonly ElicitationId[]): void {
    const dropped = ids.filter((id) => this.#open.delete(id));
    if (dropped.length > 0) this.#deps.onChange(this.#all());
  }

  #all(): readonly Elicitation[] {
    return [...this.#open.values()].map(({ elicitation }) => elicitation);
  }
}

/** The chat that all of them come from. */
function chatOf(calls: readonly AskingCall[]): ChatId | undefined {
  const [first, ...others] = calls;
  return others.every(({ chatId }) => chatId === first?.chatId) ? first?.chatId : undefined;
}

/** As the connection read them off the error; what is shown to whoever asked has lost them. */
function pagesOf(error: AppError): readonly unknown[] {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    const data = at instanceof AppError ? at.data : undefined;
    if (typeof data === 'object' && data !== null && 'elicitations' in data && Array.isArray(data.elicitations)) return data.elicitations;
  }
  return [];
}
