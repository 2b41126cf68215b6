import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { TestAuthority } from '../../../test/support/test-authority.ts';
import { systemCertificates } from './system-certificates.ts';

const onProblem = (what: string, error: unknown): never => {
  throw new Error(what, { cause: error });
};
const linux = (env: Readonly<Record<string, string>>, report: (what: string) => void = onProblem as never) => systemCertificates({ platform: 'linux', env, onProblem: report });
/** What is trusted beyond Node's own. */
const added = async (read: Promise<readonly string[] | undefined>) => ((await read) ?? []).slice(rootCertificates.length).map((pem) => pem.trim());

describe('the certificates of the system', () => {
  const [one, two] = [new TestAuthority('One').pem.trim(), new TestAuthority('Two').pem.trim()];

  it('on Linux are those of the file and the folders that are named, each once, beside Node’s own', async () => {
    const [folder, other] = [tempFolder(), tempFolder()];
    const file = join(folder, 'all.pem');
    writeFileSync(file, `# One\n${one}\n${rootCertificates[0] ?? ''}\n-----BEGIN CERTIFICATE-----\nbm8gY2VydGlmaWNhdGU=\n-----END CERTIFICATE-----\n`);
    writeFileSync(join(other, 'two.crt'), `${two}\n${one}`);
    writeFileSync(join(other, 'notes.txt'), new TestAuthority('Not to be read').pem);
    symlinkSync('gone.pem', join(other, '12345678.0'));
    expect(await added(linux({ SSL_CERT_FILE: file, SSL_CERT_DIR: `${other}:` }))).toEqual([one, two]);
    expect((await linux({ SSL_CERT_FILE: file }))?.slice(0, rootCertificates.length)).toEqual([...rootCertificates]);
  });

  it('are left to Node when they are no more than its own', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'certs'));
    writeFileSync(join(folder, 'certs', 'a.pem'), rootCertificates.slice(0, 3).join('\n'));
    expect(await linux({ SSL_CERT_DIR: join(folder, 'certs') })).toBeUndefined();
  });

  it('that cannot be read are told of, and the others count', async () => {
    const told: string[] = [];
    const file = join(tempFolder(), 'one.pem');
    writeFileSync(file, one);
    const read = linux({ SSL_CERT_FILE: '/no/such/file.pem', SSL_CERT_DIR: '/no/such/folder', NODE_EXTRA_CA_CERTS: file }, (what) => told.push(what));
    expect(await added(read)).toEqual([one]);
    expect(told.toSorted()).toEqual(['SSL_CERT_DIR', 'SSL_CERT_FILE']);
  });

  it('on macOS are the authorities in the keychains of the machine', async () => {
    const asked: string[] = [];
    const run = async (command: string, args: readonly string[]) => {
      asked.push([command, ...args].join(' '));
      return args.some((arg) => arg.includes('SystemRoot')) ? one : `${two}\n${new TestAuthority().issue(['no.authority']).cert}`;
    };
    expect(await added(systemCertificates({ platform: 'darwin', env: { SSL_CERT_FILE: '/not/read' }, onProblem, run }))).toEqual([two, one]);
    expect(asked).toEqual(['/Library/Keychains/System.keychain', '/System/Library/Keychains/SystemRootCertificates.keychain'].map((keychain) => `/usr/bin/security find-certificate -a -p ${keychain}`));
  });

  it('on Windows are the authorities in the stores of the machine and the person', async () => {
    const asked: (readonly string[])[] = [];
    const base64 = one.replace(/-----[^-]+-----|\s/g, '');
    const run = async (command: string, args: readonly string[]) => {
      asked.push([command, ...args]);
      return `${base64}\r\n\r\n${base64}\r\n`;
    };
    const [pem = ''] = await added(systemCertificates({ platform: 'win32', env: { SYSTEMROOT: 'D:\\Windows' }, onProblem, run }));
    expect(pem.replace(/-----[^-]+-----|\s/g, '')).toBe(base64);
    expect(asked).toHaveLength(1);
    expect(asked[0]?.[0]).toBe('D:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe');
    expect(asked[0]?.at(-1)).toContain('Cert:\\LocalMachine\\Root, Cert:\\CurrentUser\\Root');
  });
});
