import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ChatId } from '../../src/shared/ids.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { FormPerson } from '../support/form-person.ts';
import { gateway, useOwnTool } from '../support/own-tool.ts';
import { allowIssuer, AttendedBrowser, defineOnWeb } from '../support/signing-app.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

// Each goes through the pages of a whole authorization server.
vi.setConfig({ testTimeout: 60_000 });

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

/** Every call is allowed, so that nothing but the sign-in stands in the way. */
async function open(options: Parameters<typeof TestApp.open>[1] = {}) {
  const browser = new AttendedBrowser();
  const test = await TestApp.open(parts, { browser, ...options });
  await test.ask('settings.update', { approvals: 'unrestricted' });
  return { test, browser, [Symbol.asyncDispose]: () => test[Symbol.asyncDispose]() };
}
const addressOf = (data: unknown) => (data as { authorizationUrl: string }).authorizationUrl; // what auth-start answers with
const exchanges = (issuer: SignInServer) => issuer.grants('authorization_code').length;

describe('a model that a server sends to sign in', () => {
  it('[F-167] gets an address for the person and opens nothing; ends it by the answer that came, by the address that the browser was sent to, or by the code; too early keeps it, a no exchanges nothing', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test, browser } = app;
    await defineOnWeb(test, { docs: { url: secured.url } });
    const person = new FormPerson();
    const start = () => gateway(test, { action: 'auth-start', server: 'docs' });
    const complete = (args?: Record<string, unknown>) => gateway(test, { action: 'auth-complete', server: 'docs', ...(args ? { args } : {}) });

    expect(await gateway(test, { action: 'connect', server: 'docs' })).toMatchObject({ code: 'auth_required', text: expect.stringMatching(/“docs” wants the person to sign in.*auth-start/) });
    expect(await complete()).toMatchObject({ code: 'not_authenticated' });
    // The server names an address of this machine: only the person can let it.
    const host = new URL(issuer.issuer).host;
    expect(await start()).toMatchObject({ code: 'auth_start_failed', text: expect.stringContaining(host), data: { error: { host } } });
    await allowIssuer(test, 'docs', issuer);

    const begun = await start();
    expect(begun).toMatchObject({ code: undefined, data: { server: 'docs', redirectUri: expect.stringMatching(/^http:\/\/localhost:\d+\/callback$/) } });
    const url = addressOf(begun.data);
    expect(begun.text).toContain(url);
    expect(new URL(url).searchParams.get('state')?.length).toBeGreaterThanOrEqual(43);
    // Too early, and what belongs to another sign-in: it goes on all the same.
    expect(await complete()).toMatchObject({ code: 'auth_complete_failed', text: expect.stringContaining('goes on'), data: { error: { pending: true } } });
    const foreign = `${new URL(url).searchParams.get('redirect_uri') ?? ''}?code=x&state=${'a'.repeat(43)}`;
    expect(await complete({ redirectUrl: foreign })).toMatchObject({ code: 'auth_complete_failed', data: { error: { pending: true } } });
    expect(exchanges(issuer)).toBe(0);
    expect((await person.signIn(url)).status).toBe(200);
    expect(await complete()).toMatchObject({ code: undefined, text: expect.stringMatching(/Signed in to “docs”.*Connected.*3 tools/s), data: { signedIn: true, scopes: ['mcp:tools'] } });
    expect(exchanges(issuer)).toBe(1);
    expect((await gateway(test, { action: 'call', tool: 'whoami', server: 'docs' })).text).toContain('"sub":"alice"');

    // By hand, where the browser cannot reach this computer.
    const again = addressOf((await start()).data);
    const landed = await person.callbackOf(again, 'bob');
    expect(await complete({ redirectUrl: landed })).toMatchObject({ code: undefined, data: { signedIn: true } });
    expect((await gateway(test, { action: 'call', tool: 'whoami', server: 'docs' })).text).toMatch(/"sub":"(alice|bob)"/);
    const third = await person.callbackOf(addressOf((await start()).data));
    expect(await complete({ code: new URL(third).searchParams.get('code') })).toMatchObject({ code: undefined, data: { signedIn: true } });
    expect(exchanges(issuer)).toBe(3);

    // The person says no: nothing is exchanged, and what there was stays.
    const refused = addressOf((await start()).data);
    await new FormPerson().deny(refused);
    expect(await complete()).toMatchObject({ code: 'auth_complete_failed', data: { error: { code: 'auth_complete_failed' } } });
    expect(exchanges(issuer)).toBe(3);
    expect(browser.opened).toEqual([]);
  });

  it('is told which redirect address a person has to register where nobody is registered by itself', async () => {
    await using issuer = await SignInServer.start({ registration: 'off' });
    const secured = await issuer.protect();
    await using app = await open();
    await defineOnWeb(app.test, { docs: { url: secured.url } });
    await allowIssuer(app.test, 'docs', issuer);
    expect(await gateway(app.test, { action: 'auth-start', server: 'docs' })).toMatchObject({
      code: 'auth_start_failed', data: { error: { redirectUri: expect.stringMatching(/^http:\/\/localhost:\d+\/callback$/), issuer: issuer.issuer } },
    });
  });

  it('hands over a code that is written down nowhere: the chat and its file say that there was one', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test } = app;
    await defineOnWeb(test, { docs: { url: secured.url } });
    await allowIssuer(test, 'docs', issuer);
    const url = addressOf((await gateway(test, { action: 'auth-start', server: 'docs' })).data);
    const landed = await new FormPerson().callbackOf(url);
    const code = new URL(landed).searchParams.get('code') ?? '';
    await using model = await scriptedModel([{ name: 'mcp', args: { action: 'auth-complete', server: 'docs', args: { redirectUrl: landed } } }]);
    await useModel(test, model);
    const chatId = await test.newChat();
    const chat = await runToRest(test, 'Go on', chatId);
    expect(Object.values(chat.calls).map((view) => [view?.call.args, view?.phase === 'settled' && view.outcome.kind])).toEqual([[{ action: 'auth-complete', server: 'docs', args: { redirectUrl: '•••' } }, 'succeeded']]);
    expect(exchanges(issuer)).toBe(1);
    const kept = readdirSync(join(test.home, 'chats')).map((name) => readFileSync(join(test.home, 'chats', name), 'utf8')).join('');
    expect(kept).toContain('auth-complete');
    for (const text of [kept, JSON.stringify(chat), JSON.stringify(model.requests().slice(1))]) expect(text).not.toContain(code);
  });
});

