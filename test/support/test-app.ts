import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp, type App } from '../../src/core/app.ts';
import type { Browser, Clock, Models, Ports } from '../../src/core/ports.ts';
import { createNodePorts } from '../../src/node/node-ports.ts';
import type { Keyring } from '../../src/node/vault/keyring.ts';
import type { Contract } from '../../src/shared/ipc/contract.ts';
import type { InputOf, OutputOf, RequestContext } from '../../src/shared/ipc/define.ts';
import { AppError } from '../../src/shared/errors.ts';
import type { ChatId, ServerId } from '../../src/shared/ids.ts';
import type { CatalogTool } from '../../src/shared/model/catalog.ts';
import type { ToolCallView } from '../../src/shared/model/tool-call.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { MemoryKeyring } from './memory-keyring.ts';

/** What is built once for a file of tests: the schema worker and the Notes server. */
export interface BuiltParts extends AsyncDisposable {
  readonly worker: URL;
  /** Only where a test wants costs: without it nothing is counted. */
  readonly tokenWorker?: URL;
  readonly scriptsFolder: string;
}
export async function buildParts(also: { readonly tokens?: true } = {}): Promise<BuiltParts> {
  // Whoever brings built parts along does without the builder.
  const [{ buildProgram }, { buildServer }] = await Promise.all([import('./build-worker.ts'), import('../servers/build-server.ts')]);
  const source = (path: string) => join(import.meta.dirname, '../../src/node', path);
  const [worker, notes, tokens] = await Promise.all([buildProgram(source('schema/validator-worker.ts')), buildServer('notes'), also.tokens && buildProgram(source('tokens/token-worker.ts'))]);
  return {
    worker: pathToFileURL(worker.file),
    ...(tokens ? { tokenWorker: pathToFileURL(tokens.file) } : {}),
    scriptsFolder: dirname(notes.file),
    async [Symbol.asyncDispose]() {
      await worker[Symbol.asyncDispose]();
      await tokens?.[Symbol.asyncDispose]();
      await notes[Symbol.asyncDispose]();
    },
  };
}

export interface TestAppOptions {
  readonly home?: string;
  readonly keyring?: Keyring;
  readonly interaction?: Ports['interaction'];
  readonly caller?: RequestContext['caller'];
  /** By default there is a window, as in the desktop app. */
  readonly hasWindow?: boolean;
  readonly models?: Models;
  /** Core's alone. */
  readonly clock?: Clock;
  /** In place of the system's. */
  readonly browser?: Browser;
  /** The person's own folder; by default an empty one of this app's. */
  readonly person?: string;
  /** Beside the process's. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The whole core on its real ports, in a home of its own. Only the keyring is in memory, unless a test brings another. */
export class TestApp implements AsyncDisposable {
  readonly app: App;
  readonly home: string;
  readonly person: string;
  readonly #caller: RequestContext['caller'];
  readonly #end: () => Promise<void>;

  private constructor(app: App, folders: { readonly home: string; readonly person: string }, caller: RequestContext['caller'], end: () => Promise<void>) {
    this.app = app;
    this.home = folders.home;
    this.person = folders.person;
    this.#caller = caller;
    this.#end = end;
  }

  static async open(parts: BuiltParts, options: TestAppOptions = {}): Promise<TestApp> {
    const home = options.home ?? mkdtempSync(join(tmpdir(), 'gatehouse-home-'));
    const person = options.person ?? mkdtempSync(join(tmpdir(), 'gatehouse-person-'));
    const node = await createNodePorts({
      env: { ...withoutOwn(process.env), GATEHOUSE_HOME: home, HOME: person, XDG_CONFIG_HOME: join(person, '.config'), ...options.env }, interaction: options.interaction ?? 'person',
      network: { onBack: () => ({ [Symbol.dispose]: () => undefined }) },
      runtime: process.execPath, scriptsFolder: parts.scriptsFolder, validatorWorker: parts.worker,
      tokenWorker: parts.tokenWorker ?? new URL('no-token-worker.mjs', import.meta.url),
      keyring: options.keyring ?? new MemoryKeyring(), localServers: [], ...(options.browser ? { browser: options.browser } : {}),
      transports: { waits: { stdinMs: 300, termMs: 300 } },
    });
    const ports = { ...node.ports, ...(options.models ? { models: options.models } : {}), ...(options.clock ? { clock: options.clock } : {}) };
    const app = await createApp(ports, { version: '0.0.0-test', environment: node.environment, redactor: node.redactor, hasWindow: options.hasWindow ?? true });
    return new TestApp(app, { home, person }, options.caller ?? { door: 'window', windowId: 1 }, async () => {
      await app.close();
      await node[Symbol.asyncDispose]();
      if (options.home === undefined) rmSync(home, { recursive: true, force: true });
      if (options.person === undefined) rmSync(person, { recursive: true, force: true });
    });
  }

