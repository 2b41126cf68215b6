/** A busy page has no idle moments; then it is done anyway. Milliseconds. */
export const longestIdleWait = 100;
/** A step begins only where this much is left of the moment. Milliseconds. */
const enough = 8;

/** Takes the steps one after the other in the page's idle moments. A step that throws takes the rest with it. */
export function inIdleMoments(steps: readonly (() => unknown)[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = 0;
    const work = (moment: IdleDeadline) => {
      try {
        do {
          steps[next]?.();
          next += 1;
        } while (next < steps.length && moment.timeRemaining() > enough);
      } catch (error) {
        reject(error);
        return;
      }
      if (next < steps.length) requestIdleCallback(work, { timeout: longestIdleWait });
      else resolve();
    };
    requestIdleCallback(work, { timeout: longestIdleWait });
  });
}
