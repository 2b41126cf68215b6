import { useSyncExternalStore } from 'react';

let now = Date.now();
const clocks = new Map<number, { readonly listeners: Set<() => void>; readonly timer: ReturnType<typeof setInterval> }>();

function listenEvery(everyMs: number, listener: () => void): () => void {
  const known = clocks.get(everyMs);
  const listeners = known?.listeners ?? new Set();
  listeners.add(listener);
  if (!known) {
    now = Date.now();
    const tick = () => {
      now = Date.now();
      for (const one of listeners) one();
    };
    clocks.set(everyMs, { listeners, timer: setInterval(tick, everyMs) });
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(clocks.get(everyMs)?.timer);
    clocks.delete(everyMs);
  };
}
const everyMinute = (listener: () => void): (() => void) => listenEvery(60_000, listener);
const everySecond = (listener: () => void): (() => void) => listenEvery(1000, listener);
const never = (): (() => void) => () => undefined;

/** The time, good to a minute or a second; `never` reads it once and does not tick. */
export const useNow = (ticks: 'minute' | 'second' | 'never' = 'minute'): number =>
  useSyncExternalStore(ticks === 'minute' ? everyMinute : ticks === 'second' ? everySecond : never, () => now);
