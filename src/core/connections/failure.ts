import type { SdkError } from '@modelcontextprotocol/client';
import { AppError, errorKinds } from '../../shared/errors.ts';
import type { ConnectionFailure } from '../../shared/model/connection-state.ts';
import { sdkNow, type Sdk } from '../kernel/sdk.ts';
import type { ProcessEnd } from '../ports.ts';
import { LostAnswer } from './lost-answer.ts';

/** What is known beside the error itself. */
export interface Around {
  readonly mask: (text: string) => string;
  /** Set when the server was a process that has ended. */
  readonly ended?: ProcessEnd | undefined;
  /** The end of stderr of a process that still runs. */
  readonly stderr?: string | undefined;
}

const messageLimit = 500;
const detailLimit = 8_192;

/** Any thrown thing as the reason that a person reads. */
export function failureOf(thrown: unknown, around: Around): ConnectionFailure {
  const error = asAppError(thrown, around.ended);
  const data = dataOf(error.data);
  const detail = detailOf(data, around);
  return {
    code: error.code,
    message: around.mask(oneLine(error.message)).slice(0, messageLimit),
    ...(detail === '' ? {} : { detail }),
    ...(typeof data['exitCode'] === 'number' ? { exitCode: data['exitCode'] } : {}),
    ...(typeof data['signal'] === 'string' ? { signal: data['signal'] } : {}),
    ...(typeof data['status'] === 'number' ? { httpStatus: data['status'] } : {}),
  };
}

/** For whoever asked: without the secrets, and without what only the server's row shows. The original stays as the cause. */
export function masked(error: AppError, mask: (text: string) => string): AppError {
  const data = Object.entries(dataOf(error.data)).flatMap(([key, value]) => {
    if (typeof value === 'string') return key === 'stderr' || key === 'stdout' || key === 'body' ? [] : [[key, mask(value)] as const];
    return typeof value === 'object' && key !== 'failure' ? [] : [[key, value] as const];
  });
  return new AppError(error.code, mask(error.message), { ...(data.length === 0 ? {} : { data: Object.fromEntries(data) }), cause: error });
}

/** Worth trying again without a person. */
export function isPassing(failure: ConnectionFailure): boolean {
  const status = failure.httpStatus ?? 0;
  return errorKinds[failure.code] === 'retry' || failure.code === 'server/exited' || status === 408 || status === 429 || status >= 500;
}

/** Any thrown thing in the app's words. `ended` explains a connection that closed. */
export function asAppError(thrown: unknown, ended?: ProcessEnd): AppError {
  if (thrown instanceof AppError) return thrown;
  const sdk = sdkNow();
  if (ended && isClosing(thrown, sdk)) return exited(ended, thrown);
  const said = sdk && ofSdk(thrown, sdk, ended);
  if (said) return said;
  const network = networkError(thrown);
  if (network) return network;
  if (thrown instanceof Error && (thrown.name === 'SyntaxError' || thrown.name === 'ZodError' || thrown.name === '$ZodError')) {
    const data = { body: thrown.message };
    return new AppError('server/protocol-error', 'The server’s answer is not JSON-RPC', { data, cause: thrown });
  }
  if (thrown instanceof Error && thrown.name === 'TimeoutError')
    return new AppError('connection/timed-out', thrown.message, { cause: thrown });
  if ((sdk && thrown instanceof sdk.SseError) || (thrown instanceof Error && thrown.message === 'Not connected')) {
    return new AppError('connection/closed', thrown.message, { cause: thrown });
  }
  return AppError.from(thrown);
}

/** What the library threw, as far as its class says enough. */
function ofSdk(thrown: unknown, sdk: Sdk, ended: ProcessEnd | undefined): AppError | undefined {
  if (thrown instanceof sdk.UnauthorizedError) return signIn(401, undefined, thrown);
  if (thrown instanceof sdk.SdkHttpError) return httpError(thrown.status, text(dataOf(thrown.data)['text']), thrown);
  if (thrown instanceof sdk.SseError && thrown.code !== undefined && thrown.code >= 300) return httpError(thrown.code, undefined, thrown);
  if (thrown instanceof sdk.SdkError) return sdkError(thrown, sdk, ended);
  if (thrown instanceof sdk.UrlElicitationRequiredError) return new AppError('elicitation/url-required', thrown.message, { data: { elicitations: thrown.elicitations }, cause: thrown });
  if (thrown instanceof sdk.ProtocolError) {
    if (thrown.data instanceof LostAnswer) return new AppError('server/protocol-error', thrown.data.message, { cause: thrown });
    const data = dataOf(thrown.data);
    // Our own reader says it in the place of an answer that it did not read; a server that says so speaks of its own answer.
    if (data['code'] === 'tool/result-too-large') return new AppError('tool/result-too-large', thrown.message, { data, cause: thrown });
    return new AppError('server/protocol-error', `${thrown.message} (code ${thrown.code})`, {
      data: { rpcCode: thrown.code },
      cause: thrown,
    });
  }
  return undefined;
}

