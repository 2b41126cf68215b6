import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import type { App } from '../core/app.ts';
import { AppError } from '../shared/errors.ts';
import { contract } from '../shared/ipc/contract.ts';
import type { RequestContext } from '../shared/ipc/define.ts';
import type { Envelope } from '../shared/state/follower.ts';
import { findDoor, type DoorKey } from './door-place.ts';
import { openOwnerDoor, type DoorLimits } from './owner-door.ts';
import { ownerRouteNames } from './owner-routes.ts';

/** A core that remembers who asked what, and answers when the test says so. */
class Core implements Pick<App, 'dispatch' | 'follow'> {
  readonly asked: { readonly route: string; readonly input: unknown; readonly context: RequestContext }[] = [];
  readonly following: { readonly topic: string; readonly signal: AbortSignal; send(envelope: Envelope<unknown>): void }[] = [];
  ended = 0;
  answer: (signal: AbortSignal) => Promise<unknown> = async () => 'fine';
  snapshot: Promise<unknown> = Promise.resolve({ servers: {} });

  readonly dispatch: App['dispatch'] = async (route, input, context) => {
    this.asked.push({ route, input, context });
    return { ok: true, value: await this.answer(context.signal) };
  };

  readonly follow: App['follow'] = async (topic, send, signal) => {
    if (topic !== 'app') throw new AppError('request/unknown-route', 'There is no such topic');
    this.following.push({ topic, signal, send });
    return { seq: 1, state: await this.snapshot, [Symbol.dispose]: () => void (this.ended += 1) };
  };
}

interface Opened {
  readonly core: Core;
  readonly key: DoorKey;
  readonly door: AsyncDisposable;
  readonly problems: unknown[];
}
async function opened(limits: Partial<DoorLimits> = {}): Promise<Opened> {
  const home = tempFolder();
  const core = new Core();
  const problems: unknown[] = [];
  const door = await openOwnerDoor({ app: core, home, limits, log: { error: (_message, error) => void problems.push(error) } });
  onTestFinished(() => door[Symbol.asyncDispose]());
  const key = await findDoor(home);
  if (!key) throw new Error('There is no door');
  return { core, key, door, problems };
}

interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
function ask({ socket, token }: DoorKey, { method = 'POST', path = '/request', body, text = JSON.stringify(body), headers = {}, signal }: Ask): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const all = { host: 'gatehouse', authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
    const asked = request({ socketPath: socket, method, path, headers: all, agent: false, ...(signal ? { signal } : {}) }, resolve);
    asked.on('error', reject);
    asked.end(method === 'GET' ? undefined : text);
  });
}
async function json(answer: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text === '' ? undefined : JSON.parse(text);
}
/** The lines of a follow, as they come. */
function lines(answer: IncomingMessage): { readonly all: unknown[] } {
  const all: unknown[] = [];
  let rest = '';
  answer.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop() ?? '';
    all.push(...parts.map((part) => JSON.parse(part) as unknown));
  });
  answer.on('error', () => undefined);
  return { all };
}
async function raw(socket: string): Promise<{ readonly connection: Socket; readonly text: () => string; readonly closed: Promise<unknown> }> {
  const connection = connect(socket);
  let text = '';
  connection.on('data', (chunk) => (text += chunk.toString()));
  connection.on('error', () => undefined);
  onTestFinished(() => void connection.destroy());
  await once(connection, 'connect');
  return { connection, text: () => text, closed: once(connection, 'close') };
}

it('answers a request as the core does, for a caller at a terminal', async () => {
  const { core, key } = await opened();
  const answer = await ask(key, { body: { route: 'app.info', input: { a: 1 } } });
  expect(answer.statusCode).toBe(200);
  expect(await json(answer)).toEqual({ ok: true, value: 'fine' });
  expect(core.asked).toMatchObject([{ route: 'app.info', input: { a: 1 }, context: { caller: { kind: 'cli' } } }]);
});

