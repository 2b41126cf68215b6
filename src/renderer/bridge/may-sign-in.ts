import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { ServerRow } from '../../shared/state/app-state.ts';

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
