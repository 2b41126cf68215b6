import type { DraftOptions, Lifecycle, ProtocolMode, ServerOptions, ToolPrefix } from '../../../shared/model/server-options.ts';
import { credentialRow, draftValueOf, isBlank, valueProblem, type ValueRow } from './value-row.ts';

/** `usual` is not written into the file: the default, or what a lower file says. */
export type Choice = 'usual' | 'yes' | 'no';
export type ToolChoice = 'usual' | 'all' | 'none' | 'some';
type GrantType = 'authorization_code' | 'client_credentials' | 'jwt-bearer';

/** Every option of a server as it is typed. Durations in seconds, the idle time in minutes, lists one to a line. */
export interface OptionsForm {
  readonly protocol: 'usual' | ProtocolMode;
  readonly handshake: string;
  readonly callIdle: string;
  readonly callTotal: string;
  readonly requestTimeout: string;
  readonly lifecycle: 'usual' | Lifecycle;
  readonly idleTimeout: string;
  readonly required: Choice;
  readonly include: string;
  readonly exclude: string;
  readonly direct: ToolChoice;
  readonly directNames: string;
  readonly approve: ToolChoice;
  readonly approveNames: string;
  readonly prefix: 'usual' | ToolPrefix;
  readonly exposeResources: Choice;
  readonly retry: Choice;
  readonly debug: Choice;
  readonly trace: Choice;
  readonly auth: 'usual' | 'bearer' | 'oauth' | 'never';
  readonly bearerToken: ValueRow;
  readonly bearerTokenEnv: string;
  readonly autoAuth: Choice;
  /** `never`: its sign-in is not looked for at all. */
  readonly oauth: 'usual' | 'never';
  readonly grantType: 'usual' | GrantType;
  readonly clientId: string;
  readonly clientSecret: ValueRow;
  /** With the grant `jwt-bearer` only. */
  readonly assertion: ValueRow;
  readonly scope: string;
  readonly redirectUri: string;
  readonly clientName: string;
  readonly clientUri: string;
  readonly metadata: 'usual' | 'never' | 'own';
  readonly clientMetadataUrl: string;
  readonly skipIssuer: Choice;
  /** Lines of `name=value`. */
  readonly params: string;
  readonly jwt: boolean;
  readonly jwtKey: ValueRow;
  readonly jwtAlgorithm: string;
  readonly jwtAudience: string;
  readonly jwtLifetime: string;
  /** A JSON object. */
  readonly jwtClaims: string;
  readonly xaa: boolean;
  readonly xaaIdpUrl: string;
  readonly xaaClientId: string;
  readonly xaaIdToken: ValueRow;
  readonly xaaClientSecret: ValueRow;
}

type OAuth = Exclude<NonNullable<ServerOptions['oauth']>, false>;
const choiceOf = (value: boolean | undefined): Choice => (value === undefined ? 'usual' : value ? 'yes' : 'no');
const toolChoiceOf = (value: boolean | readonly string[] | undefined): ToolChoice =>
  value === undefined ? 'usual' : value === true ? 'all' : value === false ? 'none' : 'some';
const namesOf = (value: boolean | readonly string[] | undefined): string => (typeof value === 'object' ? value.join('\n') : '');
const secondsOf = (ms: number | undefined): string => (ms === undefined ? '' : String(ms / 1000));

export const emptyOptions = (): OptionsForm => optionsFormOf({});

