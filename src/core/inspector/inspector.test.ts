import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RawServer } from '../../../test/servers/http/raw-server.ts';
import { eventually, http, stdio, TestPool } from '../../../test/support/test-pool.ts';
import { ServerId } from '../../shared/ids.ts';
import type { ProtocolMessage } from '../../shared/model/protocol-message.ts';
import type { MessagesAction } from '../../shared/state/messages-state.ts';
import { reduceMessages } from '../../shared/state/messages-state.ts';
import { Inspector } from './inspector.ts';

const a = ServerId.parse('global:a');
const request = (id: number, method = 'tools/call', params: object = { name: 'echo' }) => ({ jsonrpc: '2.0' as const, id, method, params: { ...params } });
const answer = (id: number, result: object = {}) => ({ jsonrpc: '2.0' as const, id, result: { ...result } });

class Fixture {
  now = 1000;
  secrets = new Set<string>();
  readonly inspector = new Inspector({ now: () => this.now, mask: (text) => [...this.secrets].reduce((masked, secret) => masked.replaceAll(secret, '•••'), text) });
  rows = (serverId = a): readonly ProtocolMessage[] => this.inspector.log(serverId).state.messages;
}

describe('messages of a server', () => {
  it('are rows with method, kind, size and time; an answer and its request know each other and how long it took', () => {
    const test = new Fixture();
    const tap = test.inspector.tap(a, 'stdio');
    tap.message('sent', request(1));
    tap.message('received', { jsonrpc: '2.0', method: 'notifications/progress', params: {} });
    test.now += 40;
    tap.message('received', answer(1, { content: [], isError: true }));
    tap.message('received', request(1, 'roots/list', {}));
    tap.message('sent', { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'no' } });
    tap.message('received', answer(99));
    expect(test.rows()).toMatchObject([
      { seq: 1, at: 1000, direction: 'sent', kind: 'request', method: 'tools/call', about: 'echo', id: 1, over: 'stdio', pair: 3, tookMs: 40 },
      { seq: 2, direction: 'received', kind: 'notification', method: 'notifications/progress' },
      { seq: 3, at: 1040, direction: 'received', kind: 'response', method: 'tools/call', about: 'echo', pair: 1, tookMs: 40, error: { message: 'The tool reports an error' } },
      { seq: 4, direction: 'received', kind: 'request', method: 'roots/list', pair: 5 },
      { seq: 5, direction: 'sent', kind: 'error', method: 'roots/list', pair: 4, error: { code: -32601, message: 'no' } },
      { seq: 6, kind: 'response', method: '', id: 99 },
    ]);
    expect(test.rows()[5]).not.toHaveProperty('pair');
    expect(test.inspector.log(a).payload(3)).toEqual({ payload: answer(1, { content: [], isError: true }), cut: false });
  });

  it('are told apart by link: an id that is used anew answers to its own link', () => {
    const test = new Fixture();
    const [one, two] = [test.inspector.tap(a, 'stdio'), test.inspector.tap(a, 'http')];
    one.message('sent', request(1, 'initialize'));
    two.message('sent', request(1, 'ping'));
    two.message('received', answer(1));
    one.message('received', answer(1));
    expect(test.rows().map(({ method, pair }) => [method, pair])).toEqual([['initialize', 4], ['ping', 3], ['ping', 2], ['initialize', 1]]);
  });

  it('are let go of, the oldest first, over 2,000 or 2 MiB, and how many is said', () => {
    const test = new Fixture();
    const tap = test.inspector.tap(a, 'stdio');
    for (let id = 0; id < 2500; id += 1) tap.message('sent', request(id));
    expect(test.inspector.log(a).state).toMatchObject({ dropped: 500 });
    expect(test.rows()).toHaveLength(2000);
    expect(test.rows()[0]?.seq).toBe(501);
    expect(test.inspector.log(a).payload(500)).toBeUndefined();
    const other = ServerId.parse('global:b');
    const heavy = test.inspector.tap(other, 'stdio');
    for (let id = 0; id < 100; id += 1) heavy.message('received', answer(id, { text: 'x'.repeat(60_000) }));
    expect(test.rows(other).length).toBeLessThan(36);
    expect(test.inspector.log(other).state.dropped).toBe(100 - test.rows(other).length);
    expect(test.inspector.log(other).kept).toBeLessThanOrEqual(2 * 1024 * 1024);
  });

  it('take 32 MiB at most over all servers', () => {
    const test = new Fixture();
    const ids = Array.from({ length: 30 }, (_, index) => ServerId.parse(`global:s${index}`));
    for (const id of ids) {
      const tap = test.inspector.tap(id, 'stdio');
      for (let count = 0; count < 40; count += 1) tap.message('received', answer(count, { text: 'x'.repeat(60_000) }));
    }
    expect(ids.reduce((sum, id) => sum + test.inspector.log(id).kept, 0)).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  it('show no secret in a row, whichever field it comes in, and even when it became known later', () => {
    const test = new Fixture();
    const tap = test.inspector.tap(a, 'http');
    const sent = request(1, 'tools/call', { name: 'find hunter2-canary' });
    tap.message('sent', sent);
    tap.http(sent, { status: 500, sessionId: '0123456789abcdef0123456789abcdef' });
    tap.message('received', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'denied for hunter2-canary' } });
    tap.message('received', { jsonrpc: '2.0', id: 'hunter2-canary', method: 'x/hunter2-canary' });
    test.secrets.add('hunter2-canary');
    expect(JSON.stringify(test.inspector.log(a).state)).not.toContain('canary');
    expect(JSON.stringify([1, 2, 3].map((seq) => test.inspector.log(a).payload(seq)))).not.toContain('canary');
    expect(test.rows()[0]).toMatchObject({ about: 'find •••', http: { status: 500, session: '012345…' } });
    expect(JSON.stringify(test.rows())).not.toContain('6789');
  });
});

