import type { ServerId } from '../../../shared/ids.ts';
import type { profiles } from '../../../shared/ipc/contract/profiles.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const profileHandlers = ({ profiles: store, signIns }: Parts): Handlers<typeof profiles> => {
  /** Whoever is gone has no login any more. */
  const forget = async (gone: readonly ServerId[], signal: AbortSignal): Promise<void> => {
    for (const id of gone) await signIns.remove(id, signal);
  };
  return {
    'profiles.list': (_input, { signal }) => store.list(signal),
    'profiles.read': ({ name, scope }, { signal }) => store.read(name, scope, signal),
    'profiles.check': ({ name, scope, text }, { signal }) => store.check(name, scope, text, signal),
    'profiles.save': async ({ name, scope, text, seen }, { signal }) => forget(await store.save(name, scope, { text, seen }, signal), signal),
    'profiles.remove': async ({ name, scope }, { signal }) => forget(await store.remove(name, scope, signal), signal),
  };
};
