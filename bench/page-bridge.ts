import type { Page } from '@playwright/test';
import type { Bridge } from '../src/shared/ipc/channels.ts';
import type { Contract } from '../src/shared/ipc/contract.ts';
import type { InputOf, OutputOf, Reply } from '../src/shared/ipc/define.ts';
import type { ShellContract } from '../src/shared/ipc/shell-contract.ts';
import type { ConnectionState } from '../src/shared/model/connection-state.ts';
import type { AppState } from '../src/shared/state/app-state.ts';

type Routes = Contract & ShellContract;
let lastId = 1_000_000;

/** Asks over the page's own bridge, beside what the window itself asks. */
export async function ask<K extends keyof Routes>(page: Page, route: K, input: InputOf<Routes[K]>): Promise<OutputOf<Routes[K]>> {
  lastId += 1;
  const request = (message: { readonly id: number; readonly route: string; readonly input: unknown }): Promise<unknown> => {
    const bridge = Reflect.get(globalThis, 'gatehouse') as Bridge; // what the preload gives the page
    return bridge.request(message);
  };
  const reply = (await page.evaluate(request, { id: lastId, route, input })) as Reply<unknown>; // main answers with nothing else
  if (!reply.ok) throw new Error(`${route}: ${reply.error.code} ${reply.error.message}`);
  return reply.value as OutputOf<Routes[K]>; // the contract pairs them
}

/** How the servers are whose names begin so. Only that leaves the page: the app's whole state would be a measurable part of what is measured. */
export async function connectionsOf(page: Page, prefix: string): Promise<readonly ConnectionState[]> {
  lastId += 1;
  const look = async ({ id, begins }: { readonly id: number; readonly begins: string }): Promise<readonly ConnectionState[]> => {
    const bridge = Reflect.get(globalThis, 'gatehouse') as Bridge; // what the preload gives the page
    const reply = (await bridge.request({ id, route: 'shell.follow', input: { topic: 'app' } })) as Reply<{ readonly state: AppState }>; // main answers with nothing else
    if (!reply.ok) throw new Error(reply.error.message);
    return Object.values(reply.value.state.servers).flatMap(({ definition, connection }) => (definition.name.startsWith(begins) ? [connection] : []));
  };
  return page.evaluate(look, { id: lastId, begins: prefix });
}

export const appState = async (page: Page): Promise<AppState> =>
  (await ask(page, 'shell.follow', { topic: 'app' })).state as AppState; // what this topic holds
