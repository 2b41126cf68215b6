import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import type { Reply, RequestContext } from '../../shared/ipc/define.ts';
import type { StateMessage } from '../../shared/ipc/channels.ts';
import type { Envelope } from '../../shared/state/follower.ts';
import { Commands } from './commands.ts';
import { Pages } from './pages.ts';
import { answerRequest, cancelRequest, type RequestDeps } from './requests.ts';
import { createShell } from './shell-handlers.ts';

type Listener = (envelope: Envelope<unknown>) => void;

/** A window's web contents, as far as the door sees them. */
class FakeContents {
  readonly id = 7;
  /** What came in one message of the channel. */
  readonly batches: (readonly StateMessage[])[] = [];
  get sent(): readonly StateMessage[] {
    return this.batches.flat();
  }
  readonly listeners = new Map<string, () => void>();
  readonly mainFrame = { parent: null, url: 'app://gatehouse/index.html', origin: 'app://gatehouse' };
  on = (event: string, listener: () => void) => this.listeners.set(event, listener);
  once = this.on;
  isDestroyed = () => false;
  send = (_channel: string, messages: readonly StateMessage[]) => void this.batches.push(messages);
}

function setUp(app?: Promise<never>) {
  const contents = new FakeContents();
  const calls: { route: string; input: unknown; context: RequestContext }[] = [];
  const listeners = new Map<string, Set<Listener>>();
  const shellCalls: string[] = [];
  const refused: string[] = [];
  const core = {
    dispatch: async (route: string, input: unknown, context: RequestContext): Promise<Reply<unknown>> => {
      calls.push({ route, input, context });
      if (route !== 'wait') return { ok: true, value: 'from core' };
      if (!context.signal.aborted) await new Promise((resolve) => context.signal.addEventListener('abort', resolve, { once: true }));
      return { ok: false, error: AppError.from(context.signal.reason).toData() };
    },
    async follow(topic: string, listener: Listener) {
      if (topic !== 'app') throw new AppError('request/unknown-route', 'No such topic');
      const set = listeners.get(topic) ?? new Set();
      listeners.set(topic, set.add(listener));
      return { seq: 3, state: { a: 1 }, [Symbol.dispose]: () => void set.delete(listener) };
    },
  };
  const commands = new Commands((id) => pages.find(id) !== undefined);
  const pages: Pages = new Pages('state', (host) => commands.flush(host));
  const shell = createShell({
    app: app ?? Promise.resolve(core),
    openExternal: async (url) => void shellCalls.push(url),
    choose: async (what) => what,
    chooseSave: async (name) => `/chosen/${name}`,
    writeText: async (path, text) => void shellCalls.push(`${path}: ${text}`),
    writeContent: async (path, id) => void shellCalls.push(`${path}: content ${id}`),
    copy: async (text) => void shellCalls.push(text),
    quit: () => void shellCalls.push('quit'),
    restart: () => void shellCalls.push('restart'),
    interactive: () => void shellCalls.push('interactive'),
    setTheme: (theme) => void shellCalls.push(theme),
    onBug: (error) => { throw error; },
  });
  const deps: RequestDeps = {
    windows: new Set([7]), origins: new Set(['app://gatehouse']), pages, app: app ?? Promise.resolve(core), shell: Promise.resolve(shell), onRefused: (why) => void refused.push(why),
  };
  const event = { sender: contents, senderFrame: contents.mainFrame };
  const say = (message: unknown, token: unknown = 'page 1', from: unknown = event) => answerRequest(deps, from as never, message, token); // as much of an event as is read
  const cancel = (id: unknown, token: unknown = 'page 1', from: unknown = event) => cancelRequest(deps, from as never, id, token);
  const ask = (id: number, route: string, input?: unknown, token?: string) => say({ id, route, input }, token);
  const emit = (seq: number) => listeners.get('app')?.forEach((listener) => listener({ seq, action: { type: 'x' } }));
  return { contents, calls, listeners, shellCalls, refused, pages, commands, event, say, cancel, ask, emit };
}
const code = (reply: Reply<unknown>) => (reply.ok ? 'ok' : reply.error.code);

