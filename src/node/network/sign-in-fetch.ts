import { deadline } from '../../core/kernel/deadline.ts';
import type { SignInFetch } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { PrivateAddress } from './network-failure.ts';
import type { Network, Sent } from './network.ts';
import { redirectTarget } from './redirect-target.ts';

export interface SignInFetchOptions {
  readonly network: Pick<Network, 'send' | 'isPrivate'>;
  /** Milliseconds for one request, with its redirects and its body. */
  readonly timeLimitMs?: number;
}
type Trusted = Parameters<SignInFetch>[0];

const maxRedirects = 3;
const maxBytes = 1024 * 1024;
const never = new AbortController().signal;

/** See `SignInFetch`. The answer's body is in memory: its caller keeps no connection open. */
export function createSignInFetch({ network, timeLimitMs = 15_000 }: SignInFetchOptions): SignInFetch {
  return (trusted) => async (input, init) => {
    const caller = init?.signal ?? (input instanceof Request ? input.signal : never);
    using time = deadline(timeLimitMs, caller);
    const first = parsedAddress(input instanceof Request ? input.url : String(input));
    try {
      const wanted = { ...(input instanceof Request ? await partsOf(input) : {}), ...init, signal: time.signal };
      return await follow(network, first, wanted, trusted);
    } catch (error) {
      if (time.expired()) throw new AppError('connection/timed-out', `${first.host} did not answer within ${timeLimitMs / 1_000} s`, { data: { host: first.host }, cause: error });
      throw error;
    }
  };
}

async function follow(network: SignInFetchOptions['network'], first: URL, init: RequestInit & { readonly signal: AbortSignal }, trusted: Trusted): Promise<Response> {
  let url = first;
  for (let followed = 0; ; followed += 1) {
    const reach = await reachOf(network, url, trusted, init.signal);
    const sent = await network.send(url, init, reach).catch((error: unknown) => {
      throw error instanceof PrivateAddress ? blocked(url) : error;
    });
    const target = redirectTarget(sent.response, url);
    if (!target) return await inMemory(sent, url);
    await sent.response.body?.cancel();
    const isGet = (init.method ?? 'GET').toUpperCase() === 'GET' && (init.body ?? null) === null;
    if (target.origin !== url.origin || !isGet || followed >= maxRedirects) throw refused(url, 'redirect', `it redirects to ${target.origin === 'null' ? target.protocol : target.origin}`);
    url = parsedAddress(target.href);
  }
}

/** Over http only a trusted host is called. One of this machine or network is named as such, so that the person can trust it. */
async function reachOf(network: SignInFetchOptions['network'], url: URL, trusted: Trusted, signal: AbortSignal): Promise<'anywhere' | 'public'> {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(url, 'scheme', `it is no https address but ${url.protocol}`);
  if (trusted(hostOf(url))) return 'anywhere';
  if (url.protocol === 'https:') return 'public';
  throw (await network.isPrivate(url, signal)) ? blocked(url) : refused(url, 'scheme', 'it is http, which anybody on the way can read and change');
}

async function inMemory({ response, explain }: Sent, url: URL): Promise<Response> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const piece = await reader?.read().catch((error: unknown) => {
      throw explain(error);
    });
    if (piece?.value === undefined) break;
    bytes += piece.value.length;
    if (bytes > maxBytes) {
      await reader?.cancel();
      throw new AppError('tool/result-too-large', `${url.host} answered with more than ${maxBytes} bytes`, { data: { limit: maxBytes } });
    }
    pieces.push(piece.value);
  }
  const { status, statusText, headers } = response;
  const whole = new Response(reader ? Buffer.concat(pieces) : null, { status, statusText, headers });
  Object.defineProperty(whole, 'url', { value: response.url });
  return whole;
}

function parsedAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new AppError('auth/address-refused', 'An address of the sign-in is no address', { data: { why: 'scheme' } });
  if (url.username !== '' || url.password !== '') throw refused(url, 'credentials', 'it carries a login');
  return url;
}

/** A body of known length: token endpoints often take no other. */
async function partsOf(request: Request): Promise<RequestInit> {
  return { method: request.method, headers: request.headers, ...(request.body ? { body: await request.arrayBuffer() } : {}) };
}

const hostOf = (url: URL): string => `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;

function blocked(url: URL): AppError {
  return new AppError('auth/host-blocked', `${url.host} is an address of this machine or its network, which nobody allowed for this sign-in`, { data: { host: hostOf(url) } });
}

function refused(url: URL, why: 'scheme' | 'credentials' | 'redirect', words: string): AppError {
  return new AppError('auth/address-refused', `${url.host === '' ? 'An address of the sign-in' : url.host} was not called: ${words}`, { data: { why } });
}
