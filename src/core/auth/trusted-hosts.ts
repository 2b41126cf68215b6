import { AppError } from '../../shared/errors.ts';
import { externalUrl } from '../../shared/text/external-url.ts';
import type { SignInTarget } from './sign-in-target.ts';

/** `name:port`, the port always said. */
export function hostOf(address: string | URL): string {
  const url = new URL(address);
  return `${url.hostname}:${url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port}`;
}

/** What the person typed or allowed: the server's own address, and what was allowed since. */
export function trustedHosts({ url }: Pick<SignInTarget, 'url'>, allowed: readonly string[]): (host: string) => boolean {
  const hosts = new Set([hostOf(url), ...allowed]);
  return (host) => hosts.has(host);
}

/** What stands for this machine or its network by its mere form; names are looked up when they are called. */
const isLocal = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('[') || /^(0|10|127|169\.254|172\.(1[6-9]|2\d|3[01])|192\.168|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+){1,3}$/.test(hostname);

/**
 * An address that a server named, before anything is sent there or a browser is opened. Throws `auth/address-refused`, and `auth/host-blocked` with `data.host` for one of
 * this machine or network that the person neither typed nor allowed.
 */
export function checkEndpoint(address: string | URL, what: string, trusted: (host: string) => boolean): URL {
  const text = String(address);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const refuse = (why: string): never => {
    throw new AppError('auth/address-refused', `The ${what} that the server names is not used: ${why}`, { data: { why } });
  };
  if (!url) return refuse('it is no address');
  if (url.username !== '' || url.password !== '') return refuse('it carries a login');
  const isTrusted = trusted(hostOf(url));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (isTrusted || isLocal(url)))) return refuse(`it is ${url.protocol}, not https:`);
  if (isLocal(url) && !isTrusted) {
    throw new AppError('auth/host-blocked', `The ${what} is at ${url.host}, an address of this machine or network`, { data: { host: hostOf(url) } });
  }
  return url;
}

/** The authorization address in the form in which it may be opened. */
export function checkBrowserAddress(address: URL, trusted: (host: string) => boolean): string {
  checkEndpoint(address, 'sign-in page', trusted);
  const opened = externalUrl(address.href);
  if (opened === undefined) throw new AppError('auth/address-refused', 'The sign-in page that the server names cannot be opened', { data: { why: 'form' } });
  return opened;
}
