import type { SignInWay } from '../../shared/model/sign-in.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { ServerRow } from '../../shared/state/app-state.ts';

/** Where a server that is reached over HTTP is; `undefined` for every other. */
export function originOf({ transport }: Pick<ServerDefinition, 'transport'>): string | undefined {
  if (transport.type !== 'streamable-http' && transport.type !== 'sse') return undefined;
  return URL.canParse(transport.url) ? new URL(transport.url).origin : undefined;
}

/** Who signs in to it, by its own settings; `undefined` where they leave no room for it. Core has the last word, and says it once a sign-in was wanted. */
export function wayOf({ definition, signIn }: Pick<ServerRow, 'definition' | 'signIn'>): SignInWay | undefined {
  if (signIn) return signIn.way;
  const { auth, oauth, bearerToken, bearerTokenEnv } = definition.options;
  const { transport } = definition;
  if (transport.type !== 'streamable-http' && transport.type !== 'sse') return undefined;
  if (auth === 'bearer' || auth === false || oauth === false) return undefined;
  const another = bearerToken !== undefined || bearerTokenEnv !== undefined || Object.keys(transport.headers).length > 0;
  if (another && auth !== 'oauth' && oauth === undefined) return undefined;
  if (oauth?.crossAppAccess) return 'cross-app';
  return oauth?.grantType === 'jwt-bearer' || oauth?.grantType === 'client_credentials' ? machineWays[oauth.grantType] : 'browser';
}
const machineWays = { 'jwt-bearer': 'jwt-bearer', client_credentials: 'client-credentials' } as const;

export const mayBeSignedIn = (row: Pick<ServerRow, 'definition' | 'signIn'>): boolean => wayOf(row) !== undefined;
