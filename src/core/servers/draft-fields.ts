import { AppError } from '../../shared/errors.ts';
import { SecretId } from '../../shared/ids.ts';
import type { ConfigScope, DraftValue, SecretKey } from '../../shared/model/config-value.ts';
import type { ServerDraft } from '../../shared/model/server-definition.ts';
import type { DraftOptions } from '../../shared/model/server-options.ts';
import { looksSecret } from '../../shared/text/looks-secret.ts';
import type { RawFields, RawOAuth, RawValue } from '../formats/raw-entry.ts';
import { Secret } from '../kernel/secret.ts';

/** What a draft becomes in the file, and the values that must reach the vault before that. Nothing is stored yet. */
export interface DraftedEntry {
  /** JSON-ready, with every name that Gatehouse knows: `undefined` takes a field out. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly secrets: readonly DraftedSecret[];
}
export interface DraftedSecret {
  readonly key: SecretKey;
  readonly value: Secret;
  readonly server: string;
  readonly field: string;
  /** Under a name that the person chose: it must not be another secret's. */
  readonly chosen: boolean;
}

/** Every field by name, so that one which a draft does not have goes. */
const noTransport = { command: undefined, args: undefined, cwd: undefined, env: undefined, envFile: undefined, url: undefined, type: undefined, headers: undefined, socket: undefined };
const noOptions = {
  auth: undefined, bearerToken: undefined, bearerTokenEnv: undefined, oauth: undefined, autoAuth: undefined, protocolVersion: undefined, limits: undefined, requestTimeoutMs: undefined,
  lifecycle: undefined, idleTimeout: undefined, required: undefined, approveTools: undefined, exposeResources: undefined, directTools: undefined, toolPrefix: undefined,
  includeTools: undefined, excludeTools: undefined, retryOnTransportFailure: undefined, debug: undefined, trace: undefined,
};
/** A draft that does not speak of options, or of being on, leaves them as they are. */
const switched = (enabled: boolean | undefined) => (enabled === undefined ? {} : { enabled: undefined, disabled: enabled ? undefined : true });

/**
 * `old` is what `kept` values, arguments and a left-out url stand for. Throws `request/invalid` for a value in the open whose name says that it is secret, and
 * `secret/missing` for a kept value that is not there.
 */
export function draftFields(draft: ServerDraft, scope: ConfigScope, old: RawFields | undefined): DraftedEntry {
  const secrets: DraftedSecret[] = [];
  const value = (field: string, key: string, drafted: DraftValue, before: RawValue | undefined, mayBePlain: boolean): RawValue => {
    if ('kept' in drafted) {
      if (before === undefined) throw new AppError('secret/missing', `The saved value of “${key}” is not there`, { data: { field, key } });
      return before;
    }
    if ('secretRef' in drafted) return drafted;
    if ('template' in drafted) return drafted.template;
    if ('secret' in drafted) {
      const name = drafted.key ?? suggestedKey(draft.name, field, key);
      secrets.push({ key: name, value: new Secret(drafted.secret), server: draft.name, field: field === key ? field : `${field}.${key}`, chosen: drafted.key !== undefined });
      return { secretRef: name, scope };
    }
    if (!mayBePlain || looksSecret(key)) throw new AppError('request/invalid', `“${key}” looks like a secret, so its value is kept in the vault`, { data: { field, key } });
    return { plain: drafted.plain };
  };
  const values = (field: 'env' | 'headers', drafted: Readonly<Record<string, DraftValue>>): Record<string, RawValue> | undefined => {
    const entries = Object.entries(drafted).map(([key, one]) => [key, value(field, key, one, old?.[field]?.[key], true)] as const);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const options = draft.options === undefined ? {} : { ...noOptions, ...optionFields(draft.options, old, (field, drafted, before) => value(field, field, drafted, before, false)) };
  return { fields: { ...noTransport, ...transportFields(draft.transport, old, values), ...options, ...switched(draft.enabled) }, secrets };
}

function transportFields(
  transport: ServerDraft['transport'], old: RawFields | undefined,
  values: (field: 'env' | 'headers', drafted: Readonly<Record<string, DraftValue>>) => Record<string, RawValue> | undefined,
): Readonly<Record<string, unknown>> {
  switch (transport.type) {
    case 'stdio': {
      const args = transport.args === undefined ? old?.args : transport.args.map((arg) => {
        if (typeof arg === 'string') return arg;
        const kept = old?.args?.[arg.kept];
        if (kept === undefined) throw new AppError('request/invalid', 'An argument that was to stay is not there', { data: { field: 'args', at: arg.kept } });
        return kept;
      });
      return { command: transport.command, args, cwd: transport.cwd, env: values('env', transport.env), envFile: transport.envFile };
    }
    case 'streamable-http':
    case 'sse': {
      const url = transport.url ?? old?.url;
      if (url === undefined) throw new AppError('request/invalid', 'A url is needed', { data: { field: 'url' } });
      // An address that stood without a type is Streamable HTTP as it stands.
      const untold = transport.type === 'streamable-http' && old?.url !== undefined && old.type === undefined;
      return { type: untold ? undefined : transport.type, url, headers: values('headers', transport.headers) };
    }
    case 'socket':
      return { socket: transport.path };
  }
}

function optionFields(options: DraftOptions, old: RawFields | undefined, value: (field: string, drafted: DraftValue, before: RawValue | undefined) => RawValue): Readonly<Record<string, unknown>> {
  const { bearerToken, oauth, ...plain } = options;
  const before = old?.oauth === false ? undefined : old?.oauth;
  return {
    ...plain,
    ...(bearerToken === undefined ? {} : { bearerToken: value('bearerToken', bearerToken, old?.bearerToken) }),
    ...(oauth === undefined ? {} : { oauth: oauth === false ? false : oauthFields(oauth, before, value) }),
  };
}

function oauthFields(
  { clientSecret, privateKeyJwt, assertion, crossAppAccess, ...plain }: Exclude<NonNullable<DraftOptions['oauth']>, false>, old: RawOAuth | undefined,
  value: (field: string, drafted: DraftValue, before: RawValue | undefined) => RawValue,
): Readonly<Record<string, unknown>> {
  return {
    ...plain,
    ...(clientSecret === undefined ? {} : { clientSecret: value('oauth.clientSecret', clientSecret, old?.clientSecret) }),
    ...(privateKeyJwt === undefined
      ? {}
      : { privateKeyJwt: { ...privateKeyJwt, privateKey: value('oauth.privateKeyJwt.privateKey', privateKeyJwt.privateKey, old?.privateKeyJwt?.privateKey) } }),
    ...(assertion === undefined ? {} : { assertion: value('oauth.assertion', assertion, old?.assertion) }),
    ...(crossAppAccess === undefined
      ? {}
      : {
          crossAppAccess: {
            ...crossAppAccess,
            idToken: value('oauth.crossAppAccess.idToken', crossAppAccess.idToken, old?.crossAppAccess?.idToken),
            ...(crossAppAccess.clientSecret === undefined
              ? {}
              : { clientSecret: value('oauth.crossAppAccess.clientSecret', crossAppAccess.clientSecret, old?.crossAppAccess?.clientSecret) }),
          },
        }),
  };
}

/** `mcp.<server>.<field>.<key>`, with `_` for what a name cannot hold (U-20). */
export const suggestedKey = (server: string, field: string, key: string): SecretKey =>
  SecretId.parse((field === key ? `mcp.${server}.${key}` : `mcp.${server}.${field}.${key}`).replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 200));
