import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createApp, type App } from '../src/core/app.ts';
import { createNodePorts } from '../src/node/node-ports.ts';
import type { ChatId, ServerId } from '../src/shared/ids.ts';
import type { Contract } from '../src/shared/ipc/contract.ts';
import type { InputOf, OutputOf } from '../src/shared/ipc/define.ts';
import type { CatalogTool } from '../src/shared/model/catalog.ts';
import type { ChatState } from '../src/shared/state/chat-state.ts';
import { MemoryKeyring } from '../test/support/memory-keyring.ts';

/** The whole core on its real ports under plain Node, with the built worker and servers. */
export interface CoreApp extends AsyncDisposable {
  ask<K extends keyof Contract>(route: K, input: InputOf<Contract[K]>): Promise<OutputOf<Contract[K]>>;
  /** Connects a server, and gives one of its tools. */
  toolOf(serverId: ServerId, name: string): Promise<CatalogTool>;
  notes(): ServerId;
  /** Calls as Direct mode does, one after the other, each seen to its end by a follower of the chat. */
  call(chatId: ChatId, tool: CatalogTool, args: Readonly<Record<string, unknown>>, times: number): Promise<void>;
}

export async function openCore(home: string): Promise<CoreApp> {
  const built = join(process.cwd(), 'out');
  const node = await createNodePorts({
    env: { ...process.env, GATEHOUSE_HOME: home }, interaction: 'person',
    network: { onBack: () => ({ [Symbol.dispose]: () => undefined }) },
    runtime: process.execPath, scriptsFolder: join(built, 'servers'),
    validatorWorker: pathToFileURL(join(built, 'main', 'validator-worker.js')),
    tokenWorker: pathToFileURL(join(built, 'main', 'token-worker.js')),
    keyring: new MemoryKeyring(), localServers: [],
  });
  const app = await createApp(node.ports, { version: '0.0.0-bench', environment: node.environment, redactor: node.redactor });
  const { signal } = new AbortController();
  const ask: CoreApp['ask'] = async (route, input) => {
    const reply = await app.dispatch(route, input, { caller: { door: 'window', windowId: 1 }, signal });
    if (!reply.ok) throw new Error(`${route}: ${reply.error.code} ${reply.error.message}`);
    return reply.value as never; // dispatch pairs each route with its own output
  };
  return {
    ask,
    async toolOf(serverId, name) {
      await ask('servers.start', { serverId });
      await until(app, () => app.state.current.servers[serverId]?.counts !== undefined);
      const tool = (await ask('servers.catalog', { serverId }))?.tools.find(({ ref }) => ref.tool === name);
      if (!tool) throw new Error(`there is no tool ${name}`);
      return tool;
    },
    notes() {
      const row = Object.values(app.state.current.servers).find(({ definition }) => definition.name === 'Notes');
      if (!row) throw new Error('the app has no Notes');
      return row.definition.id;
    },
    async call(chatId, { ref }, args, times) {
      const follower = new EventTarget();
      const hear = ({ action }: { readonly action: unknown }) => follower.dispatchEvent(new Event(settledBy(action) ?? 'other'));
      using _following = await app.follow(`chat/${chatId}`, hear, signal);
      for (let done = 0; done < times; done += 1) {
        const ended = once(follower, 'settled');
        await ask('chats.call-tool', { chatId, ref, args: { ...args } });
        await ended;
      }
      await checkOutcomes(app, chatId, times);
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await node[Symbol.asyncDispose]();
    },
  };
}

const settledBy = (action: unknown): 'settled' | undefined =>
  isRecord(action) && isRecord(action['entry']) && action['entry']['type'] === 'call-settled' ? 'settled' : undefined;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Calls that failed fast would make a fine figure. */
async function checkOutcomes(app: App, chatId: ChatId, times: number): Promise<void> {
  using now = await app.follow(`chat/${chatId}`, () => undefined, new AbortController().signal);
  const { calls } = now.state as ChatState; // what this topic holds
  const good = Object.values(calls).filter((call) => call.phase === 'settled' && call.outcome.kind === 'succeeded').length;
  if (good !== times) throw new Error(`${times - good} of ${times} calls did not succeed`);
}

function until(app: App, fits: () => boolean): Promise<void> {
  if (fits()) return Promise.resolve();
  return new Promise((resolve) => {
    const following = app.state.follow(() => {
      if (!fits()) return;
      following[Symbol.dispose]();
      resolve();
    });
  });
}
