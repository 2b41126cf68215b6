import type { RawField } from './raw-entry.ts';

/**
 * Options that the files we edit spell in several ways. The first that an entry has is the one that counts; new ones get the first of all.
 * `enabled` and `disabled` are apart: they say the opposite.
 */
export const spellings: ReadonlyMap<string, readonly string[]> = new Map<RawField, readonly string[]>([
  ['type', ['type', 'transport', 'transportType']],
  ['url', ['url', 'serverUrl', 'httpUrl']],
  ['env', ['env', 'environment']],
  ['headers', ['headers', 'http_headers']],
  ['bearerToken', ['bearerToken', 'bearer_token']],
  ['bearerTokenEnv', ['bearerTokenEnv', 'bearer_token_env_var']],
  ['includeTools', ['includeTools', 'enabled_tools']],
  ['excludeTools', ['excludeTools', 'disabledTools', 'disabled_tools']],
]);
export const spellingsOf = (field: string): readonly string[] => spellings.get(field) ?? [field];

/** Fields that only one way of reaching a server knows. */
const belongsTo = {
  stdio: ['command', 'args', 'cwd', 'env', 'envFile'],
  url: ['url', 'headers', 'auth', 'bearerToken', 'bearerTokenEnv', 'oauth', 'autoAuth'],
  socket: ['socket'],
} as const satisfies Readonly<Record<string, readonly RawField[]>>;
export type Way = keyof typeof belongsTo;

/** What these fields reach a server by; `undefined` when they only switch, filter or tune one. */
export function wayOf(fields: Readonly<Record<string, unknown>>): Way | undefined {
  const has = (...names: readonly RawField[]): boolean => names.some((name) => fields[name] !== undefined);
  if (has('socket')) return 'socket';
  if (has('url', 'headers') || (typeof fields.type === 'string' && fields.type !== 'stdio')) return 'url';
  return has('command', 'args', 'type', 'env', 'cwd') ? 'stdio' : undefined;
}

/** Every spelling of what means nothing to a server that is reached in this way. */
export const foreignTo = (way: Way): readonly string[] =>
  (['stdio', 'url', 'socket'] as const).filter((other) => other !== way).flatMap((other) => belongsTo[other].flatMap(spellingsOf));

export const typeFits = (type: unknown, way: Way): boolean => (way === 'stdio' ? type === 'stdio' : way === 'url' && type !== 'stdio');

/** Objects in which keys that are not listed stay as they are; in all others what is not asked for goes. */
export interface Known {
  readonly [key: string]: Known | true;
}
const each = (...names: readonly string[]): Known => Object.fromEntries(names.map((name) => [name, true]));
export const knownWithin: Known = {
  limits: each('handshakeMs', 'callIdleMs', 'callTotalMs'),
  oauth: {
    ...each('grantType', 'clientId', 'clientSecret', 'scope', 'redirectUri', 'clientName', 'clientUri', 'clientMetadataUrl', 'assertion'),
    ...each('skipIssuerMetadataValidation', 'authorizationParams'),
    privateKeyJwt: each('privateKey', 'algorithm', 'audience', 'lifetimeSeconds', 'claims'),
    crossAppAccess: each('idpUrl', 'clientId', 'idToken', 'clientSecret'),
  },
};
