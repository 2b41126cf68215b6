import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { attach } from '../../src/cli/attach.ts';
import { CoreClient } from '../../src/cli/client.ts';
import { openOwnerDoor } from '../../src/http/owner-door.ts';
import type { AppState } from '../../src/shared/state/app-state.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

const never = new AbortController().signal;
let parts: BuiltParts;
let app: TestApp;
let door: AsyncDisposable;
let client: CoreClient;
beforeAll(async () => {
  parts = await buildParts();
}, 60_000);
afterAll(() => parts?.[Symbol.asyncDispose]());
beforeEach(async () => {
  app = await TestApp.open(parts);
  door = await openOwnerDoor({ app: app.app, home: app.home, log: { error: () => undefined } });
  const core = await attach(app.home, never);
  if (!core) throw new Error('There is no door');
  client = new CoreClient('app', core);
});
afterEach(async () => {
  await door[Symbol.asyncDispose]();
  await app[Symbol.asyncDispose]();
});

it('asks the running core, and gets its errors with code and data', async () => {
  expect(await client.request('app.info', undefined, never)).toMatchObject({ version: '0.0.0-test', home: app.home });
  await expect(client.request('servers.start', { serverId: app.server('Notes'), extra: 1 } as never, never)).rejects.toMatchObject({ code: 'request/invalid', data: [expect.anything()] });
  await client.request('settings.update', { theme: 'dark' }, never);
  expect(app.state.settings.theme).toBe('dark');
});

it('follows the state as the window does, and is told no more once it stopped', async () => {
  const stop = new AbortController();
  const seen: AppState[] = [];
  await client.follow((state) => seen.push(state), stop.signal);
  expect(seen.at(-1)?.settings.theme).toBe('system');
  await app.ask('settings.update', { theme: 'light' });
  await vi.waitFor(() => expect(seen.at(-1)).toEqual(JSON.parse(JSON.stringify(app.state))), { timeout: 5_000, interval: 10 });
  stop.abort();
  await vi.waitFor(() => expect(app.app.state.followers).toBe(0), { timeout: 5_000, interval: 10 });
  const count = seen.length;
  await app.ask('settings.update', { theme: 'dark' });
  expect(seen).toHaveLength(count);
  await expect(client.state(AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
});

it('a core that has gone is told apart from one that refuses', async () => {
  await door[Symbol.asyncDispose]();
  await expect(client.request('app.info', undefined, never)).rejects.toMatchObject({ code: 'connection/closed' });
  await expect(client.state(never)).rejects.toMatchObject({ code: 'connection/closed' });
  expect(await attach(app.home, never)).toBeUndefined();
});