describe('a use that ends for want of a sign-in', () => {
  it('[F-168] signs in by itself only where the person wants that, at most once for each call, does it again once, and needs a person for a browser', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    const machine = await issuer.protect();
    const entry = { url: secured.url };
    await using app = await open();
    const { test, browser } = app;
    await defineOnWeb(test, { docs: entry });
    const serverId = await allowIssuer(test, 'docs', issuer);
    const connect = () => gateway(test, { action: 'connect', server: 'docs' });
    expect((await connect()).code).toBe('auth_required');
    expect(browser.opened).toHaveLength(0);

    await test.ask('settings.update', { autoAuth: true });
    expect(await connect()).toMatchObject({ code: undefined, text: expect.stringContaining('Connected') });
    expect(browser.opened).toHaveLength(1);
    expect(secured.rpc('initialize').filter(({ status }) => status === 200).length).toBeGreaterThan(0);

    // A call by the tool's own name, as in a chat, of a server that has to be signed in to again.
    await test.ask('auth.sign-out', { serverId });
    await test.ask('servers.restart', { serverId });
    const chatId = await test.newChat();
    const { outcome } = await test.call(chatId, serverId, 'whoami', {});
    expect(JSON.stringify(outcome)).toContain('alice');
    expect(browser.opened).toHaveLength(2);

    // More is wanted than was granted: the same, and the call is sent once more.
    expect((await gateway(test, { action: 'call', tool: 'admin_reset', server: 'docs' })).text).toContain('reset done');
    expect(browser.opened).toHaveLength(3);
    expect(secured.seen.filter(({ tool }) => tool === 'admin_reset').map(({ status }) => status)).toEqual([403, 200]);

    // Somebody who says no is not asked again by the same call, and is by the next.
    await test.ask('auth.sign-out', { serverId });
    browser.mood = 'refuses';
    expect(await gateway(test, { action: 'call', tool: 'whoami', server: 'docs' })).toMatchObject({ code: 'auth_required', text: expect.stringContaining('did not work') });
    expect(browser.opened).toHaveLength(4);
    expect((await connect()).code).toBe('auth_required');
    expect(browser.opened).toHaveLength(5);
    // The attempt of a call is spent with its connection: what it wants beyond that is for the next.
    browser.mood = 'agrees';
    expect((await gateway(test, { action: 'call', tool: 'admin_reset', server: 'docs' })).code).toBe('auth_required');
    expect(browser.opened).toHaveLength(6);
    expect((await gateway(test, { action: 'call', tool: 'admin_reset', server: 'docs' })).text).toContain('reset done');
    expect(browser.opened).toHaveLength(7);

    // Nobody is there: no browser, and a machine needs none.
    await using alone = await open({ interaction: 'none' });
    const program = { url: machine.url, oauth: { grantType: 'client_credentials', clientId: 'machine-secret', clientSecret: 'machine-secret-value-0123456789abcdef+/=' } };
    await defineOnWeb(alone.test, { docs: entry, program }, { autoAuth: true });
    await allowIssuer(alone.test, 'docs', issuer);
    await allowIssuer(alone.test, 'program', issuer);
    expect((await gateway(alone.test, { action: 'connect', server: 'docs' })).code).toBe('auth_required');
    expect(await gateway(alone.test, { action: 'connect', server: 'program' })).toMatchObject({ code: undefined, text: expect.stringContaining('Connected') });
    expect(alone.browser.opened).toEqual([]);
  });

  it('opens one browser for all calls that want it at the same time', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test, browser } = app;
    await defineOnWeb(test, { docs: { url: secured.url, autoAuth: true } });
    await allowIssuer(test, 'docs', issuer);
    const all = await Promise.all(Array.from({ length: 5 }, () => gateway(test, { action: 'call', tool: 'whoami', server: 'docs' })));
    expect(all.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => undefined));
    expect(browser.opened).toHaveLength(1);
  });

  it('is ended by whoever stops the call, and ends the sign-in with it', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test, browser } = app;
    await defineOnWeb(test, { docs: { url: secured.url, autoAuth: true } });
    const serverId = await allowIssuer(test, 'docs', issuer);
    browser.mood = 'looks away';
    const chatId = await test.newChat();
    const asked = gateway(test, { action: 'call', tool: 'whoami', server: 'docs' }, chatId);
    await test.until(({ servers }) => servers[serverId]?.signIn?.flow?.phase === 'waiting');
    await test.ask('chats.stop', { chatId });
    expect((await asked).code).toBe('aborted');
    await test.until(({ servers }) => servers[serverId]?.signIn?.flow === undefined);
  });

  it('goes on with the sign-in that the person began in place of it, and ends with one that they gave up', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test, browser } = app;
    await defineOnWeb(test, { docs: { url: secured.url, autoAuth: true } });
    const serverId = await allowIssuer(test, 'docs', issuer);
    browser.mood = 'looks away';
    const whoami = { action: 'call', tool: 'whoami', server: 'docs' };
    let page = browser.next();
    const given = gateway(test, whoami);
    await page;
    await test.ask('auth.cancel', { serverId });
    expect(await given).toMatchObject({ code: 'auth_required', text: expect.stringContaining('did not work') });
    page = browser.next();
    const asked = gateway(test, whoami);
    await page;
    browser.mood = 'agrees';
    await test.ask('auth.start', { serverId, openBrowser: true });
    expect((await asked).text).toContain('"sub":"alice"');
    expect(browser.opened).toHaveLength(3);
  });

  it('is told at once where there is no browser to open', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test, browser } = app;
    await defineOnWeb(test, { docs: { url: secured.url, autoAuth: true } });
    const serverId = await allowIssuer(test, 'docs', issuer);
    browser.mood = 'has no browser';
    expect(await gateway(test, { action: 'call', tool: 'whoami', server: 'docs' })).toMatchObject({ code: 'auth_required', text: expect.stringContaining('no desktop') });
    expect(test.state.servers[serverId]?.signIn?.flow).toBeUndefined();
  });

  it('never opens a browser at the start, in the background, or where the server’s own switch is off', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test, browser } = app;
    await test.ask('settings.update', { autoAuth: true });
    await defineOnWeb(test, { kept: { url: secured.url, lifecycle: 'keep-alive' }, off: { url: secured.url, autoAuth: false } });
    await allowIssuer(test, 'kept', issuer);
    await allowIssuer(test, 'off', issuer);
    test.app.begin();
    await test.until(({ servers }) => servers[test.server('kept')]?.connection.phase === 'needs');
    await test.ask('servers.start', { serverId: test.server('kept') });
    expect((await gateway(test, { action: 'connect', server: 'off' })).code).toBe('auth_required');
    expect(browser.opened).toEqual([]);
  });

  it('is not made to sign in by a project’s file, which can only switch it off', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test, browser } = app;
    const project = tempFolder();
    writeFileSync(join(project, '.mcp.json'), JSON.stringify({
      settings: { autoAuth: true, authRequiredMessage: 'The project says so' }, mcpServers: { on: { url: secured.url, autoAuth: true }, off: { url: secured.url, autoAuth: false } },
    }));
    await test.ask('settings.open-project', { folder: project });
    await test.until(({ trust }) => trust.phase === 'ask');
    const { trust } = test.state;
    if (trust.phase !== 'ask') throw new Error('There is nothing to trust');
    await test.ask('projects.trust', { project: trust.question.project, digest: trust.question.digest });
    await test.until(({ servers }) => Object.values(servers).some(({ definition }) => definition.name === 'on'));
    await allowIssuer(test, 'on', issuer);
    await allowIssuer(test, 'off', issuer);
    const connect = (server: string) => gateway(test, { action: 'connect', server });
    expect(await connect('on')).toMatchObject({ code: 'auth_required', text: expect.not.stringContaining('The project says so') });
    expect(browser.opened).toEqual([]);
    await test.ask('settings.update', { autoAuth: true });
    expect((await connect('off')).code).toBe('auth_required');
    expect(browser.opened).toEqual([]);
    expect((await connect('on')).code).toBeUndefined();
    expect(browser.opened).toHaveLength(1);
  });

  it('stands still in a script until the person has signed in, and the script’s time with it', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using app = await open();
    const { test, browser } = app;
    await defineOnWeb(test, { docs: { url: secured.url, autoAuth: true } });
    const serverId = await allowIssuer(test, 'docs', issuer);
    await gateway(test, { action: 'connect', server: 'docs' });
    await test.ask('auth.sign-out', { serverId });
    await test.ask('servers.start', { serverId });
    expect(test.state.servers[serverId]?.connection.phase).toBe('needs');
    browser.mood = 'looks away';
    const opened = browser.next();
    const asking = useOwnTool(test, 'mcp_script', { code: 'const r = await tools.call("whoami", {}, "docs"); return r.ok ? r.data.content[0].text : r.error;' });
    const url = await opened;
    // What it needs to go on was laid by: it does not run meanwhile.
    expect(readdirSync(join(test.home, 'waiting'))).toHaveLength(1);
    await new FormPerson().signIn(url);
    expect((await asking).text).toContain('"sub":"alice"');
  });

  it('opens nothing for a script that goes on after a restart: it is told that a sign-in is wanted', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    const where = { home: tempFolder(), person: tempFolder(), keyring: new MemoryKeyring() };
    let chatId: ChatId;
    {
      await using app = await open(where);
      const { test, browser } = app;
      await defineOnWeb(test, { docs: { url: secured.url, autoAuth: true } });
      const serverId = await allowIssuer(test, 'docs', issuer);
      await gateway(test, { action: 'connect', server: 'docs' });
      await test.ask('auth.sign-out', { serverId });
      await test.ask('servers.start', { serverId });
      browser.mood = 'looks away';
      const opened = browser.next();
      chatId = await test.newChat();
      useOwnTool(test, 'mcp_script', { code: 'const r = await tools.call("whoami", {}, "docs"); return r.ok ? "in" : r.error.code;' }, chatId).catch(() => undefined);
      await opened;
    }
    await using app = await open(where);
    const { calls } = await app.test.untilChat(chatId, (chat) => Object.values(chat.calls).every(({ phase }) => phase === 'settled'));
    expect(JSON.stringify(Object.values(calls))).toContain('auth_required');
    expect(app.browser.opened).toEqual([]);
  });
});