it('offers every route of the contract by name, and no other', async () => {
  expect([...ownerRouteNames].toSorted()).toEqual(Object.keys(contract).toSorted());
  const { core, key } = await opened();
  for (const route of ['constructor', '__proto__', 'shell.quit', '', 'app.info ']) {
    expect(await json(await ask(key, { body: { route } }))).toMatchObject({ ok: false, error: { code: 'request/unknown-route' } });
  }
  expect(core.asked).toEqual([]);
});

it.each(['', 'nonsense', '[]', '{"route":1}', '{"input":{}}', '{"route":"app.info","caller":{"kind":"window"}}'])('takes no “%s” for a request', async (text) => {
  const { core, key } = await opened();
  expect(await json(await ask(key, { text }))).toMatchObject({ ok: false, error: { code: 'request/invalid' } });
  expect(core.asked).toEqual([]);
});

it('tells who lacks the token nothing at all', async () => {
  const { core, key } = await opened();
  const answer = await ask(key, { body: { route: 'app.info' }, headers: { authorization: 'Bearer wrong' } });
  expect(answer.statusCode).toBe(401);
  expect(await json(answer)).toBeUndefined();
  expect(Object.keys(answer.headers).toSorted()).toEqual(['connection', 'content-length', 'date']);
  expect(core.asked).toEqual([]);
});

it('refuses a page of a browser, another path, another method and another type', async () => {
  const { core, key } = await opened();
  const status = async (what: Ask) => (await ask(key, what)).statusCode;
  expect(await status({ headers: { origin: 'http://localhost' } })).toBe(403);
  expect(await status({ path: '/' })).toBe(404);
  expect(await status({ method: 'GET' })).toBe(405);
  expect(await status({ headers: { 'content-type': 'text/plain' } })).toBe(415);
  expect(core.asked).toEqual([]);
});

it('holds no more of a body than it may, whether its length is said or not', async () => {
  const { core, key } = await opened({ bodyBytes: 1_000 });
  expect((await ask(key, { text: 'x'.repeat(1_001) })).statusCode).toBe(413);
  const { connection, text } = await raw(key.socket);
  connection.write(`POST /request HTTP/1.1\r\nHost: gatehouse\r\nAuthorization: Bearer ${key.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`);
  connection.write(`400\r\n${'x'.repeat(0x400)}\r\n`);
  await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 413 /), { timeout: 5_000, interval: 5 });
  expect(core.asked).toEqual([]);
});