describe('followers of the messages', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('get a snapshot, then what is new and what is known anew, a few times a second, and see a clear', () => {
    const test = new Fixture();
    const tap = test.inspector.tap(a, 'stdio');
    tap.message('sent', request(1));
    const actions: { readonly seq: number; readonly action: MessagesAction }[] = [];
    const log = test.inspector.log(a);
    const snapshot = log.follow((envelope) => void actions.push(envelope));
    expect(snapshot.state.messages).toHaveLength(1);
    for (let id = 2; id < 50; id += 1) tap.message('sent', request(id));
    tap.message('received', answer(1));
    expect(actions).toEqual([]);
    vi.advanceTimersByTime(150);
    expect(actions.map(({ seq }) => seq)).toEqual([snapshot.seq + 1]);
    const state = actions.reduce((before, { action }) => reduceMessages(before, action), snapshot.state);
    expect(state).toEqual(log.state);
    expect(state.messages[0]).toMatchObject({ pair: 50 });
    log.clear();
    vi.advanceTimersByTime(150);
    expect(actions.slice(1).reduce((before, { action }) => reduceMessages(before, action), state)).toEqual({ messages: [], dropped: 0 });
    snapshot[Symbol.dispose]();
    tap.message('sent', request(60));
    expect(vi.getTimerCount()).toBe(0);
    // A number is never used again.
    expect(test.rows().map(({ seq }) => seq)).toEqual([51]);
  });
});

describe('what goes over a wire', () => {
  it('is heard both ways over stdio, from the handshake on, and changes nothing of it', async () => {
    const fixture = new Fixture();
    const test = new TestPool({ tap: (serverId, over) => fixture.inspector.tap(serverId, over) });
    const id = await test.ready(stdio('calls.mjs'));
    await test.call(id, 'echo', { text: 'over there' });
    const rows = fixture.rows(id);
    expect(rows[0]).toMatchObject({ direction: 'sent', kind: 'request', method: 'initialize', over: 'stdio' });
    const call = rows.find(({ method, kind }) => method === 'tools/call' && kind === 'request');
    expect(call).toMatchObject({ about: 'echo', pair: expect.any(Number), tookMs: expect.any(Number) });
    const log = fixture.inspector.log(id);
    expect(JSON.stringify(log.payload(call?.seq ?? 0))).toContain('over there');
    expect(JSON.stringify(log.payload(call?.pair ?? 0))).toContain('over there');
  });

  it('says what HTTP answered, and of a session’s name only the beginning', async () => {
    const fixture = new Fixture();
    await using server = await RawServer.start({ capabilities: { tools: {} }, sessions: true });
    const test = new TestPool({ tap: (serverId, over) => fixture.inspector.tap(serverId, over) });
    const id = await test.ready(http(server.url));
    await eventually(() => {
      const found = fixture.rows(id).find(({ method, kind }) => method === 'tools/list' && kind === 'request');
      expect(found).toMatchObject({ over: 'http', http: { status: 200 } });
    });
    expect(fixture.rows(id).find(({ method }) => method === 'notifications/initialized')).toMatchObject({ http: { status: 202 } });
    const [first] = fixture.rows(id).filter(({ http: answer }) => answer?.session !== undefined);
    expect(first?.http?.session).toMatch(/^.{6}…$/);
  });
});
