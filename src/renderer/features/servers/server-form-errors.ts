import type { RequestError } from '../../bridge/api.ts';
import type { OptionsForm } from './options-form.ts';
import type { Problems, ServerForm } from './server-form-model.ts';
import type { ValueRow } from './value-row.ts';

interface Issue {
  readonly path: readonly unknown[];
  readonly message: string;
}
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isIssue = (value: unknown): value is Issue => isRecord(value) && Array.isArray(value['path']);

/** Options by the names that files use, and the field of the form that each is typed in. */
const optionFields: Readonly<Record<string, keyof OptionsForm>> = {
  'limits.handshakeMs': 'handshake', 'limits.callIdleMs': 'callIdle', 'limits.callTotalMs': 'callTotal', requestTimeoutMs: 'requestTimeout', protocolVersion: 'protocol',
  lifecycle: 'lifecycle', idleTimeout: 'idleTimeout', required: 'required', includeTools: 'include', excludeTools: 'exclude', directTools: 'directNames',
  approveTools: 'approveNames', toolPrefix: 'prefix', exposeResources: 'exposeResources', retryOnTransportFailure: 'retry', debug: 'debug', trace: 'trace',
  auth: 'auth', bearerToken: 'bearerToken', bearerTokenEnv: 'bearerTokenEnv', autoAuth: 'autoAuth', 'oauth.grantType': 'grantType', 'oauth.clientId': 'clientId',
  'oauth.clientSecret': 'clientSecret', 'oauth.assertion': 'assertion', 'oauth.scope': 'scope', 'oauth.redirectUri': 'redirectUri', 'oauth.clientName': 'clientName', 'oauth.clientUri': 'clientUri',
  'oauth.clientMetadataUrl': 'clientMetadataUrl', 'oauth.skipIssuerMetadataValidation': 'skipIssuer', 'oauth.authorizationParams': 'params',
  'oauth.privateKeyJwt.privateKey': 'jwtKey', 'oauth.privateKeyJwt.algorithm': 'jwtAlgorithm', 'oauth.privateKeyJwt.audience': 'jwtAudience',
  'oauth.privateKeyJwt.lifetimeSeconds': 'jwtLifetime', 'oauth.privateKeyJwt.claims': 'jwtClaims', 'oauth.crossAppAccess.idpUrl': 'xaaIdpUrl',
  'oauth.crossAppAccess.clientId': 'xaaClientId', 'oauth.crossAppAccess.idToken': 'xaaIdToken', 'oauth.crossAppAccess.clientSecret': 'xaaClientSecret', oauth: 'grantType',
};

/** What the core refused, put on the fields that it is about; empty when it is about none of them and has to be said as a whole. */
export function problemsOf(error: RequestError, form: ServerForm): Problems {
  switch (error.code) {
    case 'server/exists':
      return { name: 'There is a server with this name already. Choose another one.' };
    case 'secret/missing':
      return onField(error.data, form, 'The saved value is gone. Enter it again.');
    case 'request/invalid':
      return Array.isArray(error.data)
        ? byPath(error.data, form)
        : onField(error.data, form, 'This name belongs to a secret: its value is kept in the vault.');
    default:
      return {};
  }
}

/** `data` names a field, and a key within it. */
function onField(data: unknown, form: ServerForm, words: string): Problems {
  if (!isRecord(data) || typeof data['field'] !== 'string') return {};
  const { field, key } = data;
  const found = field === 'url' ? 'url' : fieldAt(field === 'env' || field === 'headers' ? ['transport', field, key] : ['options', ...field.split('.')], form);
  return found === undefined ? {} : { [found]: words };
}

function byPath(issues: readonly unknown[], form: ServerForm): Problems {
  const problems: Record<string, string> = {};
  for (const issue of issues) {
    if (!isIssue(issue)) continue;
    const after = issue.path.indexOf('draft');
    const field = fieldAt(after < 0 ? issue.path : issue.path.slice(after + 1), form);
    if (field && problems[field] === undefined) problems[field] = issue.message.startsWith('Invalid input') ? 'This cannot be used.' : `${issue.message}.`;
  }
  return problems;
}

function fieldAt([first, ...rest]: readonly unknown[], form: ServerForm): string | undefined {
  if (first === 'name') return 'name';
  if (first === 'transport') {
    const [second, third] = rest;
    if ((second === 'env' || second === 'headers') && typeof third === 'string') return rowField(form, second, third);
    return typeof second === 'string' ? second : undefined;
  }
  return first === 'options' ? optionAt(rest.filter((part) => typeof part === 'string'), form) : undefined;
}

/** The nearest field of the form at or above a path. */
function optionAt(path: readonly string[], form: ServerForm): string | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const name = path.slice(0, length).join('.');
    const field = Object.hasOwn(optionFields, name) ? optionFields[name] : undefined;
    if (field === undefined) continue;
    const value = form.options[field];
    return typeof value === 'object' ? `value:${value.key}` : field;
  }
  return undefined;
}

const rowField = (form: ServerForm, field: 'env' | 'headers', name: string): string | undefined => {
  const row = form[field].find((one: ValueRow) => one.name.trim() === name);
  return row && `${field}:${row.key}`;
};
