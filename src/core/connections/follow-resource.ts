import type { ServerId } from '../../shared/ids.ts';
import type { Envelope, Snapshot } from '../../shared/state/follower.ts';
import { newResourceWatch, reduceResourceWatch, type ResourceWatchAction, type ResourceWatchState } from '../../shared/state/resource-watch.ts';
import { TopicStore } from '../state/topic-store.ts';
import type { ConnectionPool } from './pool.ts';

/** Subscribed for as long as it is followed. */
export function followResource(pool: ConnectionPool, serverId: ServerId, uri: string, listener: (envelope: Envelope<unknown>) => void): Snapshot<unknown> & Disposable {
  const store = new TopicStore<ResourceWatchState, ResourceWatchAction>(newResourceWatch, reduceResourceWatch);
  const watching = pool.watch(serverId, uri, (action) => store.apply(action));
  const following = store.follow(listener);
  return {
    ...following,
    [Symbol.dispose]: () => {
      following[Symbol.dispose]();
      watching[Symbol.dispose]();
    },
  };
}
