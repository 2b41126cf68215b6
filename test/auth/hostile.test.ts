import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEvilServer, startNeighbour, type EvilServer, type EvilWords } from '../servers/sign-in/evil-server.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import type { Browser } from '../../src/core/ports.ts';
import { AppError } from '../../src/shared/errors.ts';
import { addOnWeb, rowOf, signIn } from '../support/sign-in-steps.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => void (parts = await buildParts()));
afterAll(() => parts[Symbol.asyncDispose]());

/** What would have been opened. */
class WatchedBrowser implements Browser {
  readonly opened: string[] = [];
  open(url: string): Promise<void> {
    this.opened.push(url);
    return Promise.resolve();
  }
}
interface Outcome {
  /** What the person is asked for now, or the code of why nothing is. */
  readonly came: string;
  readonly url?: string;
}
/** A person presses the button, once, and the browser may open. */
async function press(app: TestApp, name: string, evil: EvilServer): Promise<Outcome> {
  const serverId = await addOnWeb(app, name, evil.url);
  const outcome = await app.ask('auth.start', { serverId, openBrowser: true }).then(
    (begun): Outcome => ({ came: begun.kind, ...('url' in begun ? { url: begun.url } : {}) }),
    (error: unknown): Outcome => ({ came: AppError.from(error).code }),
  );
  await app.ask('auth.cancel', { serverId });
  return outcome;
}

