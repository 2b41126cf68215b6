import { expect, it } from 'vitest';
import { eventually, never, stdio, TestPool } from '../../../test/support/test-pool.ts';
import { nodeLaunch } from '../../../test/support/stdio-link.ts';
import { AppError } from '../../shared/errors.ts';
import type { LaunchProgress, ReadyLaunch } from './session.ts';

/** Launches that wait for somebody’s word. */
function asking() {
  const asked: { readonly progress: LaunchProgress; readonly allow: () => void; readonly deny: () => void }[] = [];
  const test = new TestPool({
    resolveLaunch: (_definition, progress, signal) =>
      new Promise<ReadyLaunch>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        progress.asking('“srv” wants to read KEY');
        const allow = (): void => {
          progress.asking(undefined);
          progress.warn('HOST is not set: env.H is empty');
          resolve({ type: 'stdio', launch: { ...nodeLaunch('versatile.mjs'), env: {}, ownRuntime: false } });
        };
        asked.push({ progress, allow, deny: () => reject(new AppError('secret/policy-denied', 'no')) });
      }),
  });
  return { test, asked };
}

it('a server that waits for the person says so, and goes on once they have answered', async () => {
  const { test, asked } = asking();
  const id = test.define(stdio('versatile.mjs'));
  const starting = test.pool.start(id, never);
  expect(test.pool.state(id)).toEqual({ phase: 'needs', what: 'secret', message: '“srv” wants to read KEY' });
  // Who uses it meanwhile waits along.
  const calling = test.pool.use(id, async (session) => session.identity.name, never);
  asked[0]?.allow();
  await starting;
  expect(await calling).toBe('versatile');
  expect(asked).toHaveLength(1);
  expect(test.phases(id)).toEqual(['starting', 'needs', 'starting', 'ready']);
});

it('what a launch had to do without is a warning of that server, and a line of its log', async () => {
  const { test, asked } = asking();
  const id = test.define(stdio('versatile.mjs'));
  const starting = test.pool.start(id, never);
  asked[0]?.allow();
  await starting;
  expect(test.listing(id).warnings).toEqual(['HOST is not set: env.H is empty']);
  expect(test.lines).toContainEqual(expect.objectContaining({ serverId: id, from: 'gatehouse', level: 'warning', text: 'HOST is not set: env.H is empty' }));
});

it('a no leaves the server in need, and only a person’s start asks as a person', async () => {
  const { test, asked } = asking();
  const id = test.define(stdio('versatile.mjs'));
  const starting = test.pool.start(id, never);
  asked[0]?.deny();
  await starting;
  expect(test.pool.state(id)).toEqual({ phase: 'needs', what: 'secret', message: 'no' });
  const using = test.pool.use(id, async () => undefined, never).catch((error: unknown) => error);
  await eventually(() => expect(asked).toHaveLength(2));
  asked[1]?.deny();
  expect(await using).toMatchObject({ code: 'secret/policy-denied' });
  expect(asked.map(({ progress }) => progress.byPerson)).toEqual([true, false]);
});

it('waking several servers does not wait for one that asks', async () => {
  const { test } = asking();
  const ids = Array.from({ length: 12 }, (_, n) => test.define(stdio('versatile.mjs'), { id: `srv-${n}` }));
  await test.pool.wake(ids, never);
  expect(ids.map((id) => test.pool.state(id).phase)).toEqual(ids.map(() => 'needs'));
});

it('stopping a server ends its question', async () => {
  const { test, asked } = asking();
  const id = test.define(stdio('versatile.mjs'));
  const starting = test.pool.start(id, never);
  await test.pool.stop(id, 'by-person', never);
  await starting;
  expect(test.pool.state(id)).toEqual({ phase: 'stopped', why: 'by-person' });
  asked[0]?.allow();
  expect(test.pool.state(id).phase).toBe('stopped');
});

it('a missing secret is named in the state, so that a page can ask for it', async () => {
  const data = { server: 'srv', field: 'env.A', secretRef: 'KEY', scope: 'global', input: 'pat' };
  const test = new TestPool({ resolveLaunch: () => Promise.reject(new AppError('secret/missing', 'KEY is not there', { data })) });
  const id = test.define(stdio('versatile.mjs'));
  await test.pool.start(id, never);
  expect(test.pool.state(id)).toEqual({ phase: 'needs', what: 'secret', message: 'KEY is not there', secret: { key: 'KEY', scope: 'global', field: 'env.A', input: 'pat' } });
});
