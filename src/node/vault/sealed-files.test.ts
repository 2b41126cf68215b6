import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { MemoryKeyring } from '../../../test/support/memory-keyring.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { AppError } from '../../shared/errors.ts';
import { createSealedFiles } from './sealed-files.ts';
import { createVault } from './vault.ts';

const never = new AbortController().signal;
const hour = 3_600_000;

describe('sealed texts', () => {
  let place: string;
  let clock: FakeClock;
  let keyring: MemoryKeyring;
  beforeEach(() => {
    place = tempFolder();
    clock = new FakeClock();
    keyring = new MemoryKeyring();
  });
  const open = () => createSealedFiles({ folder: join(place, 'waiting'), clock, vault: createVault({ folder: join(place, 'vault'), keyring, clock }) });
  const files = async () => (await readdir(join(place, 'waiting'))).map((name) => join(place, 'waiting', name));

  it('are read back by another process, and are nowhere in the open', async () => {
    expect(await open().put('a script', 'the canary text', clock.now() + hour, never)).toBe('disk');
    expect(await open().get('a script', never)).toBe('the canary text');
    const [file = ''] = await files();
    expect(await readFile(file, 'utf8')).not.toMatch(/canary|script/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(place, 'waiting'))).mode & 0o777).toBe(0o700);
  });

  it('are gone once they are over, and are taken off the disk by the next one', async () => {
    await open().put('old', 'text', clock.now() + hour, never);
    clock.advance(hour);
    expect(await open().get('old', never)).toBeUndefined();
    await open().put('new', 'text', clock.now() + hour, never);
    expect(await files()).toHaveLength(1);
  });

  it('do not open when a byte, the time or the name was changed', async () => {
    const store = open();
    await store.put('one', 'text', clock.now() + hour, never);
    const [one = ''] = await files();
    const sealed = JSON.parse(await readFile(one, 'utf8')) as Record<string, unknown>;
    await store.put('two', 'other', clock.now() + hour, never);
    const two = (await files()).find((file) => file !== one) ?? '';
    await writeFile(two, JSON.stringify(sealed));
    expect(await store.get('two', never)).toBeUndefined();
    await writeFile(one, JSON.stringify({ ...sealed, expiresAt: clock.now() + 100 * hour }));
    expect(await store.get('one', never)).toBeUndefined();
    const [first, ...rest] = Buffer.from(String(sealed['ct']), 'base64url');
    await writeFile(one, JSON.stringify({ ...sealed, ct: Buffer.from([(first ?? 0) ^ 1, ...rest]).toString('base64url') }));
    expect(await store.get('one', never)).toBeUndefined();
    await writeFile(one, 'no json');
    expect(await store.get('one', never)).toBeUndefined();
  });

  it('stay in memory where there is no keyring, and say so', async () => {
    keyring.fault = new AppError('vault/unavailable', 'There is no keyring');
    const store = open();
    expect(await store.put('a script', 'text', clock.now() + hour, never)).toBe('memory');
    expect(await store.get('a script', never)).toBe('text');
    expect(await open().get('a script', never)).toBeUndefined();
    await store.remove('a script', never);
    expect(await store.get('a script', never)).toBeUndefined();
  });

  it('do not open with the key of a vault that was made anew', async () => {
    const vault = createVault({ folder: join(place, 'vault'), keyring, clock });
    const store = createSealedFiles({ folder: join(place, 'waiting'), clock, vault });
    await store.put('a script', 'text', clock.now() + hour, never);
    await vault.reset(never);
    expect(await store.get('a script', never)).toBeUndefined();
  });
});
