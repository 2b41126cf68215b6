import type { ChatId, RunId, ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { Provenance } from '../../shared/model/source.ts';
import type { Caller } from '../../shared/model/tool-call.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { loginOf } from '../connections/sign-in-target.ts';
import type { ServerView } from '../model-tools/server-lookup.ts';
import type { LaunchMaterial } from '../servers/launch-material.ts';
import { RunScope, type Owned, type RunLimits, type RunScopeDeps } from './run-scope.ts';

/** Servers of runs that are over whose sign-in can still be begun. */
const rememberedLogins = 100;

export interface RunScopesDeps extends Omit<RunScopeDeps, 'onAdded'> {
  /** A run is over that had this one: how it stands with signing in may be another. What a model connected (`ends`) leaves no login behind. */
  readonly onEnded: (loginId: ServerId, ends: boolean) => void;
}

/** The runs that are under way, one a chat, each with servers of its own (H-26). Whoever meets a server's id asks here when the person's list does not know it. */
export class RunScopes implements AsyncDisposable {
  readonly #deps: RunScopesDeps;
  readonly #byChat = new Map<ChatId, RunScope>();
  /** Runs that are over, and whose servers are being stopped. */
  readonly #ending = new Map<RunScope, Promise<void>>();
  #indexed: { readonly parts: readonly (readonly CatalogTool[])[]; readonly all: readonly CatalogTool[] } | undefined;

  /** By the id that their login is kept under, the newest last. */
  readonly #lately = new Map<ServerId, Owned>();

  constructor(deps: RunScopesDeps) {
    this.#deps = deps;
  }

  open(ids: { readonly chatId: ChatId; readonly runId: RunId }, limits: RunLimits): RunScope {
    const scope = new RunScope(ids, limits, { ...this.#deps, onAdded: (owned) => this.#remember(owned) });
    this.#byChat.set(ids.chatId, scope);
    return scope;
  }

  /** From now on nobody sees its servers. They stop meanwhile: a server that does not want to end keeps no chat from going on. */
  close(scope: RunScope): void {
    if (this.#byChat.get(scope.chatId) === scope) this.#byChat.delete(scope.chatId);
    for (const { definition, offered } of scope.ownedAll()) {
      const loginId = loginOf(definition);
      const ends = !offered && this.presentOf(loginId).length === 0;
      if (ends) this.#lately.delete(loginId);
      this.#deps.onEnded(loginId, ends);
    }
    this.#ending.set(scope, scope[Symbol.asyncDispose]().finally(() => this.#ending.delete(scope)));
  }

  /** The run that a caller is part of. */
  of(caller: Caller): RunScope | undefined {
    return 'chatId' in caller && caller.chatId !== undefined ? this.#byChat.get(caller.chatId) : undefined;
  }
  ofChat(chatId: ChatId): RunScope | undefined {
    return this.#byChat.get(chatId);
  }

  /** What a caller can see of servers and their tools. */
  view(caller: Caller): ServerView {
    return this.of(caller) ?? { servers: () => this.#deps.servers(), catalog: this.#deps.catalog };
  }

  owns(id: ServerId): boolean {
    return this.#owner(id) !== undefined;
  }
  definition(id: ServerId): ServerDefinition | undefined {
    return this.#owner(id)?.owned(id)?.definition;
  }
  material(id: ServerId): LaunchMaterial | undefined {
    return (this.#owner(id)?.owned(id) ?? [...this.#lately.values()].find(({ definition }) => definition.id === id))?.material;
  }
  /** A model asked for it, by `connect_mcp`: the person allowed its address, and no more. */
  isByModel(id: ServerId): boolean {
    return this.#owner(id)?.owned(id)?.offered === false;
  }
  /** By the id that its login is kept under: a person may sign in when the run that wanted it is over. What a project's file says holds only while a run has it: its trust may be gone. */
  ofLogin(loginId: ServerId): ServerDefinition | undefined {
    const known = this.#lately.get(loginId);
    return known?.material.project === undefined || this.presentOf(loginId).length > 0 ? known?.definition : undefined;
  }
  /** Those of it that runs have now. */
  presentOf(loginId: ServerId): readonly ServerDefinition[] {
    return [...this.#byChat.values()].flatMap((scope) => scope.ownedAll()).flatMap(({ definition }) => (loginOf(definition) === loginId ? [definition] : []));
  }
  provenance(id: ServerId): Pick<Provenance, 'fields'> | undefined {
    return this.#owner(id)?.owned(id)?.provenance;
  }
  /** The catalog that a server's tools are in. */
  catalogOf(id: ServerId): Catalog {
    return this.#owner(id)?.own ?? this.#deps.catalog;
  }

  /** Usable tools of all, for one index over them. The same list until something changes. */
  all(): readonly CatalogTool[] {
    const parts = [this.#deps.catalog.all(), ...[...this.#byChat.values()].map(({ own }) => own.all()).filter(({ length }) => length > 0)];
    const [only, ...more] = parts;
    if (only && more.length === 0) return only;
    if (this.#indexed?.parts.length !== parts.length || !parts.every((part, at) => part === this.#indexed?.parts[at])) this.#indexed = { parts, all: parts.flat() };
    return this.#indexed.all;
  }

  #remember(owned: Owned): void {
    const loginId = loginOf(owned.definition);
    this.#lately.delete(loginId);
    this.#lately.set(loginId, owned);
    const [oldest] = this.#lately.keys();
    if (this.#lately.size > rememberedLogins && oldest !== undefined) this.#lately.delete(oldest);
  }

  #owner(id: ServerId): RunScope | undefined {
    return [...this.#byChat.values(), ...this.#ending.keys()].find((scope) => scope.owned(id) !== undefined);
  }

  /** Resolves when nothing that a run had is left. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const scope of this.#byChat.values()) this.close(scope);
    await Promise.all(this.#ending.values());
  }
}
