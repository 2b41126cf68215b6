import type { profiles } from '../../../shared/ipc/contract/profiles.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const profileHandlers = ({ profiles: store }: Parts): Handlers<typeof profiles> => ({
  'profiles.list': (_input, { signal }) => store.list(signal),
  'profiles.read': ({ name, scope }, { signal }) => store.read(name, scope, signal),
  'profiles.check': ({ name, scope, text }, { signal }) => store.check(name, scope, text, signal),
  'profiles.save': ({ name, scope, text, seen }, { signal }) => store.save(name, scope, { text, seen }, signal),
  'profiles.remove': ({ name, scope }, { signal }) => store.remove(name, scope, signal),
});