it('[F-175] whoever asked reads the person’s own words, from the settings or else from their files, with the server’s name wherever it is meant', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect({ anonymous: 'until-call' });
  await using app = await open();
  const { test } = app;
  await defineOnWeb(test, { 'do$&cs': { url: secured.url } }, { authRequiredMessage: 'From the file: ${server}!' });
  const serverId = await allowIssuer(test, 'do$&cs', issuer);
  expect((await gateway(test, { action: 'call', tool: 'whoami', server: 'do$&cs' })).text).toContain('From the file: do$&cs!');
  await test.ask('settings.update', { authRequiredMessage: '${server} first. Ask for ${server} at the desk, not ${other}.' });
  const words = 'do$&cs first. Ask for do$&cs at the desk, not ${other}.';
  expect(await gateway(test, { action: 'call', tool: 'whoami', server: 'do$&cs' })).toMatchObject({ code: 'auth_required', text: expect.stringContaining(words), data: { error: { message: words } } });
  // A tool by its own name.
  const chatId = await test.newChat();
  expect((await test.call(chatId, serverId, 'whoami', {})).outcome).toMatchObject({ kind: 'failed', code: 'auth/sign-in-required', message: words });
  // A script.
  const { text } = await useOwnTool(test, 'mcp_script', { code: 'const r = await tools.call("whoami", {}, "do$&cs"); return r.error.code + ": " + r.error.message;' });
  expect(text).toContain(`auth_required: ${words}`);
  await test.ask('settings.update', { authRequiredMessage: null });
  expect((await gateway(test, { action: 'call', tool: 'whoami', server: 'do$&cs' })).text).toContain('From the file: do$&cs!');
});
