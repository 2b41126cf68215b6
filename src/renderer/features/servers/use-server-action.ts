import { useState } from 'react';
import type { ServerId } from '../../../shared/ids.ts';
import { isCancelled, RequestError } from '../../bridge/api.ts';
import { act } from './server-actions.ts';
import type { ServerAction } from './server-advice.ts';

/** A server's buttons. A start lasts until its server is there, so each button waits for its own: Cancel works while Start goes on. */
export function useServerAction(serverId: ServerId): {
  readonly press: (action: ServerAction) => void;
  readonly pending: ReadonlySet<ServerAction>;
  readonly error: RequestError | undefined;
} {
  const [pending, setPending] = useState<ReadonlySet<ServerAction>>(new Set());
  const [error, setError] = useState<RequestError>();
  const press = (action: ServerAction) => {
    if (pending.has(action)) return;
    setError(undefined);
    setPending((before) => new Set(before).add(action));
    const end = () => setPending((before) => new Set([...before].filter((one) => one !== action)));
    act(action, serverId).then(end, (thrown: unknown) => {
      end();
      // A start that was cancelled by its own Cancel says nothing.
      if (!isCancelled(thrown)) setError(RequestError.from(thrown));
    });
  };
  return { press, pending, error };
}