export function optionsFormOf(options: ServerOptions): OptionsForm {
  return {
    protocol: options.protocolVersion ?? 'usual',
    handshake: secondsOf(options.limits?.handshakeMs),
    callIdle: secondsOf(options.limits?.callIdleMs),
    callTotal: secondsOf(options.limits?.callTotalMs),
    requestTimeout: secondsOf(options.requestTimeoutMs),
    lifecycle: options.lifecycle ?? 'usual',
    idleTimeout: options.idleTimeout === undefined ? '' : String(options.idleTimeout),
    required: choiceOf(options.required),
    include: namesOf(options.includeTools),
    exclude: namesOf(options.excludeTools),
    direct: toolChoiceOf(options.directTools),
    directNames: namesOf(options.directTools),
    approve: toolChoiceOf(options.approveTools),
    approveNames: namesOf(options.approveTools),
    prefix: options.toolPrefix ?? 'usual',
    exposeResources: choiceOf(options.exposeResources),
    retry: choiceOf(options.retryOnTransportFailure),
    debug: choiceOf(options.debug),
    trace: choiceOf(options.trace),
    auth: options.auth === false ? 'never' : (options.auth ?? 'usual'),
    bearerToken: credentialRow('bearerToken', options.bearerToken),
    bearerTokenEnv: options.bearerTokenEnv ?? '',
    autoAuth: choiceOf(options.autoAuth),
    ...oauthFormOf(options.oauth),
  };
}

const oauthFormOf = (given: OAuth | false | undefined) => {
  const oauth: OAuth = given === false || given === undefined ? {} : given;
  const { privateKeyJwt: jwt, crossAppAccess: xaa, clientMetadataUrl: metadata } = oauth;
  return {
    oauth: given === false ? 'never' : 'usual',
    grantType: oauth.grantType ?? 'usual',
    clientId: oauth.clientId ?? '',
    clientSecret: credentialRow('clientSecret', oauth.clientSecret),
    assertion: credentialRow('assertion', oauth.assertion),
    scope: oauth.scope ?? '',
    redirectUri: oauth.redirectUri ?? '',
    clientName: oauth.clientName ?? '',
    clientUri: oauth.clientUri ?? '',
    metadata: metadata === undefined ? 'usual' : metadata === false ? 'never' : 'own',
    clientMetadataUrl: typeof metadata === 'string' ? metadata : '',
    skipIssuer: choiceOf(oauth.skipIssuerMetadataValidation),
    params: Object.entries(oauth.authorizationParams ?? {}).map(([name, value]) => `${name}=${value}`).join('\n'),
    jwt: jwt !== undefined,
    jwtKey: credentialRow('privateKey', jwt?.privateKey),
    jwtAlgorithm: jwt?.algorithm ?? 'ES256',
    jwtAudience: jwt?.audience ?? '',
    jwtLifetime: jwt?.lifetimeSeconds === undefined ? '' : String(jwt.lifetimeSeconds),
    jwtClaims: jwt?.claims === undefined ? '' : JSON.stringify(jwt.claims, undefined, 2),
    xaa: xaa !== undefined,
    xaaIdpUrl: xaa?.idpUrl ?? '',
    xaaClientId: xaa?.clientId ?? '',
    xaaIdToken: credentialRow('idToken', xaa?.idToken),
    xaaClientSecret: credentialRow('crossAppClientSecret', xaa?.clientSecret),
  } as const;
};

/** What is sent of it: only what differs from the usual. A sign-in belongs to servers on the web alone. */
export function optionsOf(
  form: OptionsForm,
  { remote, here }: { readonly remote: boolean; readonly here: (field: string) => boolean },
  problems: Record<string, string>,
): DraftOptions {
  const limits = {
    ...numberOf('handshakeMs', 'handshake', form.handshake, { most: 600, unit: 'seconds' }, problems),
    ...numberOf('callIdleMs', 'callIdle', form.callIdle, { most: 3600, unit: 'seconds' }, problems),
    ...numberOf('callTotalMs', 'callTotal', form.callTotal, { most: 86_400, unit: 'seconds' }, problems),
  };
  const approve = toolsOf('approveNames', form.approve, form.approveNames, problems);
  const direct = toolsOf('directNames', form.direct, form.directNames, problems);
  return {
    ...(form.protocol === 'usual' ? {} : { protocolVersion: form.protocol }),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
    ...numberOf('requestTimeoutMs', 'requestTimeout', form.requestTimeout, { most: 3600, unit: 'seconds', zero: true }, problems),
    ...(form.lifecycle === 'usual' ? {} : { lifecycle: form.lifecycle }),
    ...numberOf('idleTimeout', 'idleTimeout', form.idleTimeout, { most: 10_080, unit: 'minutes', zero: true }, problems),
    ...yesNo('required', form.required),
    ...(approve === undefined ? {} : { approveTools: approve }),
    ...yesNo('exposeResources', form.exposeResources),
    ...(direct === undefined ? {} : { directTools: direct }),
    ...(form.prefix === 'usual' ? {} : { toolPrefix: form.prefix }),
    ...listOf('includeTools', form.include),
    ...listOf('excludeTools', form.exclude),
    ...yesNo('retryOnTransportFailure', form.retry),
    ...yesNo('debug', form.debug),
    ...yesNo('trace', form.trace),
    ...(remote ? signInOf(form, here, problems) : {}),
  };
}

