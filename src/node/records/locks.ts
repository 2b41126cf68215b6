import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Lanes } from '../../core/kernel/lanes.ts';
import type { Locks } from '../../core/ports.ts';
import { withLock } from './file-lock.ts';

/** Lock files in the home, named by a hash: what is locked may be an address. Within this process work waits in line; other processes are waited for 15 s, then `storage/failed`. */
export function createLocks(home: string): Locks {
  const lanes = new Lanes<string>();
  return {
    run: (name, work, signal) =>
      lanes.run(name, () => {
        signal.throwIfAborted();
        return withLock(join(home, `.${createHash('sha256').update(name).digest('hex').slice(0, 32)}.lock`), work, signal);
      }),
  };
}
