import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { never, stdio, TestPool } from '../../../test/support/test-pool.ts';
import { createTransports } from '../../node/transports/create-transports.ts';
import { AppError } from '../../shared/errors.ts';
import { asSignInError, isClientRefused, isGrantRefused } from '../auth/token-failure.ts';
import { loadSdk, sdkNow } from '../kernel/sdk.ts';
import { asAppError } from './failure.ts';

// In this order: each finds the library as the one before left it.

it('errors are judged before the library is there', () => {
  expect(asAppError(new TypeError('fetch failed'))).toMatchObject({ code: 'connection/unreachable' });
  expect(asAppError(new Error('broken pipe'), { exitCode: 3, stderr: '' })).toMatchObject({ code: 'server/exited' });
  expect(asAppError(new Error('Not connected'))).toMatchObject({ code: 'connection/closed' });
  expect(asAppError(new RangeError('x'))).toMatchObject({ code: 'internal/bug' });
  expect(asSignInError(new SyntaxError('no JSON'))).toMatchObject({ code: 'auth/failed' });
  expect([isGrantRefused(new Error('invalid_grant')), isClientRefused(new Error('invalid_client'))]).toEqual([false, false]);
  expect(sdkNow()).toBeUndefined();
});

it('a server that waits for the person is told of without it', async () => {
  const test = new TestPool();
  const id = test.define(stdio('versatile.mjs'), { launch: () => Promise.reject(new AppError('trust/needed', 'Nobody allowed it')) });
  await test.pool.start(id, never);
  expect(test.pool.state(id)).toMatchObject({ phase: 'needs', what: 'trust' });
  expect(sdkNow()).toBeUndefined();
});

it('a process is started before it is read', async () => {
  const real = createTransports({ home: tempFolder(), waits: { stdinMs: 100, termMs: 100 }, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm' } });
  const readWhenItRan: boolean[] = [];
  const transports = {
    ...real,
    stdio(...of: Parameters<typeof real.stdio>) {
      const made = real.stdio(...of);
      const launch = made.launch.bind(made);
      made.launch = () => launch().then(() => void readWhenItRan.push(sdkNow() !== undefined));
      return made;
    },
  };
  const test = new TestPool({ transports });
  const id = await test.ready(stdio('versatile.mjs'));
  expect(test.tools(id)).not.toEqual([]);
  expect(readWhenItRan[0]).toBe(false);
});

it('is there once for all who connect', async () => {
  const test = new TestPool();
  const one = test.ready(stdio('versatile.mjs'), { id: 'one' });
  const other = test.ready(stdio('versatile.mjs'), { id: 'other' });
  const [id] = await Promise.all([one, other]);
  expect(test.tools(id)).not.toEqual([]);
  const sdk = sdkNow();
  expect(sdk).toBeDefined();
  expect(await loadSdk()).toBe(sdk);
});