it('cuts off who is slow with the headers, and who is slow with the body', async () => {
  const { core, key } = await opened({ headersMs: 100, requestMs: 200 });
  const silent = await raw(key.socket);
  const slow = await raw(key.socket);
  slow.connection.write(`POST /request HTTP/1.1\r\nHost: gatehouse\r\nAuthorization: Bearer ${key.token}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  await Promise.all([silent.closed, slow.closed]);
  expect(slow.text()).not.toContain('200 OK');
  expect(core.asked).toEqual([]);
});

it('does not mind that an answer takes long', async () => {
  const { core, key } = await opened({ headersMs: 50, requestMs: 100 });
  core.answer = () => new Promise((resolve) => setTimeout(() => resolve('late'), 600));
  expect(await json(await ask(key, { body: { route: 'app.info' } }))).toEqual({ ok: true, value: 'late' });
});

it('has room for so many connections and no more', async () => {
  const { key } = await opened({ connections: 2 });
  const first = await raw(key.socket);
  await raw(key.socket);
  const third = await raw(key.socket);
  await third.closed;
  first.connection.destroy();
  await first.closed;
  await vi.waitFor(async () => expect((await ask(key, { body: { route: 'app.info' } })).statusCode).toBe(200), { timeout: 5_000, interval: 20 });
});

it('stops what was asked for when the asker goes away', async () => {
  const { core, key } = await opened();
  core.answer = (signal) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
  const away = new AbortController();
  const asking = ask(key, { body: { route: 'app.info' }, signal: away.signal }).catch((error: unknown) => error);
  await vi.waitFor(() => expect(core.asked).toHaveLength(1), { timeout: 5_000, interval: 5 });
  expect(core.asked[0]?.context.signal.aborted).toBe(false);
  away.abort();
  await asking;
  await vi.waitFor(() => expect(core.asked[0]?.context.signal.aborted).toBe(true), { timeout: 5_000, interval: 5 });
});

it('gives a follower the snapshot first and each action after it, until it goes away', async () => {
  const { core, key } = await opened();
  let ready = (_state: unknown): void => undefined;
  core.snapshot = new Promise((resolve) => (ready = resolve));
  const asking = ask(key, { method: 'GET', path: '/follow?topic=app' });
  await vi.waitFor(() => expect(core.following).toHaveLength(1), { timeout: 5_000, interval: 5 });
  core.following[0]?.send({ seq: 2, action: { type: 'early' } });
  ready({ a: 1 });
  const answer = await asking;
  expect(answer.headers['content-type']).toBe('application/x-ndjson');
  const { all } = lines(answer);
  core.following[0]?.send({ seq: 3, action: { type: 'later', text: 'two\nlines' } });
  const expected = [{ snapshot: { seq: 1, state: { a: 1 } } }, { envelope: { seq: 2, action: { type: 'early' } } }, { envelope: { seq: 3, action: { type: 'later', text: 'two\nlines' } } }];
  await vi.waitFor(() => expect(all).toEqual(expected), { timeout: 5_000, interval: 5 });
  expect(core.ended).toBe(0);
  answer.destroy();
  await vi.waitFor(() => expect(core.ended).toBe(1), { timeout: 5_000, interval: 5 });
});

it('says that there is no such topic', async () => {
  const { key } = await opened();
  const answer = await ask(key, { method: 'GET', path: '/follow?topic=nothing' });
  expect(answer.statusCode).toBe(404);
  expect(await json(answer)).toMatchObject({ ok: false, error: { code: 'request/unknown-route' } });
});

it('cuts off a follower that does not read', async () => {
  const { core, key, problems } = await opened({ unreadBytes: 100_000 });
  const answer = await ask(key, { method: 'GET', path: '/follow?topic=app' });
  answer.pause();
  await vi.waitFor(() => expect(core.following).toHaveLength(1), { timeout: 5_000, interval: 5 });
  for (let seq = 2; seq < 200; seq++) core.following[0]?.send({ seq, action: { text: 'x'.repeat(20_000) } });
  await vi.waitFor(() => expect(core.ended).toBe(1), { timeout: 5_000, interval: 5 });
  core.following[0]?.send({ seq: 200, action: {} });
  expect(problems).toEqual([]);
});

it('ends with everything that is open, and lets nobody in any more', async () => {
  const { core, key, door } = await opened();
  core.answer = (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('told to stop')));
  const asking = ask(key, { body: { route: 'app.info' } }).then(json);
  const following = await ask(key, { method: 'GET', path: '/follow?topic=app' });
  lines(following);
  const ended = once(following, 'close');
  await vi.waitFor(() => expect(core.asked).toHaveLength(1), { timeout: 5_000, interval: 5 });
  await door[Symbol.asyncDispose]();
  expect(await asking).toEqual({ ok: true, value: 'told to stop' });
  await ended;
  expect(core.ended).toBe(1);
  await expect(ask(key, { body: { route: 'app.info' } })).rejects.toMatchObject({ code: 'ENOENT' });
});

it('does not wait for what will not stop', async () => {
  const { core, key, door } = await opened();
  core.answer = () => new Promise(() => undefined);
  const asking = ask(key, { body: { route: 'app.info' } }).catch(() => 'cut off');
  await vi.waitFor(() => expect(core.asked).toHaveLength(1), { timeout: 5_000, interval: 5 });
  await door[Symbol.asyncDispose]();
  expect(await asking).toBe('cut off');
});

it('tells the log about a bug, and the asker nothing of it', async () => {
  const { core, key, problems } = await opened();
  core.answer = () => Promise.reject(new Error('/home/me/secret'));
  await expect(ask(key, { body: { route: 'app.info' } })).rejects.toThrow();
  expect(problems).toMatchObject([{ message: '/home/me/secret' }]);
});