describe('a request', () => {
  it('reaches the core with the window as its caller', async () => {
    const { ask, calls } = setUp();
    expect(await ask(1, 'chats.create', { model: null })).toEqual({ ok: true, value: 'from core' });
    expect(calls[0]).toMatchObject({ route: 'chats.create', input: { model: null }, context: { caller: { door: 'window', windowId: 7 } } });
  });

  it('from a page that is not ours is refused and reaches nothing', async () => {
    const { say, cancel, calls, refused, event } = setUp();
    const forged = { ...event, senderFrame: { ...event.senderFrame, url: 'https://evil.example/', origin: 'https://evil.example' } };
    expect(code(await say({ id: 1, route: 'chats.create' }, 'page 1', forged))).toBe('request/forbidden');
    cancel(1, 'page 1', forged);
    expect(calls).toEqual([]);
    expect(refused).toHaveLength(2);
  });

  it.each([
    ['nothing', undefined], ['a text', 'chats.create'], ['no id', { route: 'x' }], ['a fraction for an id', { id: 1.5, route: 'x' }],
    ['no route', { id: 1 }], ['a list for a route', { id: 1, route: ['x'] }], ['a route without end', { id: 1, route: 'x'.repeat(201) }],
  ])('that is %s is invalid', async (_name, message) => {
    const { say, calls } = setUp();
    expect(code(await say(message))).toBe('request/invalid');
    expect(calls).toEqual([]);
  });

  it('needs its page, and an id that the page does not use already', async () => {
    const { say, ask, cancel } = setUp();
    for (const token of [5, null, 'x'.repeat(101)]) expect(code(await say({ id: 1, route: 'x' }, token))).toBe('request/invalid');
    const waiting = ask(2, 'wait');
    expect(code(await ask(2, 'x'))).toBe('request/invalid');
    cancel(2);
    expect(code(await waiting)).toBe('run/cancelled');
    expect(code(await ask(2, 'x'))).toBe('ok');
  });

  it('waits for the core, and is answered with the reason when that cannot open', async () => {
    const { ask } = setUp(Promise.reject(new AppError('home/in-use', 'Another program uses it')));
    expect(code(await ask(1, 'chats.create'))).toBe('home/in-use');
  });

  it('can be cancelled while the core still opens', async () => {
    const { ask, cancel } = setUp(new Promise(() => undefined));
    const waiting = ask(1, 'chats.create');
    cancel(1);
    expect(code(await waiting)).toBe('run/cancelled');
  });

  it('ends with its page: by the next load, a crash, or the end of the window', async () => {
    const { ask, contents } = setUp();
    const first = ask(1, 'wait');
    expect(code(await ask(1, 'x', undefined, 'page 2'))).toBe('ok');
    expect(code(await first)).toBe('run/cancelled');
    for (const event of ['render-process-gone', 'destroyed']) {
      const waiting = ask(2, 'wait', undefined, 'page 2');
      contents.listeners.get(event)?.();
      expect(code(await waiting)).toBe('run/cancelled');
    }
  });

  it('is not cancelled by an earlier load of the page', async () => {
    const { ask, cancel, calls } = setUp();
    const waiting = ask(1, 'wait', undefined, 'page 2');
    await expect.poll(() => calls.length).toBe(1);
    cancel(1, 'page 1');
    expect(calls[0]?.context.signal.aborted).toBe(false);
    cancel(1, 'page 2');
    expect(code(await waiting)).toBe('run/cancelled');
  });
});

describe('the shell', () => {
  it('answers its own routes and no inherited ones', async () => {
    const { ask, shellCalls, calls } = setUp();
    expect(await ask(1, 'shell.copy', { text: 'a' })).toEqual({ ok: true, value: undefined });
    expect(await ask(2, 'shell.choose-folder')).toEqual({ ok: true, value: 'folder' });
    expect(await ask(6, 'shell.choose-save', { name: 'a.tgz' })).toEqual({ ok: true, value: '/chosen/a.tgz' });
    expect(await ask(7, 'shell.save-text', { name: 'a.json', text: '{}' })).toEqual({ ok: true, value: '/chosen/a.json' });
    expect(code(await ask(3, 'shell.quit'))).toBe('ok');
    expect(code(await ask(5, 'shell.restart'))).toBe('ok');
    expect(code(await ask(8, 'shell.interactive'))).toBe('ok');
    expect(await ask(12, 'shell.save-content', { id: 'abc', name: 'a.png' })).toEqual({ ok: true, value: '/chosen/a.png' });
    expect(shellCalls).toEqual(['a', '/chosen/a.json: {}', 'quit', 'restart', 'interactive', '/chosen/a.png: content abc']);
    for (const route of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) await ask(4, route);
    expect(calls.map((call) => call.route)).toEqual(['constructor', '__proto__', 'toString', 'hasOwnProperty']);
  });

  it.each<[string, unknown]>([
    ['shell.save-text', { name: '../a', text: '' }], ['shell.save-content', { id: 'abc', name: '../a' }], ['shell.save-content', { id: '../abc', name: 'a' }], ['shell.choose-save', { name: '../a' }], ['shell.choose-save', { name: '' }],
    ['shell.copy', { text: 'x'.repeat(4_194_305) }], ['shell.copy', { text: 'x', more: 1 }], ['shell.copy', undefined],
    ['shell.follow', { topic: 'x'.repeat(9_001) }], ['shell.theme', { theme: 'sepia' }], ['shell.quit', { now: true }], ['shell.open-external', { url: 'file:///etc/passwd' }],
    ['shell.open-external', { url: 'javascript:alert(1)' }], ['shell.open-external', { url: 'http://web.example/' }],
  ])('refuses a bad input of %s', async (route, input) => {
    const { ask, shellCalls } = setUp();
    expect(code(await ask(1, route, input))).toBe('request/invalid');
    expect(shellCalls).toEqual([]);
  });
});