function signInOf(form: OptionsForm, here: (field: string) => boolean, problems: Record<string, string>): Partial<DraftOptions> {
  const bearerToken = credentialOf(form.bearerToken, here('bearerToken'), problems);
  const oauth = form.oauth === 'never' ? false : oauthOf(form, here('oauth'), problems);
  return {
    ...(form.auth === 'usual' ? {} : { auth: form.auth === 'never' ? false : form.auth }),
    ...(bearerToken === undefined ? {} : { bearerToken }),
    ...textOf('bearerTokenEnv', form.bearerTokenEnv),
    ...yesNo('autoAuth', form.autoAuth),
    ...(oauth === false || Object.keys(oauth).length > 0 ? { oauth } : {}),
  };
}

type DraftOAuth = Exclude<NonNullable<DraftOptions['oauth']>, false>;
function oauthOf(form: OptionsForm, here: boolean, problems: Record<string, string>): DraftOAuth {
  const clientSecret = credentialOf(form.clientSecret, here, problems);
  if (form.metadata === 'own' && form.clientMetadataUrl.trim() === '') problems['clientMetadataUrl'] = 'Where is it?';
  const assertion = form.grantType === 'jwt-bearer' ? credentialOf(form.assertion, here, problems, 'Enter the token, or a !command that writes it out.') : undefined;
  const params = pairsOf(form.params, problems);
  if (form.jwt && clientSecret !== undefined) problems[`value:${form.clientSecret.key}`] = 'A client proves who it is in one way: leave this empty, or do without the private key.';
  if (form.xaa && form.grantType !== 'usual') problems['grantType'] = 'Cross-app access has a grant of its own: choose “Usual”.';
  return {
    ...(form.grantType === 'usual' ? {} : { grantType: form.grantType }),
    ...textOf('clientId', form.clientId),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(assertion === undefined ? {} : { assertion }),
    ...textOf('scope', form.scope),
    ...textOf('redirectUri', form.redirectUri),
    ...textOf('clientName', form.clientName),
    ...textOf('clientUri', form.clientUri),
    ...(form.metadata === 'usual' ? {} : { clientMetadataUrl: form.metadata === 'never' ? (false as const) : form.clientMetadataUrl.trim() }),
    ...yesNo('skipIssuerMetadataValidation', form.skipIssuer),
    ...(params === undefined ? {} : { authorizationParams: params }),
    ...(form.jwt ? { privateKeyJwt: jwtOf(form, here, problems) } : {}),
    ...(form.xaa ? { crossAppAccess: xaaOf(form, here, problems) } : {}),
  };
}

function jwtOf(form: OptionsForm, here: boolean, problems: Record<string, string>): NonNullable<DraftOAuth['privateKeyJwt']> {
  const privateKey = credentialOf(form.jwtKey, here, problems, 'Enter the key.');
  const algorithm = form.jwtAlgorithm.trim();
  if (algorithm === '') problems['jwtAlgorithm'] = 'Which algorithm?';
  const claims = claimsOf(form.jwtClaims, problems);
  return {
    privateKey: privateKey ?? { kept: true },
    algorithm,
    ...textOf('audience', form.jwtAudience),
    ...numberOf('lifetimeSeconds', 'jwtLifetime', form.jwtLifetime, { most: 86_400, unit: 'seconds', whole: true }, problems),
    ...(claims === undefined ? {} : { claims }),
  };
}

