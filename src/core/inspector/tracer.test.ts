import { expect, it } from 'vitest';
import { ServerId } from '../../shared/ids.ts';
import { TraceSetting } from '../../shared/model/settings.ts';
import { Tracer } from './tracer.ts';

it('keeps nothing of ids, methods and links that a server could write something into', () => {
  const lines: Record<string, unknown>[] = [];
  let now = 1_000;
  using tracer = new Tracer({
    now: () => now, mask: (text) => text.replaceAll('hush', '•••'), setting: () => TraceSetting.parse({ enabled: true }), server: () => ({ name: 'hush-hush', trace: undefined }),
    files: { open: () => ({ append: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>), [Symbol.dispose]: () => undefined }) }, // one object a line
  });
  const tap = tracer.tap(ServerId.parse('one'), 'stdio');
  tap.message('received', { jsonrpc: '2.0', id: 'the key is canary', method: 'ping' });
  now += 250;
  tap.message('sent', { jsonrpc: '2.0', id: 'the key is canary', result: {} });
  tap.message('received', { jsonrpc: '2.0', method: 'canary is the key: 1234' });
  tap.message('received', { jsonrpc: '2.0', method: `x${'canary'.repeat(20)}` });
  tap.message('received', { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7, progress: 1, message: 'canary' } });
  tap.message('sent', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'canary', reason: 'canary' } });
  tap.message('received', { jsonrpc: '2.0', id: 9, result: { isError: true, content: [{ type: 'text', text: 'canary' }] } });
  expect(JSON.stringify(lines)).not.toContain('canary');
  expect(lines.map(({ server }) => server)).toEqual(Array.from({ length: 7 }, () => '•••-•••'));
  expect(lines).toMatchObject([
    { direction: 'received', kind: 'request', method: 'ping', id: '[redacted]' },
    { direction: 'sent', kind: 'response', status: 'ok', method: 'ping', id: '[redacted]', durationMs: 250 },
    { kind: 'notification', method: '[redacted]' },
    { kind: 'notification', method: '[redacted]' },
    { method: 'notifications/progress', relatedRequestId: 7 },
    { method: 'notifications/cancelled', relatedRequestId: '[redacted]' },
    { kind: 'response', status: 'tool-error', id: 9 },
  ]);
});

it('looks at no message any more once its file is full, until another is named', () => {
  const lines: string[] = [];
  let file = 'one';
  using tracer = new Tracer({
    now: () => 0, mask: (text) => text, setting: () => TraceSetting.parse({ enabled: true, file, maxBytes: 200 }), server: () => ({ name: 's', trace: undefined }),
    files: { open: () => ({ append: (line) => void lines.push(line), [Symbol.dispose]: () => undefined }) },
  });
  const tap = tracer.tap(ServerId.parse('one'), 'stdio');
  let looks = 0;
  const message = { jsonrpc: '2.0' as const, method: 'notifications/initialized', toJSON: () => ((looks += 1), {}) };
  for (let at = 0; at < 20; at += 1) tap.message('sent', message);
  expect(lines).toHaveLength(1);
  expect(looks).toBe(2);
  file = 'another';
  tap.message('sent', message);
  expect(lines).toHaveLength(2);
});
