import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bridge, RequestMessage } from '../../shared/ipc/channels.ts';
import type { ChatId } from '../../shared/ids.ts';
import { api, isCancelled, RequestError } from './api.ts';

const asked: RequestMessage[] = [];
const cancelled: number[] = [];
let answer: (message: RequestMessage) => Promise<unknown> = async () => ({ ok: true, value: undefined });
const bridge: Bridge = {
  request: (message) => {
    asked.push(message);
    return answer(message);
  },
  cancel: (id) => cancelled.push(id),
  onState: () => () => undefined,
};

describe('the typed api', () => {
  beforeEach(() => {
    asked.length = 0;
    cancelled.length = 0;
    Object.assign(globalThis, { window: { gatehouse: bridge } });
  });
  afterEach(() => Reflect.deleteProperty(globalThis, 'window'));

  it('turns names into routes', async () => {
    const chatId = 'c' as ChatId; // only sent on
    await api.chats.cancelCall({ chatId, callId: 'k' as never });
    await api.servers.setEnabled({ serverId: 's' as never, enabled: true });
    await api.app.info();
    expect(asked.map(({ route }) => route)).toEqual(['chats.cancel-call', 'servers.set-enabled', 'app.info']);
    expect(new Set(asked.map(({ id }) => id)).size).toBe(3);
  });

  it('throws what was answered with an error, code and data included', async () => {
    answer = async () => ({ ok: false, error: { code: 'server/exists', message: 'taken', data: { name: 'x' } } });
    await expect(api.models.detect()).rejects.toMatchObject({ code: 'server/exists', message: 'taken', data: { name: 'x' } });
  });

  it('tells main and ends at once when it is aborted', async () => {
    answer = () => new Promise(() => undefined);
    const abort = new AbortController();
    const waiting = api.catalog.search({ text: 'note' }, abort.signal);
    abort.abort();
    const thrown: unknown = await waiting.catch((error: unknown) => error);
    expect(isCancelled(thrown)).toBe(true);
    expect(cancelled).toEqual([asked[0]?.id]);
  });

  it('asks nothing when it was aborted before', async () => {
    await expect(api.catalog.search({ text: 'note' }, AbortSignal.abort())).rejects.toBeInstanceOf(RequestError);
    expect(asked).toEqual([]);
  });
});