  /** As a door asks. Throws AppError with the reply's code. */
  async ask<K extends keyof Contract>(route: K, input: InputOf<Contract[K]>, caller = this.#caller): Promise<OutputOf<Contract[K]>> {
    const reply = await this.app.dispatch(route, input, { caller, signal: new AbortController().signal });
    if (!reply.ok) throw new AppError(reply.error.code, reply.error.message, { data: reply.error.data });
    return reply.value as OutputOf<Contract[K]>; // dispatch pairs each route with its own output
  }

  get state() {
    return this.app.state.current;
  }

  server(name: string): ServerId {
    const row = Object.values(this.state.servers).find((candidate) => candidate.definition.name === name);
    if (!row) throw new Error(`There is no server ${name}`);
    return row.definition.id;
  }

  /** Resolves when the app's state fits; the state changes by actions, so nothing is polled. */
  async until(fits: (state: TestApp['state']) => boolean): Promise<void> {
    await waitFor(this.app.state, fits);
  }

  /** Adds a stdio server that runs `node file …args`, and waits until it is ready. */
  async addServer(name: string, file: string, args: readonly string[] = []): Promise<ServerId> {
    const { serverId } = await this.ask('servers.add', { name, transport: { type: 'stdio', command: process.execPath, args: [file, ...args], env: {} } });
    await this.until((state) => state.servers[serverId]?.connection.phase === 'ready' && state.servers[serverId]?.counts !== undefined);
    return serverId;
  }

  async startNotes(): Promise<ServerId> {
    const id = this.server('Notes');
    await this.ask('servers.start', { serverId: id });
    await this.until((state) => state.servers[id]?.counts !== undefined);
    return id;
  }

  async tool(serverId: ServerId, name: string): Promise<CatalogTool> {
    const catalog = await this.ask('servers.catalog', { serverId });
    const tool = catalog?.tools.find((candidate) => candidate.ref.tool === name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    return tool;
  }

  async chat(chatId: ChatId): Promise<ChatState> {
    using following = await this.app.follow(`chat/${chatId}`, () => undefined, new AbortController().signal);
    return following.state as ChatState; // what this topic holds
  }

  async untilChat(chatId: ChatId, fits: (chat: ChatState) => boolean): Promise<ChatState> {
    const abort = new AbortController();
    return new Promise<ChatState>((resolve, reject) => {
      let following: Disposable | undefined;
      const look = () => {
        this.chat(chatId).then((chat) => {
          if (!fits(chat)) return;
          following?.[Symbol.dispose]();
          resolve(chat);
        }, reject);
      };
      this.app.follow(`chat/${chatId}`, look, abort.signal).then((handle) => {
        following = handle;
        look();
      }, reject);
    });
  }

  /** Runs a tool as Direct mode does, to its end. */
  async call(chatId: ChatId, serverId: ServerId, name: string, args: Record<string, unknown>): Promise<ToolCallView & { phase: 'settled' }> {
    const { ref } = await this.tool(serverId, name);
    const { callId } = await this.ask('chats.call-tool', { chatId, ref, args });
    const chat = await this.untilChat(chatId, ({ calls }) => calls[callId]?.phase === 'settled');
    const view = chat.calls[callId];
    if (view?.phase !== 'settled') throw new Error('The call did not settle');
    return view;
  }

  async newChat(): Promise<ChatId> {
    return (await this.ask('chats.create', {})).chatId;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }
}

/** The environment of whoever runs the tests may hold servers and settings of their own. */
const withoutOwn = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => Object.fromEntries(Object.entries(env).filter(([name]) => !/^(GATEHOUSE|HARNESS)_/.test(name)));

function waitFor<S>(store: { readonly current: S; follow(listener: () => void): Disposable }, fits: (state: S) => boolean): Promise<void> {
  if (fits(store.current)) return Promise.resolve();
  return new Promise((resolve) => {
    const following = store.follow(() => {
      if (!fits(store.current)) return;
      following[Symbol.dispose]();
      resolve();
    });
  });
}
