import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { formsOf } from '../../src/core/secrets/encodings.ts';
import type { ServerId } from '../../src/shared/ids.ts';
import type { MessagesState } from '../../src/shared/state/messages-state.ts';
import { idpClient, startIdentityProvider } from '../servers/sign-in/identity-provider.ts';
import { jsonAnswer, type SeenAtIssuer } from '../servers/sign-in/front-door.ts';
import { browserKeyClient, clientKeyPem, crossAppClient, machineClient, secretClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { answerJson } from '../support/plain-http-server.ts';
import { FormPerson } from '../support/form-person.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { addOnWeb, begin, signIn } from '../support/sign-in-steps.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => void (parts = await buildParts()));
afterAll(() => parts[Symbol.asyncDispose]());

const filesIn = (folder: string): readonly string[] => readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
const processes = (): readonly string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return ''; // It has ended since.
    }
  });
/** A provider that says back all that it was sent, as an error. */
const mirrored = ({ body, headers, query }: SeenAtIssuer) =>
  jsonAnswer({ error: 'invalid_request', error_description: `You sent ${decodeURIComponent(body)} and ${headers.authorization ?? ''} and ${query.toString()}`, error_uri: `https://evil.example/?${body}` }, 400);

it('no token, code, verifier, secret, key or assertion of a sign-in is in any state, answer, log, message, transcript, file or process argument, in no encoding', async () => {
  await using idp = await startIdentityProvider();
  await using issuer = await SignInServer.start({ idp });
  const secured = await issuer.protect();
  const bound = await issuer.protect({ dpop: 'required' });
  const home = tempFolder();
  const idToken = await idp.idToken();
  const heard: string[] = [];
  {
    await using app = await TestApp.open(parts, { home, keyring: new MemoryKeyring() });
    const { signal } = new AbortController();
    const ask = async (route: string, input: unknown): Promise<unknown> => {
      const reply = await app.app.dispatch(route, input, { caller: { door: 'window', windowId: 1 }, signal });
      heard.push(`${route}: ${JSON.stringify(reply)}`);
      return reply;
    };
    const follow = (topic: string) => app.app.follow(topic, (envelope) => heard.push(`${topic}: ${JSON.stringify(envelope)}`), signal);
    using _state = await follow('app');
    const secret = { secret: secretClient.secret };
    const drafts: readonly (readonly [string, string, Parameters<typeof addOnWeb>[3]])[] = [
      ['registered', secured.url, {}], ['typed', secured.url, {}], ['configured', secured.url, { oauth: { clientId: secretClient.id, clientSecret: secret } }],
      ['key', secured.url, { oauth: { clientId: browserKeyClient.id, privateKeyJwt: { privateKey: { secret: clientKeyPem }, algorithm: 'ES256' } } }], ['bound', bound.url, {}],
      ['machine', secured.url, { oauth: { grantType: 'client_credentials', clientId: machineClient.id, clientSecret: { secret: machineClient.secret } } }],
      ['company', secured.url, { oauth: { clientId: crossAppClient.id, clientSecret: { secret: crossAppClient.secret }, crossAppAccess: { idpUrl: idp.issuer, clientId: idpClient.id, idToken: { secret: idToken }, clientSecret: { secret: idpClient.secret } } } }],
    ];
    const ids = new Map<string, ServerId>();
    const topics: Disposable[] = [];
    for (const [name, url, options] of drafts) {
      const serverId = await addOnWeb(app, name, url, options);
      ids.set(name, serverId);
      topics.push(await follow(`log/${serverId}`), await follow(`messages/${serverId}`));
      await ask('auth.allow-host', { serverId, host: new URL(issuer.issuer).host });
    }
    const id = (name: string): ServerId => ids.get(name) ?? app.server(name);
    await ask('auth.set-client', { serverId: id('typed'), clientId: secretClient.id, clientSecret: secretClient.secret });
    const { chatId } = await app.ask('chats.create', {});
    topics.push(await follow(`chat/${chatId}`));

    for (const name of ['registered', 'typed', 'configured', 'key', 'bound']) {
      // First the provider says everything back; then by hand; then by the browser.
      const serverId = id(name);
      const failing = await begin(app, serverId);
      issuer.behaviour.take = (seen) => (seen.path === '/token' ? mirrored(seen) : undefined);
      const failed = ask('auth.wait', { serverId });
      await new FormPerson().signIn(failing.url);
      await failed;
      issuer.behaviour.take = () => undefined;
      const byHand = await begin(app, serverId);
      await ask('auth.complete', { serverId });
      const callback = await new FormPerson().callbackOf(byHand.url);
      await ask('auth.complete', { serverId, redirectUrl: callback.replace(/state=[^&]*/, 'state=wrong') });
      await ask('auth.complete', { serverId, redirectUrl: callback });
      await ask('auth.wait', { serverId });
      await signIn(app, serverId);
      await ask('auth.history', { serverId });
    }
    for (const name of ['machine', 'company']) await ask('auth.start', { serverId: id(name), openBrowser: false });

    for (const name of ids.keys()) {
      const serverId = id(name);
      await ask('servers.start', { serverId });
      for (const server of [secured, bound]) {
        // The server says back what it was sent: as a result, and as an error.
        server.behaviour.take = ({ rpc, tool, authorization }, response) => {
          if (rpc !== 'tools/call' || tool !== 'whoami' || authorization === undefined) return false;
          answerJson(response, { message: `You sent ${authorization}, ${Buffer.from(authorization).toString('base64')}` }, 500);
          return true;
        };
      }
      heard.push(JSON.stringify(await app.call(chatId, serverId, 'whoami', {})));
      for (const server of [secured, bound]) server.behaviour.take = () => false;
      heard.push(JSON.stringify(await app.call(chatId, serverId, 'whoami', {})), JSON.stringify(await app.call(chatId, serverId, 'admin_reset', {})));
      // Renewed; and once more while the provider says everything back.
      for (const server of [secured, bound]) server.endTokens();
      heard.push(JSON.stringify(await app.call(chatId, serverId, 'whoami', {})));
      for (const server of [secured, bound]) server.endTokens();
      issuer.behaviour.take = (seen) => (seen.path === '/token' ? mirrored(seen) : undefined);
      heard.push(JSON.stringify(await app.call(chatId, serverId, 'whoami', {})));
      issuer.behaviour.take = () => undefined;
      await ask('auth.history', { serverId });
      using snapshot = await app.app.follow(`messages/${serverId}`, () => undefined, signal);
      const { messages } = snapshot.state as MessagesState; // what this topic holds
      expect(messages.length).toBeGreaterThan(6);
      await ask('inspector.export', { serverId, seqs: messages.map(({ seq }) => seq) });
      for (const { seq } of messages) await ask('inspector.message', { serverId, seq });
    }
    for (const scope of ['global', 'effective']) for (const shape of ['gatehouse', 'claude', 'vscode', 'cursor']) await ask('exchange.export', { scope, shape });
    for (const route of ['config.sources', 'secrets.list', 'secrets.literals']) await ask(route, undefined);
    heard.push(JSON.stringify(app.state), ...processes());
    await ask('auth.share', { serverId: id('typed'), from: id('registered') });
    for (const serverId of ids.values()) await ask('auth.sign-out', { serverId, forgetClient: true });
    heard.push(JSON.stringify(app.state));
    for (const topic of topics) topic[Symbol.dispose]();
  }
  const needles = [...new Set([...issuer.secrets, secretClient.secret, machineClient.secret, crossAppClient.secret, idpClient.secret, idToken, ...clientKeyPem.split('\n').filter((line) => line.length > 20 && !line.startsWith('-----'))])];
  expect(needles.length).toBeGreaterThan(60);
  const forms = needles.flatMap((value) => formsOf(value).map(({ text }) => text));
  const found = (where: string, text: string): readonly string[] => forms.filter((form) => text.includes(form)).map((form) => `${form} in ${where}`);
  // The provider and the server did say it back, and it was masked.
  expect(heard.join('\n')).toMatch(/You sent [^"]*•••/);
  expect(heard.join('\n').length).toBeGreaterThan(100_000);
  expect(heard.flatMap((text) => found(text.slice(0, 120), text)).slice(0, 5)).toEqual([]);
  expect(filesIn(home).flatMap((file) => found(file, readFileSync(file, 'latin1'))).slice(0, 5)).toEqual([]);
}, 120_000);
