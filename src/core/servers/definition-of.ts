import type { ConfigScope, ConfigValue, ConfigValues } from '../../shared/model/config-value.ts';
import { holdsVariable, type ServerDefinition, type ServerOwner, type TransportConfig } from '../../shared/model/server-definition.ts';
import type { ServerOptions } from '../../shared/model/server-options.ts';
import { literalsOf, maskFields } from '../formats/literals.ts';
import type { RawFields, RawOAuth, RawValue, RawValues } from '../formats/raw-entry.ts';
import { launchRevision } from './launch-revision.ts';
import { serverId } from './server-id.ts';

/** What may be shown of what files say: text that looks secret is out of it, and nothing was filled in. */
export function definitionOf(name: string, owner: ServerOwner, ownerKey: string, enabled: boolean, fields: RawFields): ServerDefinition {
  const transport = transportOf(name, owner === 'project' ? 'project' : 'global', fields);
  return { id: serverId(ownerKey, name), name, owner, enabled, transport, options: optionsOf(name, owner === 'project' ? 'project' : 'global', fields), revision: launchRevision(transport) };
}

/** For fields that define a transport. */
export function transportOf(name: string, scope: ConfigScope, fields: RawFields): TransportConfig {
  const shown = maskFields(fields);
  const secret = secretFields(name, fields, scope);
  if (shown.command !== undefined) {
    return {
      type: 'stdio', command: shown.command, args: [...(shown.args ?? [])], env: valuesOf('env', fields.env, secret),
      ...(shown.cwd === undefined ? {} : { cwd: shown.cwd }),
      ...(shown.envFile === undefined ? {} : { envFile: shown.envFile }),
    };
  }
  if (shown.url !== undefined) return { type: fields.type === 'sse' ? 'sse' : 'streamable-http', url: shown.url, headers: valuesOf('headers', fields.headers, secret) };
  return { type: 'socket', path: shown.socket ?? '' };
}

export function optionsOf(name: string, scope: ConfigScope, fields: RawFields): ServerOptions {
  const { enabled: _1, command: _2, args: _3, cwd: _4, env: _5, envFile: _6, url: _7, type: _8, headers: _9, socket: _10, bearerToken, oauth, directTools, includeTools, excludeTools, ...plain } = fields;
  const secret = secretFields(name, fields, scope);
  return {
    ...plain,
    ...(directTools === undefined ? {} : { directTools: typeof directTools === 'boolean' ? directTools : [...directTools] }),
    ...(includeTools === undefined ? {} : { includeTools: [...includeTools] }),
    ...(excludeTools === undefined ? {} : { excludeTools: [...excludeTools] }),
    ...(bearerToken === undefined ? {} : { bearerToken: valueOf(bearerToken, secret.has('bearerToken')) }),
    ...(oauth === undefined ? {} : { oauth: oauth === false ? false : oauthOf({ ...oauth, ...authorizationOf(maskFields(fields)) }, secret) }),
  };
}

/** Parameters stand in an address: one that looks secret is masked rather than kept apart. */
const authorizationOf = ({ oauth }: RawFields) => (oauth === undefined || oauth === false || oauth.authorizationParams === undefined ? {} : { authorizationParams: oauth.authorizationParams });

function oauthOf({ clientSecret, privateKeyJwt, assertion, crossAppAccess, authorizationParams, ...plain }: RawOAuth, secret: ReadonlySet<string>): Exclude<ServerOptions['oauth'], false | undefined> {
  return {
    ...plain,
    ...(authorizationParams === undefined ? {} : { authorizationParams: { ...authorizationParams } }),
    ...(clientSecret === undefined ? {} : { clientSecret: valueOf(clientSecret, secret.has('oauth.clientSecret')) }),
    ...(privateKeyJwt === undefined ? {} : { privateKeyJwt: { ...jwtFacts(privateKeyJwt), privateKey: valueOf(privateKeyJwt.privateKey, secret.has('oauth.privateKeyJwt.privateKey')) } }),
    ...(assertion === undefined ? {} : { assertion: valueOf(assertion, secret.has('oauth.assertion')) }),
    ...(crossAppAccess === undefined
      ? {}
      : {
          crossAppAccess: {
            idpUrl: crossAppAccess.idpUrl, clientId: crossAppAccess.clientId,
            idToken: valueOf(crossAppAccess.idToken, secret.has('oauth.crossAppAccess.idToken')),
            ...(crossAppAccess.clientSecret === undefined ? {} : { clientSecret: valueOf(crossAppAccess.clientSecret, secret.has('oauth.crossAppAccess.clientSecret')) }),
          },
        }),
  };
}
function jwtFacts({ algorithm, audience, lifetimeSeconds, claims }: NonNullable<RawOAuth['privateKeyJwt']>) {
  return {
    algorithm,
    ...(audience === undefined ? {} : { audience }),
    ...(lifetimeSeconds === undefined ? {} : { lifetimeSeconds }),
    ...(claims === undefined ? {} : { claims: JSON.parse(JSON.stringify(claims)) as Record<string, never> }), // JSON from a file
  };
}

/** Paths of fields whose text looks secret: `env.API_KEY`, `bearerToken`. */
const secretFields = (name: string, fields: RawFields, scope: ConfigScope): ReadonlySet<string> =>
  new Set(literalsOf(name, fields, scope).map(({ field, key }) => (field === 'env' || field === 'headers' ? `${field}.${key}` : field)));

const valuesOf = (field: 'env' | 'headers', values: RawValues | undefined, secret: ReadonlySet<string>): ConfigValues =>
  Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [key, valueOf(value, secret.has(`${field}.${key}`))]));

function valueOf(value: RawValue, looksSecret: boolean): ConfigValue {
  if (typeof value !== 'string') return value;
  if (looksSecret) return { literal: true };
  return isTemplate(value) ? { template: value } : { plain: value };
}

/** Worked out at launch, rather than taken as it is (F-23, F-26). */
export const isTemplate = (text: string): boolean => text.startsWith('!') || holdsVariable(text);
