import { BlockList, isIP } from 'node:net';
import { AppError } from '../../shared/errors.ts';
import { variable, type Environment, type Platform } from '../stdio/environment.ts';

/** The address of the proxy that leads to an address, with a login where it wants one; `undefined` for none. Throws `connection/unreachable` where there is only one that cannot be used. */
export type ProxyFor = (url: URL) => Promise<string | undefined>;

/** Whether an address is this machine's own: no proxy ever comes between. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:(?:[^.]+\.)*localhost\.?|127(?:\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(hostname);
}

/**
 * What `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` say, in either case; the lower one counts first. `undefined` where none of them names a proxy for this kind of
 * address, so that the system's settings count.
 */
export function environmentProxy(url: URL, env: Environment, platform: Platform): { readonly proxy: string | undefined } | undefined {
  const either = (name: string): string | undefined => variable(env, name.toLowerCase(), platform)?.trim() || variable(env, name, platform)?.trim() || undefined;
  const proxy = either(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') ?? either('ALL_PROXY');
  if (proxy === undefined) return undefined;
  if (isExcepted(url, either('NO_PROXY') ?? '')) return { proxy: undefined };
  return { proxy: usable(/^[a-z][a-z\d+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`) };
}

/** What the system says, in the words of a proxy auto-configuration file: `PROXY host:port; DIRECT`. The first that can be used counts. */
export function listedProxy(list: string): string | undefined {
  const entries = list.split(';').map((entry) => entry.trim()).filter((entry) => entry !== '');
  for (const entry of entries) {
    const [kind = '', address = ''] = entry.split(/\s+/);
    if (/^DIRECT$/i.test(kind)) return undefined;
    if (/^(?:PROXY|HTTP)$/i.test(kind)) return usable(`http://${address}`);
    if (/^HTTPS$/i.test(kind)) return usable(`https://${address}`);
  }
  if (entries.length > 0) throw notUsable(entries[0]?.split(/\s+/)[0] ?? '');
  return undefined;
}

function usable(proxy: string): string {
  if (!URL.canParse(proxy)) throw notUsable('unreadable');
  const url = new URL(proxy);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw notUsable(url.protocol.replace(':', ''));
  return url.href;
}

function notUsable(kind: string): AppError {
  const message = `This machine's settings want a proxy of the kind ${kind.toUpperCase().slice(0, 20)} for this address; Gatehouse can use HTTP and HTTPS proxies only`;
  return new AppError('connection/unreachable', message, { data: { proxyKind: kind.slice(0, 20) } });
}

/** `*`, a host, a domain with all below it, a network (`10.0.0.0/8`), each with a port if wanted. */
function isExcepted(url: URL, list: string): boolean {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).filter((entry) => entry !== '').some((entry) => {
    if (entry === '*') return true;
    if (entry.includes('/')) return isWithin(host, entry);
    const [, name = '', wanted] = /^(\[[^\]]*\]|[^:]*(?::[^:]*:.*)?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (name === '' || (wanted !== undefined && wanted !== port)) return false;
    const domain = bare(name).replace(/^\*?\./, '');
    return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
  });
}

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');

function isWithin(host: string, network: string): boolean {
  const [address = '', prefix = ''] = network.split('/');
  const family = isIP(bare(address));
  if (family === 0 || family !== isIP(host) || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(bare(address), Number(prefix), kind);
  return list.check(host, kind);
}
