import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createLocks } from './locks.ts';

const signal = new AbortController().signal;

it('works on one thing at a time, over everything that works on this home, and on different things side by side', async () => {
  const home = tempFolder();
  // As two processes would have them.
  const [one, other] = [createLocks(home), createLocks(home)];
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (inside += 1));
    await Promise.resolve();
    inside -= 1;
  };
  await Promise.all([one, other, one, other].map((locks) => locks.run('server https://a.example', work, signal)));
  expect(most).toBe(1);
  await one.run('a', () => other.run('b', async () => undefined, signal), signal);
  expect(readdirSync(home)).toEqual([]);
});

it('names its files by a hash, gives back what the work gives, and lets go when it fails or is given up', async () => {
  const home = tempFolder();
  const locks = createLocks(home);
  const held = await locks.run('https://secret.example/', async () => readdirSync(home), signal);
  expect(held).toEqual([expect.stringMatching(/^\.[0-9a-f]{32}\.lock$/)]);
  await expect(locks.run('a', async () => Promise.reject(new Error('failed')), signal)).rejects.toThrow('failed');
  await expect(locks.run('a', async () => 1, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  expect(await locks.run('a', async () => 2, signal)).toBe(2);
});
