import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { promisify } from 'node:util';
import { unlessMissing } from '../records/storage-problem.ts';
import { variable, type Environment, type Platform } from '../stdio/environment.ts';

export interface SystemCertificatesOptions {
  readonly platform: Platform;
  readonly env: Environment;
  /** Something could not be read; the rest counts. */
  readonly onProblem: (what: string, error: unknown) => void;
  /** Runs a system program without a shell; resolves with what it prints. */
  readonly run?: (command: string, args: readonly string[]) => Promise<string>;
}

/**
 * PEM of everything that is trusted: Node's own roots, those of the system, and `NODE_EXTRA_CA_CERTS`. On Linux the system's are in `SSL_CERT_FILE` and `SSL_CERT_DIR`,
 * or in the bundle that the distribution keeps; on macOS in the keychains of the machine; on Windows in the stores of the machine and the person. `undefined` when that is no more
 * than Node trusts by itself. What is no certificate is left out.
 */
export async function systemCertificates(options: SystemCertificatesOptions): Promise<readonly string[] | undefined> {
  const texts = await Promise.all(
    sourcesOf(options).map(([what, read]) =>
      read().catch((error: unknown) => {
        options.onProblem(what, error);
        return '';
      }),
    ),
  );
  // Keychains and stores hold more than authorities; whoever wrote a file of certificates means each of them.
  const authoritiesOnly = options.platform === 'darwin' || options.platform === 'win32';
  const known = new Set(rootCertificates.map(contentOf));
  const more: string[] = [];
  for (const [pem] of texts.join('\n').matchAll(/-----BEGIN (X509 )?CERTIFICATE-----[^-]+-----END \1?CERTIFICATE-----/g)) {
    const content = contentOf(pem);
    if (known.has(content)) continue;
    known.add(content);
    if (isCertificate(content, authoritiesOnly)) more.push(pem);
  }
  return more.length === 0 ? undefined : [...rootCertificates, ...more];
}

type Source = readonly [what: string, read: () => Promise<string>];

function sourcesOf(options: SystemCertificatesOptions): readonly Source[] {
  const extra = variable(options.env, 'NODE_EXTRA_CA_CERTS', options.platform);
  return [...systemSources(options), ...(extra ? [['NODE_EXTRA_CA_CERTS', () => readFile(extra, 'latin1')] as const] : [])];
}

function systemSources({ platform, env, run = runProgram }: SystemCertificatesOptions): readonly Source[] {
  if (platform === 'darwin') {
    return ['/Library/Keychains/System.keychain', '/System/Library/Keychains/SystemRootCertificates.keychain'].map((keychain) => [keychain, () => run('/usr/bin/security', ['find-certificate', '-a', '-p', keychain])]);
  }
  if (platform === 'win32') {
    const shell = `${variable(env, 'SystemRoot', platform) ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
    return [['The certificate stores of Windows', async () => pemOf(await run(shell, ['-NoProfile', '-NonInteractive', '-Command', listStores]))]];
  }
  const { SSL_CERT_FILE: file, SSL_CERT_DIR: folders } = env;
  const named: Source[] = [];
  if (file) named.push(['SSL_CERT_FILE', () => readFile(file, 'latin1')]);
  for (const folder of folders?.split(':').filter((path) => path !== '') ?? []) named.push(['SSL_CERT_DIR', () => readFolder(folder)]);
  // Where neither is set, as with OpenSSL: what the distribution keeps.
  return named.length > 0 ? named : [['The certificates of the system', readBundle]];
}

/** Where distributions keep all in one file. */
const bundles = [
  '/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/ca-bundle.pem', '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem', '/etc/pki/tls/cacert.pem', '/etc/ssl/cert.pem',
];

async function readBundle(): Promise<string> {
  for (const bundle of bundles) {
    const text = await unlessMissing(readFile(bundle, 'latin1'));
    if (text !== undefined) return text;
  }
  return '';
}

const mostFiles = 2_000;

async function readFolder(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /\.(?:pem|crt|cer|\d+)$/.test(name)).slice(0, mostFiles);
  // A link that leads nowhere is a certificate that was taken out.
  const texts = await Promise.all(names.map((name) => unlessMissing(readFile(join(folder, name), 'latin1'))));
  return texts.filter((text) => text !== undefined).join('\n');
}

const listStores = 'Get-ChildItem Cert:\\LocalMachine\\Root, Cert:\\CurrentUser\\Root | ForEach-Object { [Convert]::ToBase64String($_.RawData) }';

const pemOf = (lines: string): string =>
  lines.split(/\r?\n/).filter((line) => line.trim() !== '').map((line) => `-----BEGIN CERTIFICATE-----\n${line.trim()}\n-----END CERTIFICATE-----`).join('\n');

const contentOf = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');

function isCertificate(content: string, authoritiesOnly: boolean): boolean {
  try {
    const certificate = new X509Certificate(Buffer.from(content, 'base64'));
    return !authoritiesOnly || certificate.ca;
  } catch {
    // One that cannot be read would take all the others with it.
    return false;
  }
}

async function runProgram(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], { timeout: 10_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true });
  return stdout;
}
