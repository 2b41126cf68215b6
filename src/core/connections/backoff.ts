/** The first tries of a connect follow each other quickly: this many, from this wait, doubling. */
export const quickTries = 3;
const quickBaseMs = 250;
const slowBaseMs = 1_000;
const slowCapMs = 60_000;

/** This many processes of a server ending within this time are a crash loop. */
const loopDeaths = 5;
const loopWindowMs = 60_000;

/** A connection that held for this long starts its counting anew. Milliseconds. */
export const healthyMs = 60_000;

/** The wait after the `tried`th quick try (from 1). Milliseconds. */
export function quickWait(tried: number): number {
  return quickBaseMs * 2 ** (tried - 1);
}

/** The wait after the `failed`th failure (from 1) beyond the quick ones: full jitter under a bound that doubles from 1 s to 60 s. */
export function slowWait(failed: number, random: () => number): number {
  return Math.round(random() * Math.min(slowCapMs, slowBaseMs * 2 ** Math.min(failed - 1, 16)));
}

/** The ends of processes that still count, with `now` among them. */
export function countDeath(deaths: readonly number[], now: number): readonly number[] {
  return [...deaths.filter((at) => now - at < loopWindowMs), now];
}

export function isCrashLoop(deaths: readonly number[]): boolean {
  return deaths.length >= loopDeaths;
}
