import { AppError } from '../../shared/errors.ts';

/** A name stands for an address of this machine or its network, and the request was to reach the public internet only. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

export interface FailedRequest {
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
  /** Through which it went. */
  readonly proxy: string | undefined;
}

/**
 * A failed request in plain words, its cause kept: `connection/unreachable` with `data.host` and `data.systemCode`, `config/invalid` for a login in the address. An abort
 * stays what it is, and so does a `PrivateAddress`.
 */
export function networkFailure(error: unknown, { url, signal, proxy }: FailedRequest): unknown {
  const causes = [...causesOf(error)];
  const own = causes.find((cause) => cause instanceof AppError || cause instanceof PrivateAddress);
  if (own) return own;
  if (signal?.aborted) return signal.reason;
  const code = causes.map((cause) => ('code' in cause ? cause.code : undefined)).find((found) => typeof found === 'string' && found !== '') as string | undefined; // what `find` looked for
  if (code === 'ERR_INVALID_URL_CREDENTIALS' || url.username !== '' || url.password !== '') {
    return new AppError('config/invalid', 'A user name or password in the address cannot be used; send it as a header', { cause: error });
  }
  const through = proxy === undefined ? undefined : new URL(proxy).host;
  const why = (through !== undefined && refusedByProxy(causes, through)) || reasonFor(code, causes) + (through === undefined ? '' : ` (through the proxy ${through})`);
  return new AppError('connection/unreachable', `Cannot reach ${url.host}: ${why}`, {
    data: { host: url.host, ...(code === undefined ? {} : { systemCode: code }), ...(through === undefined ? {} : { proxy: through }) },
    cause: error,
  });
}

/** The error and what stands behind it; of a name with several addresses, each of which failed, the first. */
function* causesOf(error: unknown): Generator<Error> {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; depth += 1) {
    yield at;
    at = at instanceof AggregateError && at.cause === undefined ? at.errors[0] : at.cause;
  }
}

/** The package has no code for it, only these words. */
function refusedByProxy(causes: readonly Error[], proxy: string): string | undefined {
  const status = causes.map(({ message }) => /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(message)?.[1]).find((found) => found !== undefined);
  if (status === undefined) return undefined;
  return status === '407' ? `the proxy ${proxy} wants a login` : `the proxy ${proxy} refused with status ${status}`;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'names cannot be looked up; is the network up?',
  ECONNRESET: 'the other side closed the connection',
  UND_ERR_SOCKET: 'the other side closed the connection',
  EPIPE: 'the other side closed the connection',
  ETIMEDOUT: 'no answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the answer stopped half-way',
  ENETUNREACH: 'there is no way to that network',
  EHOSTUNREACH: 'there is no way to that machine',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak https on this port',
  EPROTO: 'it does not speak https on this port',
};

/** Here the system knows more than these words: it goes on to say what it found. */
const certificateReasons: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not from a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not from a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};
const longestWords = 300;

function reasonFor(code: string | undefined, causes: readonly Error[]): string {
  const deepest = causes.at(-1)?.message;
  if (code === undefined) return deepest === 'bad port' ? 'its port is one that no web server may have' : causes.length > 1 && deepest ? deepest : 'the connection failed';
  const certificate = certificateReasons[code];
  // The names in a certificate are somebody else's words.
  if (certificate !== undefined) return `${certificate} (${deepest?.replace(/[\p{Cc}\p{Cf}]/gu, '').slice(0, longestWords) ?? code})`;
  return reasons[code] ?? (code.startsWith('HPE_') ? 'it does not speak http' : code);
}