describe('what a hostile server may say', () => {
  const addresses: readonly (readonly [string, EvilWords, string])[] = [
    ['a script', { authorization: 'javascript:alert(1)' }, 'auth/'], ['a file', { authorization: 'file:///C:/Windows/System32/calc.exe' }, 'auth/'], ['a program of Windows', { authorization: 'ms-msdt:/id PCWDiagnostic' }, 'auth/'],
    ['an editor', { authorization: 'vscode://x/y' }, 'auth/'], ['a share', { authorization: 'smb://h/s' }, 'auth/'], ['data', { authorization: 'data:text/html,x' }, 'auth/'],
    ['a page without TLS', { authorization: 'http://evil.example/a' }, 'auth/'], ['a login in the address', { authorization: 'https://u:p@evil.example/a' }, 'auth/'],
    ['tokens without TLS', { token: 'http://evil.example/t' }, 'auth/'], ['tokens with a login', { token: 'https://u:p@evil.example/t' }, 'auth/'],
    ['another issuer', { issuer: 'https://accounts.google.com' }, 'auth/issuer-mismatch'], ['another resource', { resource: 'https://other.example/mcp' }, 'auth/discovery-failed'],
    ['plain PKCE only', { challengeMethods: ['plain'] }, 'auth/'], ['no address at all', { authorization: 'not an address' }, 'auth/'],
  ];
  it('no address that is none of a sign-in is opened or asked, whatever names it', async () => {
    const browser = new WatchedBrowser();
    await using app = await TestApp.open(parts, { browser });
    await using evil = await startEvilServer();
    for (const [index, [what, words, code]] of addresses.entries()) {
      evil.words = words;
      expect([what, (await press(app, `evil ${index}`, evil)).came]).toEqual([what, expect.stringMatching(new RegExp(`^${code}`))]);
    }
    expect(browser.opened).toEqual([]);
  });

  it('another service of this machine is not even asked, until the person allows it', async () => {
    const browser = new WatchedBrowser();
    await using app = await TestApp.open(parts, { browser });
    await using evil = await startEvilServer();
    await using neighbour = await startNeighbour();
    const { host } = new URL(neighbour.origin);
    const metadata = 'http://169.254.169.254/latest/meta-data';
    const ways: readonly (readonly [string, EvilWords])[] = [
      ['metadata', { metadataAddress: `${neighbour.origin}/latest` }], ['authorization server', { authorizationServer: neighbour.origin }],
      ['registration', { registration: `${neighbour.origin}/admin` }], ['tokens', { token: `${neighbour.origin}/token` }], ['page', { authorization: `${neighbour.origin}/page` }],
      ['cloud', { metadataAddress: metadata }], ['cloud server', { authorizationServer: metadata }], ['network', { registration: 'https://192.168.1.1/admin' }], ['v6', { token: 'https://[::1]/t' }], ['mapped', { token: 'https://[::ffff:127.0.0.1]/t' }],
    ];
    for (const [what, words] of ways) {
      evil.words = words;
      expect([what, (await press(app, what, evil)).came]).toEqual([what, expect.stringMatching(/^(needs-host|auth\/host-blocked|auth\/address-refused)$/)]);
    }
    // Sent on to there, without a word in the metadata.
    evil.words = { redirectMetadata: `${neighbour.origin}/internal` };
    expect((await press(app, 'sent on', evil)).came).toMatch(/^(needs-|auth\/)/);
    expect(neighbour.seen).toEqual([]);
    expect(browser.opened).toEqual([]);
    // What the person allows is used then, for this server alone.
    evil.words = { authorizationServer: neighbour.origin };
    const serverId = app.server('authorization server');
    await app.ask('auth.allow-host', { serverId, host });
    await app.ask('auth.start', { serverId, openBrowser: false }).catch(() => undefined);
    expect(neighbour.seen.length).toBeGreaterThan(0);
    const asked = neighbour.seen.length;
    await app.ask('auth.start', { serverId: app.server('metadata'), openBrowser: false }).catch(() => undefined);
    expect(neighbour.seen).toHaveLength(asked);
    // Taken back, it is as if it had never been allowed.
    await app.ask('auth.forbid-host', { serverId, host });
    await expect(app.ask('auth.start', { serverId, openBrowser: false })).resolves.toMatchObject({ kind: 'needs-host', host });
    expect(neighbour.seen).toHaveLength(asked);
    expect(app.state.servers[serverId]?.signIn?.allowedHosts).toBeUndefined();
  });

  it('256 MiB of metadata are not read', async () => {
    await using app = await TestApp.open(parts);
    await using evil = await startEvilServer({ metadataBytes: 256 << 20 });
    const before = process.memoryUsage().rss;
    expect((await press(app, 'huge', evil)).came).toMatch(/^(tool\/result-too-large|auth\/discovery-failed)$/);
    expect(evil.sentBytes).toBeLessThan(32 << 20);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
  });

  it('what a shell would run goes to the browser as an address, encoded, or not at all', async () => {
    const browser = new WatchedBrowser();
    await using app = await TestApp.open(parts, { browser });
    await using evil = await startEvilServer();
    evil.words = { authorization: 'https://evil.example/a?$(calc.exe)&`id`|calc;"x"\'y\'<z>\\^%0a' };
    const outcome = await press(app, 'shell', evil);
    expect(outcome.came).toMatch(/^(browser$|auth\/)/);
    for (const url of [...browser.opened, outcome.url ?? '']) expect(url).not.toMatch(/[`|;"'<>\\^$()\s]/);
  });
});

it('a server that sends to a provider which it does not belong to gets no token of another server', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  await using app = await TestApp.open(parts);
  const serverId = await addOnWeb(app, 'good', secured.url);
  await signIn(app, serverId);
  // The evil one names the good provider, and the good resource.
  await using evil = await startEvilServer();
  evil.words = { authorizationServer: issuer.issuer, resource: secured.audience };
  expect((await press(app, 'evil twin', evil)).came).toBe('auth/discovery-failed');
  // Its own resource is nobody's at that provider: no token is for both.
  evil.words = { authorizationServer: issuer.issuer };
  await press(app, 'evil cousin', evil);
  expect(evil.seen.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  const said = evil.seen.map(({ path, body }) => `${path} ${body}`).join('\n');
  for (const secret of issuer.secrets) expect(said).not.toContain(secret);
  expect(rowOf(app, serverId).signIn?.login).toMatchObject({ issuer: issuer.issuer });
});
