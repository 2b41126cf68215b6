import { BlockList, isIP } from 'node:net';

/** IPv4 that is nobody's public address (IANA's special-purpose registry, RFC 6890), by network and prefix length. */
const apartFour: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24],
  ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4],
];
/** Of IPv6 only 2000::/3 is public, and of that not: Teredo and its like, documentation, and 6to4, which wraps any IPv4 address. */
const apartSix: readonly (readonly [string, number])[] = [['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20]];

const apart = new BlockList();
for (const [network, prefix] of apartFour) apart.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of apartSix) apart.addSubnet(network, prefix, 'ipv6');
const globalSix = new BlockList();
globalSix.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address belongs to the public internet: not this machine, its network, a link, a cloud's metadata or a reserved range. IPv4 within IPv6 (mapped, RFC 4291;
 * NAT64's well-known prefix, RFC 6052) is judged as the IPv4 address that it stands for. What is no address is not public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !apart.check(address, 'ipv4');
  // An address with a zone belongs to a link.
  if (family !== 6 || address.includes('%')) return false;
  const inner = innerFour(address);
  if (inner !== undefined) return isPublicAddress(inner);
  return globalSix.check(address, 'ipv6') && !apart.check(address, 'ipv6');
}

/** In the URL standard's one spelling, the last two groups hold the IPv4 address. */
function innerFour(address: string): string | undefined {
  const spelled = new URL(`http://[${address}]/`).hostname;
  const match = /^\[(?:::ffff|64:ff9b:):(?:(?:([\da-f]+):)?([\da-f]+))?\]$/.exec(spelled);
  if (!match) return undefined;
  const [high, low] = [match[1], match[2]].map((group) => Number.parseInt(group ?? '0', 16));
  return [high, low].flatMap((group = 0) => [group >> 8, group & 255]).join('.');
}
