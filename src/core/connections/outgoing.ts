import { AppError } from '../../shared/errors.ts';
import type { HttpAuth } from '../auth/http-auth.ts';
import { loadSdk } from '../kernel/sdk.ts';
import { addConfigured, type ConfiguredHeaders } from './http-headers.ts';

export interface HttpParty {
  readonly headers: ConfiguredHeaders;
  /** Absent for a server that is never signed in to. */
  readonly auth?: HttpAuth | undefined;
}

/** Marks a failure of who asks: the server did nothing. */
class NotAsked extends Error {
  override readonly name = 'NotAsked';
}
/** The request was not sent, or was refused, for want of a login or because none could be had. */
export function wasNotAsked(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 6; error = error.cause, depth += 1) if (error instanceof NotAsked) return true;
  return false;
}

/** A proof's nonce may be renewed twice for one request; everything else is tried once more only. */
const nonces = 2;

/** `fetch` for one server, the last step on the way out: what the person configured, and who asks. What is refused for want of a fresh login is sent once more with one. */
export function outgoing(base: typeof fetch, { headers: configured, auth }: HttpParty): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = (init?.method ?? 'GET').toUpperCase();
    const signal = init?.signal ?? new AbortController().signal;
    for (let tries = 0, renewed = 0; ; ) {
      const headers = new Headers(init?.headers);
      addConfigured(headers, configured);
      await asked(auth?.authorize({ url, method, headers }, signal), signal);
      const response = await base(input, { ...init, headers });
      auth?.heard(response, url);
      if (!auth || !isChallenge(response)) return response;
      const { isDpopNonceChallenge } = await loadSdk();
      const isNonce = isDpopNonceChallenge(response);
      if (isNonce && renewed >= nonces) return response;
      const tool = toolOf(init?.body);
      const verdict = await asked(auth.challenged(response, { url, method, headers, isRepeated: tries > 0, ...(tool === undefined ? {} : { tool }) }, signal), signal);
      if (verdict !== 'again') return response;
      if (isNonce) renewed += 1;
      else tries += 1;
      await response.body?.cancel();
    }
  };
}

const isChallenge = (response: Response): boolean => response.status === 401 || (response.status === 403 && response.headers.has('www-authenticate'));

async function asked<T>(work: Promise<T> | undefined, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    const app = AppError.from(error);
    throw new AppError(app.code, app.message, { data: app.data, cause: new NotAsked(app.message, { cause: app }) });
  }
}

/** Whose call it is. */
function toolOf(body: unknown): string | undefined {
  if (typeof body !== 'string') return undefined;
  try {
    const message: unknown = JSON.parse(body);
    if (typeof message !== 'object' || message === null || !('method' in message) || message.method !== 'tools/call' || !('params' in message)) return undefined;
    const { params } = message;
    return typeof params === 'object' && params !== null && 'name' in params && typeof params.name === 'string' ? params.name : undefined;
  } catch {
    return undefined; // No message of ours.
  }
}
