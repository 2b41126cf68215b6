import { AppError } from '../../shared/errors.ts';
import type { Network } from '../network/network.ts';
import { redirectTarget } from '../network/redirect-target.ts';
import { maxMessageBytes } from './message-reader.ts';
import { withWatchedBody } from './watched-body.ts';

const maxRedirects = 3;

export interface HttpFetchOptions {
  readonly network: Pick<Network, 'send'>;
  readonly maxBodyBytes?: number;
}

/**
 * `fetch` for MCP over HTTP. Only http and https; a redirect is followed within its origin, at most three times, only with its method kept;
 * a body ends at 64 MiB, an event stream at 64 MiB an event. Rejects with `config/invalid`, `server/http-error` (a refused redirect, with
 * `data.status` and `data.location`), `tool/result-too-large`, `connection/unreachable`, or the reason of the signal.
 */
export function createHttpFetch({ network, maxBodyBytes = maxMessageBytes }: HttpFetchOptions): typeof fetch {
  return async (input, init) => {
    let url = parsedAddress(input instanceof Request ? input.url : input);
    let request = input instanceof Request ? input : undefined;
    for (let followed = 0; ; followed += 1) {
      // A request is used up by sending it; its copy waits for a redirect.
      const spare = request?.clone();
      const { response, explain } = await network.send(url, request ? { ...partsOf(request), ...init } : { ...init }, 'anywhere');
      const target = redirectTarget(response, url);
      if (!target) return withWatchedBody(response, { limit: maxBodyBytes, explain });
      await response.body?.cancel();
      const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
      const refusal = whyNot({ target, from: url, method, status: response.status, followed, init });
      if (refusal !== undefined) throw refusedRedirect(response.status, url, target, refusal);
      url = target;
      request = spare;
    }
  };
}

const partsOf = ({ method, headers, body, signal }: Request): RequestInit => ({ method, headers, signal, ...(body ? { body, duplex: 'half' } : {}) });

function parsedAddress(input: string | URL): URL {
  const address = String(input);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) throw new AppError('config/invalid', 'This is no address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    const data = { protocol: url.protocol };
    throw new AppError('config/invalid', `Only http and https addresses can be used, not ${url.protocol}`, { data });
  }
  return url;
}

interface Redirect {
  readonly target: URL;
  readonly from: URL;
  readonly method: string;
  readonly status: number;
  readonly followed: number;
  readonly init: RequestInit | undefined;
}

function whyNot({ target, from, method, status, followed, init }: Redirect): string | undefined {
  if (target.origin !== from.origin) return 'it leads to another server';
  if (target.username !== from.username || target.password !== from.password) return 'it carries a login';
  if (followed >= maxRedirects) return `there are more than ${maxRedirects}`;
  if (method !== 'GET' && method !== 'HEAD' && status !== 307 && status !== 308) return `it would turn ${method} into GET`;
  if (init?.redirect === 'error') return 'no redirect is wanted here';
  if (init?.body instanceof ReadableStream) return 'what was sent cannot be sent again';
  return undefined;
}

/** The path and query of the target are the server's own words, and it may have put a token there: only the address goes into the error. */
function refusedRedirect(status: number, from: URL, target: URL, why: string): AppError {
  const location = target.origin === 'null' ? target.protocol : `${target.origin}${target.pathname}`;
  const data = { status, location };
  return new AppError('server/http-error', `${from.host} redirects to ${location}, which was not followed: ${why}`, { data });
}
