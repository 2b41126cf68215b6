import type { ServerDefinition } from '../../../shared/model/server-definition.ts';
import type { AppState, ServerRow } from '../../../shared/state/app-state.ts';

/** Where a server that is reached over HTTP is; `undefined` for every other. */
export function originOf({ transport }: Pick<ServerDefinition, 'transport'>): string | undefined {
  if (transport.type !== 'streamable-http' && transport.type !== 'sse') return undefined;
  return URL.canParse(transport.url) ? new URL(transport.url).origin : undefined;
}

/** Whether its own settings leave room for a sign-in by OAuth. Core has the last word. */
export const mayBeSignedIn = ({ definition, signIn }: Pick<ServerRow, 'definition' | 'signIn'>): boolean => {
  const { auth, oauth } = definition.options;
  return signIn !== undefined || (originOf(definition) !== undefined && auth !== 'bearer' && auth !== false && oauth !== false);
};

/** Servers whose login may be for this one as well: signed in themselves, and at the same origin. */
export function sharers({ definition }: Pick<ServerRow, 'definition'>, servers: AppState['servers']): readonly ServerRow[] {
  const origin = originOf(definition);
  if (origin === undefined) return [];
  return Object.values(servers)
    .filter((one) => one.definition.id !== definition.id && originOf(one.definition) === origin && one.signIn?.login !== undefined && one.signIn.login.sharedFrom === undefined)
    .toSorted((a, b) => a.definition.name.localeCompare(b.definition.name));
}
