import { expect, it } from 'vitest';
import { isPublicAddress } from './public-address.ts';

it.each(['93.184.215.14', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:2800:220:1::1', '::ffff:8.8.8.8', '64:ff9b::808:808', '64:ff9b::8.8.8.8'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

it.each([
  '0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.1.1',
  '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '255.255.255.255',
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each([
  ['this machine', '::1'], ['no address at all', '::'], ['IPv4, compatible', '::7f00:1'], ['a network of one’s own', 'fd00::1'], ['a link', 'fe80::1'], ['a link, with its zone', 'fe80::1%1'],
  ['a public one with a zone', '2606:2800:220:1::1%1'], ['a site', 'fec0::1'], ['many', 'ff02::1'], ['nowhere', '100::1'], ['documentation', '2001:db8::1'], ['documentation, later', '3fff::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'], ['6to4 of a private one', '2002:7f00:1::'], ['6to4 of a public one', '2002:808:808::'], ['mapped, in dots', '::ffff:127.0.0.1'],
  ['mapped, in groups', '::ffff:a9fe:a9fe'], ['mapped, in full', '0:0:0:0:0:FFFF:0a00:0001'], ['mapped, of zeros', '::ffff:0:0'], ['NAT64 of this machine', '64:ff9b::7f00:1'],
  ['NAT64 of the metadata', '64:ff9b::169.254.169.254'], ['NAT64 of zeros', '64:ff9b::'], ['NAT64 of one’s own', '64:ff9b:1::808:808'], ['a name', 'localhost'], ['nothing', ''],
])('IPv6 for %s is not: %s', (_, address) => {
  expect(isPublicAddress(address)).toBe(false);
});