function xaaOf(form: OptionsForm, here: boolean, problems: Record<string, string>): NonNullable<DraftOAuth['crossAppAccess']> {
  const idToken = credentialOf(form.xaaIdToken, here, problems, 'Enter the token.');
  const clientSecret = credentialOf(form.xaaClientSecret, here, problems);
  if (form.xaaIdpUrl.trim() === '') problems['xaaIdpUrl'] = 'What is its address?';
  if (form.xaaClientId.trim() === '') problems['xaaClientId'] = 'What is its client id?';
  return {
    idpUrl: form.xaaIdpUrl.trim(), clientId: form.xaaClientId.trim(), idToken: idToken ?? { kept: true },
    ...(clientSecret === undefined ? {} : { clientSecret }),
  };
}

function credentialOf(row: ValueRow, here: boolean, problems: Record<string, string>, needed?: string) {
  if (isBlank(row)) {
    if (needed !== undefined) problems[`value:${row.key}`] = needed;
    return undefined;
  }
  const problem = valueProblem(row, here);
  if (problem) problems[`value:${row.key}`] = problem;
  return draftValueOf(row, here);
}

const yesNo = <K extends string>(name: K, choice: Choice): { readonly [P in K]?: boolean } =>
  (choice === 'usual' ? {} : { [name]: choice === 'yes' }) as { [P in K]?: boolean }; // its one key is `name`
const textOf = <K extends string>(name: K, typed: string): { readonly [P in K]?: string } =>
  (typed.trim() === '' ? {} : { [name]: typed.trim() }) as { [P in K]?: string }; // its one key is `name`
const linesOf = (typed: string): string[] =>
  typed.split('\n').map((line) => line.trim()).filter((line) => line !== '');
const listOf = <K extends string>(name: K, typed: string): { readonly [P in K]?: string[] } =>
  (linesOf(typed).length === 0 ? {} : { [name]: linesOf(typed) }) as { [P in K]?: string[] }; // its one key is `name`

function toolsOf(field: string, choice: ToolChoice, typed: string, problems: Record<string, string>): boolean | string[] | undefined {
  if (choice === 'usual') return undefined;
  if (choice !== 'some') return choice === 'all';
  const names = linesOf(typed);
  if (names.length === 0) problems[field] = 'Name at least one tool.';
  return names;
}

function pairsOf(typed: string, problems: Record<string, string>): Record<string, string> | undefined {
  const lines = linesOf(typed);
  if (lines.length === 0) return undefined;
  if (lines.some((line) => line.indexOf('=') < 1)) problems['params'] = 'One “name=value” to a line.';
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')).trim(), line.slice(line.indexOf('=') + 1).trim()]));
}

type Claims = NonNullable<NonNullable<DraftOAuth['privateKeyJwt']>['claims']>;
function claimsOf(typed: string, problems: Record<string, string>): Claims | undefined {
  if (typed.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(typed);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Claims; // JSON.parse gives nothing but JSON
  } catch {
    // said below
  }
  problems['jwtClaims'] = 'A JSON object, such as { "tenant": "acme" }.';
  return undefined;
}

interface Range {
  readonly most: number;
  readonly unit: 'seconds' | 'minutes';
  readonly zero?: true;
  readonly whole?: true;
}
/** Reads a number, also with a comma. Names that end in `Ms` are sent in milliseconds. */
function numberOf<K extends string>(name: K, field: string, typed: string, { most, unit, zero, whole }: Range, problems: Record<string, string>): { readonly [P in K]?: number } {
  const text = typed.trim().replace(',', '.');
  if (text === '') return {};
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0 || (value === 0 && !zero)) problems[field] = `A number of ${unit}.`;
  else if (whole && !Number.isInteger(value)) problems[field] = `A whole number of ${unit}.`;
  else if (value > most) problems[field] = `At most ${most.toLocaleString('en-US')} ${unit}.`;
  const sent = name.endsWith('Ms') ? (value === 0 ? 0 : Math.max(1, Math.round(value * 1000))) : value;
  return { [name]: sent } as { [P in K]?: number }; // its one key is `name`
}
