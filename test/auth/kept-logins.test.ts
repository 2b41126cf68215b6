import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerId } from '../../src/shared/ids.ts';
import type { SecuredServer } from '../servers/sign-in/secured-server.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { FormPerson } from '../support/form-person.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => void (parts = await buildParts()));
afterAll(() => parts[Symbol.asyncDispose]());

const draft = (name: string, { url }: SecuredServer) => ({ name, transport: { type: 'streamable-http' as const, url, headers: {} } });

async function signedIn(app: TestApp, issuer: SignInServer, name: string, secured: SecuredServer, account = 'alice'): Promise<ServerId> {
  const { serverId } = await app.ask('servers.add', draft(name, secured));
  await app.ask('servers.start', { serverId });
  await app.ask('auth.allow-host', { serverId, host: new URL(issuer.issuer).host });
  const begun = await app.ask('auth.start', { serverId, openBrowser: false });
  if (begun.kind !== 'browser') throw new Error(`It ${begun.kind}`);
  await new FormPerson().signIn(begun.url, account);
  await app.ask('auth.wait', { serverId });
  return serverId;
}
const kept = (app: TestApp): { readonly servers: Record<string, unknown> } => JSON.parse(readFileSync(join(app.home, 'sign-ins.json'), 'utf8'));

it('A renamed server keeps its login, and a removed one leaves nothing', async () => {
  await using issuer = await SignInServer.start({});
  const secured = await issuer.protect({});
  await using app = await TestApp.open(parts);
  const before = await signedIn(app, issuer, 'Secured', secured);

  const { serverId } = await app.ask('servers.update', { serverId: before, draft: draft('Renamed', secured) });
  expect(serverId).not.toBe(before);
  expect(app.state.servers[serverId]?.signIn?.login?.account).toBe('alice');
  await app.ask('servers.start', { serverId });
  expect(app.state.servers[serverId]?.connection.phase).toBe('ready');
  expect(Object.keys(kept(app).servers)).toEqual([serverId]);

  await app.ask('servers.remove', { serverId });
  expect(kept(app).servers).toEqual({});
  expect(JSON.parse(readFileSync(join(app.home, 'vault', 'vault.json'), 'utf8')).secrets).toEqual({});
});

it('A login is used by another server only when the person says so, and only for the same resource', async () => {
  await using issuer = await SignInServer.start({});
  const secured = await issuer.protect({});
  const other = await issuer.protect({});
  await using app = await TestApp.open(parts);
  const first = await signedIn(app, issuer, 'First', secured);
  const { serverId: second } = await app.ask('servers.add', draft('Second', secured));
  await app.ask('servers.start', { serverId: second });
  expect(app.state.servers[second]?.connection).toMatchObject({ phase: 'needs', what: 'sign-in' });

  const { serverId: elsewhere } = await app.ask('servers.add', draft('Elsewhere', other));
  await expect(app.ask('auth.share', { serverId: elsewhere, from: first })).rejects.toMatchObject({ code: 'request/invalid' });
  expect(other.seen.every(({ authorization }) => authorization === undefined)).toBe(true);

  await app.ask('auth.share', { serverId: second, from: first });
  expect(app.state.servers[second]).toMatchObject({ connection: { phase: 'ready' }, signIn: { login: { account: 'alice', sharedFrom: first } } });
  // The first one moves, and its login is for something else then: the second gets no token of that.
  const { serverId: moved } = await app.ask('servers.update', { serverId: first, draft: draft('First', other) });
  await app.ask('servers.start', { serverId: moved });
  expect(app.state.servers[moved]?.signIn).toMatchObject({ wanted: { because: 'connect' } });
  expect(app.state.servers[moved]?.signIn?.login).toBeUndefined();
  const again = await app.ask('auth.start', { serverId: moved, openBrowser: false });
  if (again.kind !== 'needs-host') throw new Error(again.kind);
  await app.ask('auth.allow-host', { serverId: moved, host: again.host });
  const begun = await app.ask('auth.start', { serverId: moved, openBrowser: false });
  if (begun.kind !== 'browser') throw new Error(begun.kind);
  await new FormPerson().signIn(begun.url);
  await app.ask('auth.wait', { serverId: moved });
  const before = secured.seen.length;
  await app.ask('servers.restart', { serverId: second });
  expect(secured.seen.slice(before).some(({ rpc }) => rpc !== undefined)).toBe(true);
  const foreign = other.seen.flatMap(({ authorization }) => authorization ?? []);
  expect(foreign.length).toBeGreaterThan(0);
  for (const { authorization } of secured.seen.slice(before)) expect(foreign).not.toContain(authorization);

  await app.ask('auth.sign-out', { serverId: second });
  expect(app.state.servers[first]?.signIn?.login?.account).toBe('alice');
  expect(issuer.at('/token/revocation')).toEqual([]);
});
