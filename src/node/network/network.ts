import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Agent, Dispatcher } from 'undici';
import { AppError } from '../../shared/errors.ts';
import { networkFailure, PrivateAddress } from './network-failure.ts';
import { isLoopback, type ProxyFor } from './proxies.ts';
import { isPublicAddress } from './public-address.ts';

export interface NetworkOptions {
  /** Default: no proxy. Not asked for loopback. */
  readonly proxyFor?: ProxyFor;
  /** PEM, everything that is trusted; `undefined`: what Node trusts by itself. Asked for once, at the first https request. */
  readonly certificates?: () => Promise<readonly string[] | undefined>;
  /** Milliseconds to wait for headers and between two pieces of a body; 0, the default, leaves it to the caller's signal. */
  readonly idleMs?: number;
  /** Default: the system's. */
  readonly lookup?: Lookup;
}
export type Lookup = (host: string, options: LookupAllOptions, answer: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void;

/** Whom a request may reach. `public`: names all of whose addresses are public, and exactly the address that was looked at is dialled. Behind a proxy nobody can tell. */
export type Reach = 'anywhere' | 'public';
export interface Sent {
  /** As it came: its body unread, redirects unfollowed. */
  readonly response: Response;
  /** Puts a break in the middle of the body into words. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * The one way out over HTTP for MCP and for signing in: the system's certificates, the person's proxies, and connections that are kept for the next request. Nothing of
 * it is loaded before the first request.
 */
export class Network implements AsyncDisposable {
  readonly #options: NetworkOptions;
  readonly #dispatchers = new Map<string, Promise<Dispatcher>>();
  #trust: Promise<SecureContext | undefined> | undefined;

  constructor(options: NetworkOptions = {}) {
    this.#options = options;
  }

  /** Sends one request and follows no redirect. Rejects as `networkFailure` says. */
  async send(url: URL, init: RequestInit, reach: Reach): Promise<Sent> {
    const signal = init.signal ?? undefined;
    let proxy: string | undefined;
    const explain = (error: unknown): unknown => networkFailure(error, { url, signal, proxy });
    try {
      if (reach === 'public' && isPrivateLiteral(url)) throw new PrivateAddress();
      proxy = isLoopback(url) ? undefined : await beforeAbort(this.#options.proxyFor?.(url) ?? noProxy, signal);
      const dispatcher = await beforeAbort(this.#dispatcher(url, reach, proxy), signal);
      const { fetch: send } = await loadUndici();
      const response = await send(url, { ...init, redirect: 'manual', dispatcher } as Parameters<typeof send>[1]); // both follow the same standard
      return { response: standardResponse(response), explain };
    } catch (error) {
      throw explain(error);
    }
  }

  /** Whether an address stands for this machine or its network, by its form or by the addresses that its name has. A name that nobody knows does not. */
  async isPrivate(url: URL, signal: AbortSignal): Promise<boolean> {
    if (isPrivateLiteral(url)) return true;
    const looking = new Promise<readonly LookupAddress[]>((resolve) => {
      (this.#options.lookup ?? systemLookup)(url.hostname, { all: true }, (_error, addresses) => resolve(addresses ?? []));
    });
    return (await beforeAbort(looking, signal)).some(({ address }) => !isPublicAddress(address));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const made = await Promise.allSettled(this.#dispatchers.values());
    this.#dispatchers.clear();
    await Promise.all(made.flatMap((one) => (one.status === 'fulfilled' ? [one.value.destroy()] : [])));
  }

  #dispatcher(url: URL, reach: Reach, proxy: string | undefined): Promise<Dispatcher> {
    const secure = url.protocol === 'https:' || proxy?.startsWith('https:') === true;
    const key = `${secure ? 'tls' : 'plain'} ${proxy ?? reach}`;
    const made = this.#dispatchers.get(key) ?? this.#make(secure, reach, proxy);
    this.#dispatchers.set(key, made);
    return made;
  }

  async #make(secure: boolean, reach: Reach, proxy: string | undefined): Promise<Dispatcher> {
    const { Agent, Pool, ProxyAgent } = await loadUndici();
    const secureContext = secure ? await (this.#trust ??= this.#readTrust()) : undefined;
    const tls = secureContext === undefined ? {} : { secureContext };
    const { idleMs = 0 } = this.#options;
    const patience = { headersTimeout: idleMs, bodyTimeout: idleMs };
    if (proxy === undefined) {
      const lookup = checkedLookup(this.#options.lookup ?? systemLookup, reach);
      return new Agent({ ...patience, connect: { ...tls, lookup } });
    }
    // A proxy gets plain http as a request for the whole address, and a tunnel for the rest, as browsers do it: many open tunnels to port 443 alone.
    return new ProxyAgent({
      uri: proxy, ...proxyLogin(proxy), proxyTunnel: false, requestTls: tls, proxyTls: tls, ...patience,
      factory: (origin: string | URL, options: Agent.Options) => new Pool(origin, { ...options, ...patience }),
    });
  }

  async #readTrust(): Promise<SecureContext | undefined> {
    const ca = await this.#options.certificates?.();
    // Made once: with hundreds of certificates that takes longer than a connection.
    return ca && createSecureContext({ ca: [...ca] });
  }
}

const noProxy = Promise.resolve(undefined);

/** Written as an address, in whatever way: the URL standard's parser has made numbers of them all. No name is looked up for it. */
const isPrivateLiteral = ({ hostname }: URL): boolean => {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && !isPublicAddress(host);
};

let undici: Promise<typeof import('undici')> | undefined;
function loadUndici(): Promise<typeof import('undici')> {
  return (undici ??= firstUndici());
}
function firstUndici(): Promise<typeof import('undici')> {
  // Brings up Node's own `fetch` first, which would else share this package's agent, of another version.
  new Response();
  return import('undici');
}

function proxyLogin(proxy: string): { readonly token?: string } {
  const { username, password } = new URL(proxy);
  if (username === '') return {};
  return { token: `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare percent sign in it.
    return text;
  }
}

/** Answers only when every address may be reached: of what it answers the dialler takes any. Not asked for a host that is an address itself. */
function checkedLookup(lookup: Lookup, reach: Reach): LookupFunction {
  return (host, options, answer) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error) return answer(error, '');
      if (!first) return answer(Object.assign(new Error('The name has no address'), { code: 'ENOTFOUND' }), '');
      if (reach === 'public' && !addresses.every(({ address }) => isPublicAddress(address))) return answer(new PrivateAddress(), '');
      return options.all ? answer(null, addresses) : answer(null, first.address, first.family);
    });
  };
}

/** Node's own class, which the rest of the app knows, in place of the package's. */
function standardResponse(from: Awaited<ReturnType<Awaited<ReturnType<typeof loadUndici>>['fetch']>>): Response {
  const { body, status, statusText, headers } = from;
  if (status < 200 || status > 599) throw new AppError('server/http-error', `The server answered with status ${status}, which is none`, { data: { status } });
  const response = new Response(body, { status, statusText, headers: [...headers] });
  // A made response has no address, and whoever resolves a relative one needs it.
  Object.defineProperty(response, 'url', { value: from.url });
  return response;
}

/** What is waited for has no signal of its own, and others wait for it too: the shell's environment, the certificates. */
async function beforeAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
