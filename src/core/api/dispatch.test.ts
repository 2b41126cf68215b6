import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { request } from '../../shared/ipc/define.ts';
import { createDispatch } from './dispatch.ts';

const contract = {
  'things.add': request<number>()(z.strictObject({ a: z.number() })),
  'things.fail': request<void>()(z.void()),
  'things.break': request<void>()(z.void()),
};
const bugs: unknown[] = [];
const dispatch = createDispatch(
  contract,
  {
    'things.add': async ({ a }) => a + 1,
    'things.fail': async () => {
      throw new AppError('connection/unreachable', 'down', { data: { host: 'x' }, cause: new Error('/home/me/secret') });
    },
    'things.break': async () => {
      throw new Error('/home/me/secret');
    },
  },
  (error) => bugs.push(error),
);
const context = { caller: { door: 'window', windowId: 1 }, signal: new AbortController().signal } as const;

describe('the dispatch', () => {
  it('parses, calls and wraps', async () => {
    expect(await dispatch('things.add', { a: 1 }, context)).toEqual({ ok: true, value: 2 });
    expect(await dispatch('things.add', { a: '1' }, context)).toMatchObject({ ok: false, error: { code: 'request/invalid', data: [{ path: ['a'] }] } });
    expect(await dispatch('things.add', { a: 1, extra: 1 }, context)).toMatchObject({ ok: false, error: { code: 'request/invalid' } });
  });

  it('carries a code and its data, never a cause', async () => {
    const reply = await dispatch('things.fail', undefined, context);
    expect(reply).toEqual({ ok: false, error: { code: 'connection/unreachable', message: 'down', data: { host: 'x' } } });
  });

  it('keeps a bug’s own text in the log', async () => {
    expect(await dispatch('things.break', undefined, context)).toEqual({ ok: false, error: { code: 'internal/bug', message: 'Something went wrong' } });
    expect(bugs).toMatchObject([{ message: '/home/me/secret' }]);
  });

  it.each(['nope', 'constructor', '__proto__', 'toString', 'hasOwnProperty', ''])('knows no route “%s”', async (route) => {
    expect(await dispatch(route, {}, context)).toMatchObject({ ok: false, error: { code: 'request/unknown-route' } });
  });

  it('does nothing for a request that was cancelled', async () => {
    expect(await dispatch('things.add', { a: 1 }, { ...context, signal: AbortSignal.abort() })).toMatchObject({ ok: false, error: { code: 'run/cancelled' } });
  });
});
