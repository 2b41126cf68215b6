import { expect, it } from 'vitest';
import { OpenWork } from './open-work.ts';

const request = (id: number, method: string, params: Record<string, unknown> = {}) => ({ jsonrpc: '2.0' as const, id, method, params });
const answer = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} });

it('[F-38] a request of ours is open until it is answered, cancelled or lost', () => {
  const work = new OpenWork();
  for (const id of [1, 2, 3]) work.sent(request(id, 'tools/call'));
  work.received(answer(1));
  work.sent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  expect(work.isOpen).toBe(true);
  work.lost(3);
  expect(work.isOpen).toBe(false);
});

it('[F-38] a request of the server is open until it is answered or taken back', () => {
  const work = new OpenWork();
  work.received(request(1, 'elicitation/create'));
  work.received(request(2, 'sampling/createMessage'));
  work.sent(answer(1));
  expect(work.isOpen).toBe(true);
  work.received({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } });
  expect(work.isOpen).toBe(false);
});

it('[F-38] a subscription to a resource keeps a connection open, in either era; the one to changed lists does not', () => {
  const work = new OpenWork();
  work.sent(request(1, 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
  work.sent(request(2, 'ping'));
  expect(work.isOpen).toBe(false);
  work.sent(request(3, 'resources/subscribe', { uri: 'a' }));
  work.received(answer(3));
  expect(work.isOpen).toBe(true);
  work.sent(request(4, 'resources/unsubscribe', { uri: 'a' }));
  work.received(answer(4));
  expect(work.isOpen).toBe(false);
  work.sent(request(5, 'subscriptions/listen', { notifications: { resourceSubscriptions: ['a'] } }));
  expect(work.isOpen).toBe(true);
  work.received(answer(5));
  expect(work.isOpen).toBe(false);
});
