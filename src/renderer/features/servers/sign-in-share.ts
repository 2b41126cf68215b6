import type { AppState, ServerRow } from '../../../shared/state/app-state.ts';
import { originOf } from '../../bridge/may-sign-in.ts';

/** Servers whose login may be for this one as well: signed in themselves, and at the same origin. */
export function sharers({ definition }: Pick<ServerRow, 'definition'>, servers: AppState['servers']): readonly ServerRow[] {
  const origin = originOf(definition);
  if (origin === undefined) return [];
  return Object.values(servers)
    .filter((one) => one.definition.id !== definition.id && originOf(one.definition) === origin && one.signIn?.login !== undefined && one.signIn.login.sharedFrom === undefined)
    .toSorted((a, b) => a.definition.name.localeCompare(b.definition.name));
}
