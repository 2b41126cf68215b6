import { expect, it } from 'vitest';
import { RawServer } from '../../../test/servers/http/raw-server.ts';
import { http, TestPool } from '../../../test/support/test-pool.ts';

it('connects over HTTP, lists and calls', async () => {
  await using server = await RawServer.start({ sessions: true });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  expect(test.pool.state(id)).toMatchObject({ phase: 'ready', era: 'legacy', protocolVersion: '2025-11-25', server: { name: 'raw' } });
  expect(test.tools(id)).toEqual(['echo']);
  expect(await test.echo(id, 'hi')).toBe('hi');
  expect(test.bugs).toEqual([]);
});
it('connects modern', async () => {
  await using server = await RawServer.start({ modern: true });
  const test = new TestPool();
  const id = await test.ready(http(server.url));
  expect(test.pool.state(id)).toMatchObject({ phase: 'ready', era: 'modern', protocolVersion: '2026-07-28', server: { name: 'raw' } });
  expect(test.tools(id)).toEqual(['echo']);
  expect(await test.echo(id, 'hi')).toBe('hi');
  expect(test.bugs).toEqual([]);
});
