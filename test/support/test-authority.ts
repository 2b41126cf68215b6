import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface IssuedCertificate {
  /** PEM, for `node:https`. */
  readonly key: string;
  readonly cert: string;
}

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const object = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (at: number): Buffer => der(0x17, Buffer.from(new Date(at).toISOString().replace(/^..|[-:T]|\.\d{3}/g, ''), 'ascii'));
const nameOf = (common: string): Buffer => sequence(der(0x31, sequence(object('550403'), der(0x0c, Buffer.from(common, 'utf8')))));
const extension = (id: string, critical: boolean, value: Buffer): Buffer => sequence(object(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));
const ecdsaWithSha256 = sequence(object('2a8648ce3d040302'));
const day = 86_400_000;

/** A certificate authority of a test's own (RFC 5280), made when it is needed: no key lies in the repository, and no program is run for it. */
export class TestAuthority {
  readonly #key: KeyObject;
  readonly #name: string;
  /** PEM, to be trusted. */
  readonly pem: string;

  constructor(name = 'Gatehouse test authority') {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#key = privateKey;
    this.#name = name;
    this.pem = this.#certify(name, publicKey, Date.now() + day, [extension('551d13', true, sequence(der(0x01, Buffer.from([0xff]))))]);
  }

  /** For names and IPv4 addresses. */
  issue(hosts: readonly string[], { expired = false }: { readonly expired?: boolean } = {}): IssuedCertificate {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const names = hosts.map((host) => (isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host, 'ascii'))));
    const cert = this.#certify(hosts[0] ?? '', publicKey, Date.now() + (expired ? -1 : 1) * day, [extension('551d11', false, sequence(...names))]);
    return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert };
  }

  #certify(subject: string, publicKey: KeyObject, until: number, extensions: readonly Buffer[]): string {
    const content = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      ecdsaWithSha256,
      nameOf(this.#name),
      sequence(time(Date.now() - 2 * day), time(until)),
      nameOf(subject),
      publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(...extensions)),
    );
    const whole = sequence(content, ecdsaWithSha256, der(0x03, Buffer.from([0]), sign('sha256', content, this.#key)));
    return `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/(.{64})(?=.)/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
  }
}