/** The connection to the server was not made, so nothing can have been done there. */
export function wasNeverSent(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 6; error = error.cause, depth += 1) {
    if ('code' in error && typeof error.code === 'string' && unmade.has(error.code)) return true;
  }
  return false;
}
const unmade = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'ENOENT',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** The last three that say anything, in one. */
export const lastLines = (output: string): string =>
  output
    .trim()
    .split('\n')
    .slice(-3)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' / ');

/** "The server exited with code 1: …" with the last lines of its stderr. */
export function exited(ended: ProcessEnd, cause?: unknown): AppError {
  const how =
    ended.signal !== undefined
      ? `was ended by ${ended.signal}`
      : ended.exitCode !== undefined
        ? `exited with code ${ended.exitCode}`
        : 'ended';
  const last = lastLines(ended.stderr);
  const { stderr, ...end } = ended;
  return new AppError('server/exited', `The server ${how}${last === '' ? '' : `: ${last}`}`, { data: { ...end, stderr }, cause });
}

const isClosing = (thrown: unknown, sdk: Sdk | undefined): boolean => {
  if (sdk && thrown instanceof sdk.SdkError)
    return !(thrown instanceof sdk.SdkHttpError) && thrown.code !== sdk.SdkErrorCode.InvalidResult && thrown.code !== sdk.SdkErrorCode.RequestTimeout;
  if (sdk && thrown instanceof sdk.ProtocolError) return false;
  return thrown instanceof Error && thrown.name !== 'TimeoutError' && thrown.name !== 'AbortError';
};

function sdkError(error: SdkError, { SdkErrorCode }: Sdk, ended: ProcessEnd | undefined): AppError {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new AppError('connection/timed-out', 'The server did not answer in time', { cause: error });
    case SdkErrorCode.ClientHttpUnexpectedContent:
      return new AppError('server/not-mcp', `The answer is not MCP: ${error.message}`, { cause: error });
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
    case SdkErrorCode.MethodNotSupportedByProtocolVersion:
    case SdkErrorCode.CapabilityNotSupported:
      return new AppError('server/protocol-error', error.message, { cause: error });
    case SdkErrorCode.EraNegotiationFailed:
      return error.cause === undefined
        ? new AppError('server/protocol-error', error.message, { cause: error })
        : asAppError(error.cause, ended);
    default:
      return new AppError('connection/closed', error.message, { cause: error });
  }
}

/** An HTTP answer that is no success, with the server's own words: a JSON-RPC error's message and code, or the body's first words. */
export function httpError(status: number, body: string | undefined, cause?: unknown, challenged = false): AppError {
  if (status === 401 || (status === 403 && challenged)) return signIn(status, body, cause);
  const said = rpcErrorOf(body);
  const words = said ? `${said.message} (code ${said.code})` : firstWords(body);
  return new AppError('server/http-error', `The server answered HTTP ${status}${words === '' ? '' : `: ${words}`}`, {
    data: {
      status,
      ...(body === undefined || body === '' ? {} : { body }),
      ...(said ? { rpcCode: said.code, rpcMessage: said.message } : {}),
    },
    cause,
  });
}

function signIn(status: number, body: string | undefined, cause: unknown): AppError {
  return new AppError('auth/sign-in-required', `The server asks for a sign-in (HTTP ${status})`, {
    data: { status, ...(body ? { body } : {}) },
    cause,
  });
}

/** The JSON-RPC error that an HTTP error's body may hold. */
export function rpcErrorOf(body: string | undefined): { readonly code: number; readonly message: string } | undefined {
  if (body === undefined || !body.trimStart().startsWith('{')) return undefined;
  try {
    const { code, message } = dataOf(dataOf(JSON.parse(body))['error']);
    return typeof code === 'number' ? { code, message: text(message) ?? '' } : undefined;
  } catch {
    return undefined; // No JSON: the body's own words are used.
  }
}

function networkError(thrown: unknown): AppError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
  if (
    thrown.message === 'fetch failed' ||
    thrown.message === 'terminated' ||
    (code !== undefined && /^(E[A-Z]{3,}|UND_ERR|ERR_TLS|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)/.test(code))
  ) {
    const cause = thrown.cause instanceof Error ? thrown.cause : undefined;
    return new AppError('connection/unreachable', cause ? `${thrown.message}: ${cause.message}` : thrown.message, { cause: thrown });
  }
  return undefined;
}

function detailOf(data: Readonly<Record<string, unknown>>, around: Around): string {
  const searched = data['searched'];
  const parts = [
    text(data['detail']),
    Array.isArray(searched) && searched.length > 0 ? `Searched in:\n${searched.join('\n')}` : undefined,
    text(data['body']),
    text(data['stderr']) ?? around.ended?.stderr ?? around.stderr,
    text(data['stdout']),
  ];
  // Masked before it is cut: half a secret would not be recognised.
  return around.mask(parts.filter((part) => part !== undefined && part.trim() !== '').join('\n\n')).slice(-detailLimit);
}

const firstWords = (body: string | undefined): string => {
  if (body === undefined) return '';
  if (/^\s*<(!doctype|html)/i.test(body)) return 'a web page, not MCP';
  return oneLine(body).slice(0, 200);
};
const oneLine = (value: string): string => value.replaceAll(/\s+/g, ' ').trim();
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const dataOf = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === 'object' && value !== null ? { ...value } : {});
