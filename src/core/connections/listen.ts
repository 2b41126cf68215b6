import type { SubscriptionFilter } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
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
  let first = true;
  const on = (): void => {
    if (!first) link.allListsChanged();
    first = false;
  };
  keepSubscribed(link, filter, on, deps, signal).catch((error: unknown) => {
    if (signal.aborted) return;
    if (error instanceof AppError) deps.log.warn('A server does not keep subscriptions; its changes are seen at the next connect', { server: link.identity.name });
    else deps.log.error('Listening for changes met a bug', error);
  });
}

/**
 * Subscribed until the signal aborts or the link is gone; `on` is called each time that a subscription begins. Throws `connection/closed` when the server keeps none, and the signal's reason.
 */
export async function keepSubscribed(link: Link, filter: SubscriptionFilter, on: () => void, deps: ConnectionPoolDeps, signal: AbortSignal): Promise<void> {
  for (let short = 0; !signal.aborted && !link.isGone; ) {
    const at = deps.clock.now();
    try {
      const subscription = await link.client.listen(filter, { timeout: acknowledgeMs, signal });
      on();
      await subscription.closed;
    } catch (error) {
      if (signal.aborted || link.isGone) return;
      deps.log.info('A subscription to changes ended', { code: asAppError(error).code });
    }
    short = deps.clock.now() - at < shortMs ? short + 1 : 0;
    if (short >= shortLimit) throw new AppError('connection/closed', 'The server keeps no subscriptions');
    await deps.clock.sleep(Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, short - 1)), signal);
  }
}
