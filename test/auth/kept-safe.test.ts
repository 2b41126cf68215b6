import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/shared/errors.ts';
import type { ServerId } from '../../src/shared/ids.ts';
import { keyringProblem, systemKeyring } from '../../src/node/vault/keyring.ts';
import { secretClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { DesktopKeyring } from '../support/desktop-keyring.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { addOnWeb, rowOf, signIn, whoami } from '../support/sign-in-steps.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts, type TestAppOptions } from '../support/test-app.ts';

let parts: BuiltParts;
// One for the file: a process finds its bus once.
let desktop: DesktopKeyring;
beforeAll(async () => {
  parts = await buildParts();
  desktop = await DesktopKeyring.start();
  desktop.use();
});
afterAll(async () => {
  await desktop[Symbol.asyncDispose]();
  await parts[Symbol.asyncDispose]();
});

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [readFileSync(join(entry.parentPath, entry.name), 'latin1')] : []));
const jsonOf = (home: string, ...name: readonly string[]): Record<string, unknown> => JSON.parse(readFileSync(join(home, ...name), 'utf8'));

/** An app on this home that signed in to a server, used it, and has ended. */
async function leaveSignedIn(kept: TestAppOptions, issuer: SignInServer, url: string, before?: (app: TestApp, serverId: ServerId) => Promise<unknown>): Promise<ServerId> {
  await using app = await TestApp.open(parts, kept);
  const serverId = await addOnWeb(app, 'kept', url);
  await app.ask('auth.allow-host', { serverId, host: new URL(issuer.issuer).host });
  await before?.(app, serverId);
  await signIn(app, serverId);
  await whoami(app, serverId);
  return serverId;
}

it('[F-155] tokens and registrations are sealed in the vault, whose key is in the system’s keyring; the file beside it holds no secret, and a new start finds them', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const kept = { home: tempFolder(), keyring: systemKeyring() };
  const serverId = await leaveSignedIn(kept, issuer, secured.url, (app, id) => app.ask('auth.set-client', { serverId: id, clientId: secretClient.id, clientSecret: secretClient.secret }));
  const vault = jsonOf(kept.home, 'vault', 'vault.json');
  expect(Object.keys(vault['secrets'] ?? {})).toEqual([expect.stringMatching(/^oauth\.[0-9a-f]{40}$/), expect.stringMatching(/^oauth\.[0-9a-f]{40}$/)]);
  expect(await kept.keyring.read(`master.${String(vault['kid'])}`, new AbortController().signal)).toMatch(/^.{40,}$/);
  expect(jsonOf(kept.home, 'sign-ins.json')).toMatchObject({ servers: { [serverId]: { clients: [{ issuer: issuer.issuer, clientId: secretClient.id }], login: { issuer: issuer.issuer, resource: secured.audience, clientId: secretClient.id } } } });
  expect(issuer.secrets.size).toBeGreaterThan(4);
  for (const text of filesOf(kept.home)) for (const secret of [...issuer.secrets, secretClient.secret]) expect(text).not.toContain(secret);

  await using app = await TestApp.open(parts, kept);
  await app.until(({ servers }) => servers[serverId] !== undefined);
  await app.ask('servers.start', { serverId });
  expect(await whoami(app, serverId)).toMatchObject({ sub: 'alice' });
  secured.endTokens();
  expect(await whoami(app, serverId)).toMatchObject({ sub: 'alice', client_id: secretClient.id });
  expect(issuer.grants('authorization_code')).toHaveLength(1);
}, 60_000);

it('a real keyring that is locked: nobody is sent to a browser, the login that is there waits for it, and counts again once it is unlocked', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const kept = { home: tempFolder(), keyring: systemKeyring() };
  const serverId = await leaveSignedIn(kept, issuer, secured.url);
  await desktop.lock();
  await using app = await TestApp.open(parts, kept);
  await app.ask('servers.start', { serverId });
  expect(rowOf(app, serverId).connection).toMatchObject({ phase: 'needs', what: 'secret', message: expect.stringContaining('locked') as string });
  const asked = issuer.seen.length;
  await expect(app.ask('auth.start', { serverId, openBrowser: true })).rejects.toMatchObject({ code: 'vault/locked' });
  expect(issuer.seen).toHaveLength(asked);
  expect(rowOf(app, serverId).signIn?.login?.account).toBe('alice');
  await desktop.unlock();
  await app.ask('vault.open', undefined);
  await app.ask('servers.start', { serverId });
  expect(rowOf(app, serverId).connection.phase).toBe('ready');
  expect(issuer.grants('authorization_code')).toHaveLength(1);
}, 60_000);

describe('[F-157] without a keyring', () => {
  const faults = {
    missing: new AppError('vault/unavailable', 'There is no system keyring to keep the key in: Platform failure: DBus error'),
    locked: new AppError('vault/locked', 'The system keyring is locked'),
    'dismissed by the person': keyringProblem(new Error('Secret Service: unlock prompt was dismissed')),
  };
  it.each(Object.entries(faults))('it is %s: nobody is sent to a browser for what could not be kept, nothing stands in the open, and a login that is there counts again once the keyring is', async (_how, fault) => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    const keyring = new MemoryKeyring();
    const home = tempFolder();
    let serverId;
    {
      await using app = await TestApp.open(parts, { home, keyring });
      serverId = await addOnWeb(app, 'kept', secured.url);
      keyring.fault = fault;
      const refused = await app.ask('auth.start', { serverId, openBrowser: false }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: fault.code, message: expect.stringMatching(/keyring/) });
      expect(rowOf(app, serverId).signIn?.flow).toMatchObject({ phase: 'failed', failure: { code: fault.code } });
      expect(app.state.vault).toMatchObject({ phase: 'unavailable' });
      expect(issuer.seen).toEqual([]);
      expect([existsSync(join(home, 'vault', 'vault.json')), existsSync(join(home, 'sign-ins.json'))]).toEqual([false, false]);
      keyring.fault = undefined;
      await signIn(app, serverId);
      await whoami(app, serverId);
    }
    keyring.fault = fault;
    const asked = secured.seen.length;
    await using app = await TestApp.open(parts, { home, keyring });
    await app.until(({ servers }) => servers[serverId] !== undefined);
    await app.ask('servers.start', { serverId }).catch(() => undefined);
    // It is not "sign in": the login is there, and cannot be read.
    expect(rowOf(app, serverId)).toMatchObject({ connection: { phase: 'needs', what: 'secret', message: expect.stringMatching(/keyring/) }, signIn: { login: { account: 'alice' } } });
    expect(rowOf(app, serverId).signIn?.wanted).toBeUndefined();
    expect(secured.seen).toHaveLength(asked);
    keyring.fault = undefined;
    await app.ask('vault.open', undefined);
    await app.ask('servers.start', { serverId });
    expect(await whoami(app, serverId)).toMatchObject({ sub: 'alice' });
    expect(issuer.grants('authorization_code')).toHaveLength(1);
    for (const text of filesOf(home)) for (const secret of issuer.secrets) expect(text).not.toContain(secret);
  });
});
