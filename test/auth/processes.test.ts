import { afterAll, beforeAll, expect, it } from 'vitest';
import { join } from 'node:path';
import type { ServerId } from '../../src/shared/ids.ts';
import { systemKeyring } from '../../src/node/vault/keyring.ts';
import { jsonAnswer } from '../servers/sign-in/front-door.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { buildProgram, type BuiltProgram } from '../support/build-worker.ts';
import { ChildProgram } from '../support/child-program.ts';
import { DesktopKeyring } from '../support/desktop-keyring.ts';
import { addOnWeb, signIn, whoami } from '../support/sign-in-steps.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
let program: BuiltProgram;
let desktop: DesktopKeyring;
beforeAll(async () => {
  [parts, program, desktop] = await Promise.all([buildParts(), buildProgram(join(import.meta.dirname, '../support/programs/renewing-child.ts')), DesktopKeyring.start()]);
  desktop.use();
}, 60_000);
afterAll(async () => {
  await parts[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
  await desktop[Symbol.asyncDispose]();
});

interface Kept {
  readonly home: string;
  readonly serverId: ServerId;
  readonly token: string;
}
/** Signed in by an app that has ended since. */
async function kept(url: string, lastToken: () => string): Promise<Kept> {
  const home = tempFolder();
  await using app = await TestApp.open(parts, { home, keyring: systemKeyring() });
  const serverId = await addOnWeb(app, 'secured', url);
  await signIn(app, serverId);
  await whoami(app, serverId);
  return { home, serverId, token: lastToken() };
}
const holder = ({ home, serverId }: Kept, url: string): ChildProgram => ChildProgram.node(program.file, home, serverId, url);
const lineAfter = (child: ChildProgram, before: number): Promise<string> => child.line((_line, index) => index >= before);

it('two processes of one home renew a login once; the other finds what the first one wrote', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const login = await kept(secured.url, () => secured.lastToken);
  await using one = holder(login, secured.url);
  await using two = holder(login, secured.url);
  let { token } = login;
  for (const child of [one, two]) expect(await child.line((line) => line.startsWith('holds'))).toBe(`holds ${token}`);
  for (let round = 1; round <= 3; round += 1) {
    const before = [one, two].map(({ lines }) => lines.length);
    for (const { child } of [one, two]) child.stdin.write(`renew ${token}\n`);
    const told = await Promise.all([one, two].map((child, at) => lineAfter(child, before[at] ?? 0)));
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toMatch(/^true /);
    expect(issuer.grants('refresh_token')).toHaveLength(round);
    expect(told[0]).not.toContain(token);
    token = told[0]?.slice('true '.length) ?? '';
  }
}, 60_000);

it('a rotated refresh token is on disk before its access token is used: a process that ends right then costs nothing', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const login = await kept(secured.url, () => secured.lastToken);
  {
    await using child = holder(login, secured.url);
    await child.line((line) => line.startsWith('holds'));
    child.child.stdin.write(`renew ${login.token}\n`);
    await child.line((line) => line.startsWith('true'));
    await child.kill();
  }
  secured.endTokens();
  await using app = await TestApp.open(parts, { home: login.home, keyring: systemKeyring() });
  await app.until(({ servers }) => servers[login.serverId] !== undefined);
  expect(await whoami(app, login.serverId)).toMatchObject({ sub: 'alice' });
  const used = issuer.grants('refresh_token').length;
  // And the one that is there now is the one that the provider gave last.
  secured.endTokens();
  expect(await whoami(app, login.serverId)).toMatchObject({ sub: 'alice' });
  expect(issuer.grants('refresh_token')).toHaveLength(used + 1);
}, 60_000);

it('a provider that fails one process costs nothing: it takes what another one renewed meanwhile', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const login = await kept(secured.url, () => secured.lastToken);
  await using winner = holder(login, secured.url);
  await using loser = holder(login, secured.url);
  for (const child of [winner, loser]) await child.line((line) => line.startsWith('holds'));
  issuer.behaviour.take = ({ path }) => (path === '/token' ? jsonAnswer({ error: 'temporarily_unavailable' }, 503) : undefined);
  loser.child.stdin.write(`renew ${login.token}\n`);
  expect(await lineAfter(loser, 1)).toBe(`failed ${login.token}`);
  issuer.behaviour.take = () => undefined;
  winner.child.stdin.write(`renew ${login.token}\n`);
  const won = await lineAfter(winner, 1);
  loser.child.stdin.write(`renew ${login.token}\n`);
  expect(await lineAfter(loser, 2)).toBe(won);
  expect(issuer.grants('refresh_token')).toHaveLength(2);
}, 60_000);
