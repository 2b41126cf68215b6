import type { Clock } from '../core/ports.ts';

/** Timers count in 32 bits; a longer wait would fire at once. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) => wait(ms, signal, true),
  doze: (ms, signal) => wait(ms, signal, false),
};

async function wait(ms: number, signal: AbortSignal, keepsAwake: boolean): Promise<void> {
  for (let left = ms; ; left -= longestTimer) {
    await timer(Math.min(Math.max(left, 0), longestTimer), signal, keepsAwake);
    if (left <= longestTimer) return;
  }
}

function timer(ms: number, signal: AbortSignal, keepsAwake: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timeout);
      reject(signal.reason);
    };
    const timeout = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (!keepsAwake) timeout.unref();
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