describe('a page that follows a topic', () => {
  it('gets a snapshot, then each action once, until it stops', async () => {
    const { ask, emit, contents, listeners } = setUp();
    expect(await ask(1, 'shell.follow', { topic: 'app' })).toEqual({ ok: true, value: { seq: 3, state: { a: 1 } } });
    await ask(2, 'shell.follow', { topic: 'app' });
    emit(4);
    expect(contents.sent).toEqual([{ topic: 'app', envelope: { seq: 4, action: { type: 'x' } } }]);
    await ask(3, 'shell.unfollow', { topic: 'app' });
    emit(5);
    expect(contents.sent).toHaveLength(1);
    expect(listeners.get('app')?.size).toBe(0);
  });

  it('gets the first change at once and many after it together, in their order, and before the answer to what it asked', async () => {
    const { ask, emit, contents } = setUp();
    const numbers = () => contents.batches.map((batch) => batch.map(({ envelope }) => envelope.seq));
    await ask(1, 'shell.follow', { topic: 'app' });
    for (let seq = 4; seq <= 200; seq += 1) emit(seq);
    expect(numbers()).toEqual([[4]]);
    await expect.poll(numbers).toEqual([[4], Array.from({ length: 196 }, (_, at) => at + 5)]);
    emit(201);
    emit(202);
    await ask(2, 'anything');
    expect(numbers().flat().at(-1)).toBe(202);
  });

  it('gets nothing of what was gathered for it once it has loaded again', async () => {
    const { ask, emit, contents } = setUp();
    await ask(1, 'shell.follow', { topic: 'app' });
    emit(4);
    emit(5);
    await ask(1, 'shell.copy', { text: '' }, 'page 2');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(contents.sent.map(({ envelope }) => envelope.seq)).toEqual([4]);
  });

  it('no longer does after it has loaded again', async () => {
    const { ask, emit, contents, listeners } = setUp();
    await ask(1, 'shell.follow', { topic: 'app' });
    await ask(1, 'shell.copy', { text: '' }, 'page 2');
    emit(4);
    expect(contents.sent).toEqual([]);
    expect(listeners.get('app')?.size).toBe(0);
  });

  it('can stop before the core has opened', async () => {
    const { ask } = setUp(new Promise(() => undefined));
    const waiting = ask(1, 'shell.follow', { topic: 'app' });
    await ask(2, 'shell.unfollow', { topic: 'app' });
    expect(code(await waiting)).toBe('run/cancelled');
  });

  it('is told that there is no such topic', async () => {
    expect(code(await setUp().ask(1, 'shell.follow', { topic: 'constructor' }))).toBe('request/unknown-route');
  });
});

it('a command waits until the page listens, and only the last one does', async () => {
  const { ask, commands, contents } = setUp();
  commands.send(contents, { type: 'command', command: 'palette' });
  commands.send(contents, { type: 'command', command: 'approvals', id: 'a1' });
  expect(contents.sent).toEqual([]);
  await ask(1, 'shell.follow', { topic: 'app' });
  expect(contents.sent).toEqual([{ topic: 'command', envelope: { seq: 0, action: { type: 'command', command: 'approvals', id: 'a1' } } }]);
  commands.send(contents, { type: 'command', command: 'settings' });
  expect(contents.sent).toHaveLength(2);
});
