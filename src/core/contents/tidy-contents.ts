import type { ChatId } from '../../shared/ids.ts';
import type { Clock, ContentStore } from '../ports.ts';
import { isDoor } from './keeper.ts';

export interface TidyContentsDeps {
  readonly contents: Pick<ContentStore, 'tidy'>;
  readonly clock: Clock;
  /** How long a content is kept at most; absent: as long as its chat. */
  readonly days: () => number | undefined;
  /** The chats that there are, whether they could be opened or not. */
  readonly chats: (signal: AbortSignal) => Promise<readonly ChatId[]>;
  /** And those that were made meanwhile. */
  readonly isChat: (keeper: ChatId) => boolean;
}

const dayMs = 86_400_000;
/** What a call without a chat left behind. */
const doorDays = 1;

/** Removes contents whose chat is gone, whose time is over, or that a crash left half written. */
export async function tidyContents({ contents, clock, days, chats, isChat }: TidyContentsDeps, signal: AbortSignal): Promise<void> {
  const there = new Set(await chats(signal));
  const most = days();
  const ageOf = (keptAt: number) => (clock.now() - keptAt) / dayMs;
  await contents.tidy(
    {
      keeper: (keeper) => (isDoor(keeper) ? 'look' : !there.has(keeper) && !isChat(keeper) ? 'gone' : most === undefined ? 'keep' : 'look'),
      content: ({ keeper, keptAt }) => ageOf(keptAt) > Math.min(most ?? Number.POSITIVE_INFINITY, isDoor(keeper) ? doorDays : Number.POSITIVE_INFINITY),
    },
    signal,
  );
}

/** Now, and once a day until the signal. A day on which it failed is not the last. */
export async function tidyDaily(deps: TidyContentsDeps, onFailure: (error: unknown) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await tidyContents(deps, signal).catch((error: unknown) => (signal.aborted ? undefined : onFailure(error)));
    await deps.clock.sleep(dayMs, signal).catch(() => undefined);
  }
}
