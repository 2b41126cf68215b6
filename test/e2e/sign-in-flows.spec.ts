import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { SignInBegun } from '../../src/shared/ipc/contract/auth.ts';
import type { SignInLogin } from '../../src/shared/model/sign-in.ts';
import { browserKeyClient, clientKeyPem, publicClient, secretClient } from '../servers/sign-in/known-clients.ts';
import { HostedDocument } from '../servers/sign-in/provider.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { BrowserPerson } from '../support/browser-person.ts';
import { documentAt } from '../support/client-document.ts';
import { TestAuthority } from '../support/test-authority.ts';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { phaseOf, serverRow, startOf, writeServers } from './sign-in-person.ts';

/** Gatehouse's document, hosted as a person would. */
async function hostDocument(authority: TestAuthority): Promise<{ readonly url: string; readonly asked: () => number } & AsyncDisposable> {
  let asked = 0;
  const server = createServer(authority.issue(['localhost']), (_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(documentAt(url)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://localhost:${(server.address() as AddressInfo).port}/client-metadata.json`; // it listens on a port
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, asked: () => asked, [Symbol.asyncDispose]: close };
}

async function signIn(page: Page, person: BrowserPerson, name: string, account?: string): Promise<SignInLogin> {
  const serverId = (await serverRow(page, name))?.definition.id;
  const begun = await give<SignInBegun>(page, 'auth.start', { serverId, openBrowser: false });
  if (begun.kind !== 'browser') throw new Error(`${name}: ${begun.kind}`);
  const seen = await person.signIn(begun.url, account);
  expect(seen.text).toContain('return to Gatehouse');
  const login = await give<SignInLogin>(page, 'auth.wait', { serverId });
  await expect.poll(() => phaseOf(page, name)).toBe('ready');
  return login;
}

/** Runs a tool as Direct mode does; its ending. */
async function call(page: Page, name: string, tool: string): Promise<string> {
  const serverId = (await serverRow(page, name))?.definition.id;
  const { chatId } = await give<{ readonly chatId: string }>(page, 'chats.create', {});
  const { ref } = await give<{ readonly ref: unknown }>(page, 'catalog.tool', { serverId, tool });
  const { callId } = await give<{ readonly callId: string }>(page, 'chats.call-tool', { chatId, ref, args: {} });
  interface Calls { readonly state: { readonly calls: Record<string, { readonly phase: string; readonly outcome?: { readonly kind: string; readonly code?: string } } | undefined> } }
  const ending = async () => {
    const { outcome } = (await give<Calls>(page, 'shell.follow', { topic: `chat/${chatId}` })).state.calls[callId] ?? {};
    return outcome && (outcome.code ?? outcome.kind);
  };
  await expect.poll(ending).toBeDefined();
  return (await ending()) ?? '';
}

test('a person says yes in a browser to every kind of client: registered, described by a document, known by hand with and without a secret, with a key; then to more, and then no more', async ({ launch, home }) => {
  test.setTimeout(180_000);
  const authority = new TestAuthority();
  await using document = await hostDocument(authority);
  await using issuer = await SignInServer.start({ documents: true });
  issuer.documents.set(document.url, new HostedDocument(authority.pem));
  const kinds = {
    registered: {},
    document: { clientMetadataUrl: document.url },
    'by-hand': { clientId: publicClient.id },
    secret: { clientId: secretClient.id, clientSecret: secretClient.secret },
    key: { clientId: browserKeyClient.id, privateKeyJwt: { privateKey: clientKeyPem, algorithm: browserKeyClient.algorithm } },
  };
  const entries = await Promise.all(Object.entries(kinds).map(async ([name, oauth]) => [name, { url: (await issuer.protect()).url, oauth }] as const));
  await writeServers(home, Object.fromEntries(entries));
  const { page } = await launch();
  await using person = await BrowserPerson.start();

  const logins: Record<string, SignInLogin> = {};
  for (const name of Object.keys(kinds)) {
    await startOf(page, name);
    await give(page, 'auth.allow-host', { serverId: (await serverRow(page, name))?.definition.id, host: new URL(issuer.issuer).host });
    logins[name] = await signIn(page, person, name);
    expect(await call(page, name, 'whoami'), name).toBe('succeeded');
  }
  expect(Object.fromEntries(Object.entries(logins).map(([name, { clientFrom, account, renews }]) => [name, [clientFrom, account, renews]]))).toEqual({
    registered: ['registered', 'alice', true], document: ['document', 'alice', true], 'by-hand': ['configured', 'alice', true], secret: ['configured', 'alice', true], key: ['configured', 'alice', true],
  });
  expect(logins['document']?.clientId).toBe(document.url);
  expect(document.asked()).toBeGreaterThan(0);
  // One issuer, and each server has a token for itself alone.
  expect(new Set(issuer.grants('authorization_code').map(({ form }) => form.get('resource'))).size).toBe(entries.length);

  expect(await call(page, 'registered', 'admin_reset')).toBe('auth/scopes-needed');
  expect((await serverRow(page, 'registered'))?.signIn?.wanted).toMatchObject({ because: 'scopes', tool: 'admin_reset', scopes: expect.arrayContaining(['mcp:admin']) as string[] });
  expect((await signIn(page, person, 'registered')).scopes).toEqual(expect.arrayContaining(['mcp:tools', 'mcp:admin']));
  expect(await call(page, 'registered', 'admin_reset')).toBe('succeeded');

  for (const name of Object.keys(kinds)) {
    expect(await give(page, 'auth.sign-out', { serverId: (await serverRow(page, name))?.definition.id }), name).toEqual({ revoked: 'yes' });
  }
  expect(Object.values((await appState(page)).servers).filter(({ signIn: has }) => has?.login)).toEqual([]);
});

test('three servers at once, a second sign-in over a first and its stale tab, and an app that ends in the middle of one', async ({ launch, relaunch, home }) => {
  test.setTimeout(180_000);
  await using issuer = await SignInServer.start();
  const names = ['one', 'two', 'three'];
  await writeServers(home, Object.fromEntries(await Promise.all(names.map(async (name) => [name, { url: (await issuer.protect()).url }] as const))));
  const first = await launch();
  await using person = await BrowserPerson.start();
  const begin = async (page: Page, name: string): Promise<string> => {
    const serverId = (await serverRow(page, name))?.definition.id;
    await startOf(page, name);
    await give(page, 'auth.allow-host', { serverId, host: new URL(issuer.issuer).host });
    const begun = await give<SignInBegun>(page, 'auth.start', { serverId, openBrowser: false });
    if (begun.kind !== 'browser') throw new Error(begun.kind);
    return begun.url;
  };
  const stale = await begin(first.page, 'one');
  const urls = [];
  for (const name of names) urls.push(await begin(first.page, name));
  expect(new Set(urls.map((url) => new URL(url).searchParams.get('state'))).size).toBe(3);
  // The tab of the sign-in that was replaced comes back to nobody, or to a page that says so; the others go on.
  await person.signIn(stale).catch(() => undefined);
  for (const url of urls.toReversed()) await person.signIn(url);
  for (const name of names) await expect.poll(() => phaseOf(first.page, name)).toBe('ready');
  expect(issuer.grants('authorization_code')).toHaveLength(3);

  const serverId = (await serverRow(first.page, 'two'))?.definition.id;
  await give(first.page, 'auth.sign-out', { serverId });
  const open = await begin(first.page, 'two');
  const second = await relaunch();
  await person.signIn(open).catch(() => undefined);
  expect((await serverRow(second.page, 'two'))?.signIn?.login).toBeUndefined();
  // Those that were signed in to still are.
  await startOf(second.page, 'one');
  await expect.poll(() => phaseOf(second.page, 'one')).toBe('ready');
  await begin(second.page, 'two').then((url) => person.signIn(url));
  await expect.poll(() => phaseOf(second.page, 'two')).toBe('ready');
});
