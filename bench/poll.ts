import { setTimeout as pause } from 'node:timers/promises';

/** Looks until something is there. Rejects after `ms` with `otherwise`. */
export async function poll<T>(look: () => Promise<T | undefined>, ms: number, otherwise: string, everyMs = 50): Promise<T> {
  const until = performance.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > until) throw new Error(otherwise);
    await pause(everyMs);
  }
}
