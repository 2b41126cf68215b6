import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { removeLeftTemps } from '../records/atomic-write.ts';
import { silentAfterMs, tryLock } from '../records/file-lock.ts';

/**
 * Makes this process the home's one writer until disposed. Throws `home/in-use` with `data.pid` while another process is; one that is gone
 * is no hindrance, whether or not its number is in use again.
 */
export async function lockHome(folder: string): Promise<AsyncDisposable> {
  const attempt = await tryLock(join(folder, '.home.lock'));
  if (attempt.kind === 'busy') throw new AppError('home/in-use', 'Another Gatehouse is using this home', { data: { pid: attempt.pid } });
  await removeLeftTemps(join(folder, 'home'));
  // A touch that fails costs nothing unless the next one does too.
  const beat = setInterval(() => void attempt.lock.touch().catch(() => undefined), silentAfterMs / 4);
  beat.unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await attempt.lock[Symbol.asyncDispose]();
    },
  };
}
