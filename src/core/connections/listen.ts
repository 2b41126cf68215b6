import { asAppError } from './failure.ts';
import type { Link } from './link.ts';
import type { ConnectionPoolDeps } from './session.ts';

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** Subscriptions that do not hold are given up after this many in a row. */
const shortLimit = 6;
const shortMs = 5_000;
const acknowledgeMs = 15_000;

/**
 * The new era announces changes only to those who asked. Asks, and asks again when the subscription ends; the lists are read anew then, for
 * something may have been missed.
 */
export function keepListening(link: Link, deps: ConnectionPoolDeps, signal: AbortSignal): void {
  const announced = link.announced();
  if (link.era !== 'modern' || announced.length === 0) return;
  const filter = {
    ...(announced.includes('tools') ? { toolsListChanged: true } : {}),
    ...(announced.includes('resources') ? { resourcesListChanged: true } : {}),
    ...(announced.includes('prompts') ? { promptsListChanged: true } : {}),
  };
  const listen = async (): Promise<void> => {
    for (let short = 0, first = true; !signal.aborted && !link.isGone; first = false) {
      const at = deps.clock.now();
      try {
        const subscription = await link.client.listen(filter, { timeout: acknowledgeMs, signal });
        if (!first) link.allListsChanged();
        await subscription.closed;
      } catch (error) {
        if (signal.aborted || link.isGone) return;
        deps.log.info('A subscription to changes ended', { code: asAppError(error).code });
      }
      short = deps.clock.now() - at < shortMs ? short + 1 : 0;
      if (short >= shortLimit) {
        deps.log.warn('A server does not keep subscriptions; its changes are seen at the next connect', { server: link.identity.name });
        return;
      }
      await deps.clock.sleep(Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, short - 1)), signal);
    }
  };
  listen().catch((error: unknown) => {
    if (!signal.aborted) deps.log.error('Listening for changes met a bug', error);
  });
}
