import { AppError } from '../../shared/errors.ts';

/** A failed fetch in plain words, its cause kept. An abort stays what it is. */
export function httpFailure(error: unknown, url: URL, signal: AbortSignal | undefined): unknown {
  if (error instanceof AppError) return error;
  if (signal?.aborted) return signal.reason;
  const code = systemCode(error);
  if (code === 'ERR_INVALID_URL_CREDENTIALS' || url.username !== '' || url.password !== '') {
    return new AppError('config/invalid', 'A user name or password in the address cannot be used; send it as a header', { cause: error });
  }
  return new AppError('connection/unreachable', `Cannot reach ${url.host}: ${reasonFor(code, error)}`, {
    data: { host: url.host, ...(code === undefined ? {} : { systemCode: code }) },
    cause: error,
  });
}

/** The code stands somewhere along the causes; a name with several addresses fails with one cause each. */
function systemCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 6; depth += 1) {
    if ('code' in at && typeof at.code === 'string' && at.code !== '') return at.code;
    at = at instanceof AggregateError && at.cause === undefined ? at.errors[0] : at.cause;
  }
  return undefined;
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
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not from a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not from a known authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not from a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak https on this port',
  EPROTO: 'it does not speak https on this port',
};

function reasonFor(code: string | undefined, error: unknown): string {
  if (code === undefined) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : undefined;
    return cause === 'bad port' ? 'its port is one that no web server may have' : (cause ?? 'the connection failed');
  }
  return reasons[code] ?? (code.startsWith('HPE_') ? 'it does not speak http' : code);
}
