import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runKin, serverId } from '../../src/core/servers/server-id.ts';
import type { ServerId } from '../../src/shared/ids.ts';
import type { RunServer } from '../../src/shared/model/run-setup.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';
import { machineClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { MemoryKeyring } from '../support/memory-keyring.ts';
import { signIn } from '../support/sign-in-steps.ts';
import { AttendedBrowser } from '../support/signing-app.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';
import { offeredTo, runToRest, scriptedModel, useModel } from '../support/tool-model.ts';

const calls = join(import.meta.dirname, '../servers/stdio/calls.mjs');
// Each goes through the pages of a whole authorization server.
vi.setConfig({ testTimeout: 60_000 });

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

function writeProfile(home: string, name: string, text: string): void {
  mkdirSync(join(home, 'profiles'), { recursive: true });
  writeFileSync(join(home, 'profiles', `${name}.toml`), text);
}
const onWeb = (url: string, more = '') => `[mcp_servers.docs]\nurl = ${JSON.stringify(url)}\n${more}`;
const broughtTo = (chat: ChatState): RunServer => chat.items.flatMap((item) => (item.kind === 'run-prepared' ? item.setup.servers : [])).at(-1) ?? expect.unreachable('the run brought no server');
const loginOf = (chat: ChatState): ServerId => broughtTo(chat).loginId ?? expect.unreachable('nothing says where its sign-in is kept');
const said = (chat: ChatState): string => JSON.stringify(Object.values(chat.calls).map((call) => (call.phase === 'settled' ? call.outcome : call.phase)));
const begin = async (test: TestApp, text: string, profile = 'research') => runToRest(test, text, (await test.ask('chats.create', { profile })).chatId);
const whoami = { name: 'mcp_docs_whoami', args: {} };

async function open(model: Awaited<ReturnType<typeof scriptedModel>>, options: Parameters<typeof TestApp.open>[1] = {}): Promise<TestApp> {
  const test = await TestApp.open(parts, options);
  await useModel(test, model);
  await test.ask('settings.update', { approvals: 'unrestricted' });
  return test;
}

describe('signing in to servers that exist in runs alone', () => {
  it('the person signs in when the run that wanted it is over; every later run of the profile has it, after a restart too, until they sign out', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using model = await scriptedModel([whoami]);
    const where = { home: tempFolder(), person: tempFolder(), keyring: new MemoryKeyring() };
    writeProfile(where.home, 'research', onWeb(secured.url));
    let loginId: ServerId;
    {
      await using test = await open(model, where);
      const wanting = await begin(test, 'who am I?');
      loginId = loginOf(wanting);
      expect(broughtTo(wanting).problem).toMatch(/sign-in/);
      expect(test.state.runSignIns[loginId]).toMatchObject({ way: 'browser', wanted: { because: 'connect' } });
      expect(loginId).not.toBe(broughtTo(wanting).serverId);

      await signIn(test, loginId);
      expect(test.state.runSignIns[loginId]).toMatchObject({ login: { issuer: issuer.issuer } });
      expect(test.state.runSignIns[loginId]).not.toHaveProperty('wanted');
      const before = model.requests().length;
      const inside = await begin(test, 'and now?');
      expect([...offeredTo(model, before).keys()]).toContain('mcp_docs_whoami');
      expect(said(inside)).toContain('alice');
      expect(loginOf(inside)).toBe(loginId);
      expect(Object.keys(test.state.servers)).not.toContain(loginId);
      expect(Object.keys((JSON.parse(readFileSync(join(where.home, 'sign-ins.json'), 'utf8')) as { servers: object }).servers)).toEqual([loginId]);
    }
    await using test = await open(model, where);
    expect(said(await begin(test, 'after a restart'))).toContain('alice');
    expect(issuer.grants('authorization_code')).toHaveLength(1);

    expect(await test.ask('auth.sign-out', { serverId: loginId })).toEqual({ revoked: 'yes' });
    const out = await begin(test, 'signed out');
    expect(broughtTo(out).problem).toMatch(/sign-in/);
    expect(test.state.runSignIns[loginId]).toMatchObject({ wanted: { because: 'connect' } });
  });

  it('signed in while the run goes on, that very run has its tools', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using model = await scriptedModel([{ name: 'mcp_scratch_echo', args: { text: 'a moment' } }], [whoami]);
    await using test = await open(model);
    writeProfile(test.home, 'research', `${onWeb(secured.url)}\n[mcp_servers.scratch]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(calls)}]\n`);
    await test.ask('settings.update', { approvals: 'approval-required' });
    const { chatId } = await test.ask('chats.create', { profile: 'research' });
    await test.ask('chats.send', { chatId, text: 'go' });
    // The model's call waits for the person, who signs in to the other server meanwhile.
    await test.until(({ approvals }) => approvals.length === 1);
    expect([...offeredTo(model).keys()]).not.toContain('mcp_docs_whoami');
    const loginId = Object.keys(test.state.runSignIns)[0] as ServerId; // keys are server ids
    await signIn(test, loginId);
    await test.ask('settings.update', { approvals: 'unrestricted' });
    for (const { id } of test.state.approvals) await test.ask('approvals.answer', { approvalId: id, answer: { decision: 'allow', scope: 'once' } });
    const chat = await test.untilChat(chatId, ({ run }) => run.phase !== 'running');
    expect([...offeredTo(model).keys()]).toContain('mcp_docs_whoami');
    expect(said(chat)).toContain('alice');
  });

  it('a model in the run begins and ends it by the gateway, and opens nothing', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using model = await scriptedModel([{ name: 'mcp', args: { action: 'auth-start', server: 'docs' } }], [{ name: 'mcp', args: { action: 'auth-complete', server: 'docs' } }], [whoami]);
    const browser = new AttendedBrowser();
    await using test = await open(model, { browser });
    writeProfile(test.home, 'research', onWeb(secured.url));
    const first = await begin(test, 'a first look');
    expect(said(first)).toContain(new URL(issuer.issuer).host);
    await test.ask('auth.allow-host', { serverId: loginOf(first), host: new URL(issuer.issuer).host });
    const told = said(await begin(test, 'for the person'));
    expect(told).toContain('authorizationUrl');
    expect(told).toContain('auth_complete_failed');
    expect(browser.opened).toEqual([]);
    expect(test.state.runSignIns[loginOf(first)]).toMatchObject({ flow: { phase: 'waiting' } });
  });

  it('a model’s use of it signs in by itself where the person wants that', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using model = await scriptedModel([{ name: 'mcp', args: { action: 'connect', server: 'docs' } }], [whoami]);
    const browser = new AttendedBrowser();
    await using test = await open(model, { browser });
    writeProfile(test.home, 'research', onWeb(secured.url));
    const first = await begin(test, 'not by itself');
    expect(browser.opened).toEqual([]);
    expect(said(first)).toContain('auth_required');
    await test.ask('auth.allow-host', { serverId: loginOf(first), host: new URL(issuer.issuer).host });
    await test.ask('settings.update', { autoAuth: true });
    expect(said(await begin(test, 'by itself'))).toContain('alice');
    expect(browser.opened).toHaveLength(1);
  });

  it('a machine is one client in all runs: it signs in once, and its provider is pinned once', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using model = await scriptedModel([whoami]);
    await using test = await open(model);
    writeProfile(test.home, 'research', onWeb(secured.url, `[mcp_servers.docs.oauth]\ngrantType = "client_credentials"\nclientId = "${machineClient.id}"\nclientSecret = "${machineClient.secret}"\nscope = "mcp:tools"\n`));
    const loginId = loginOf(await begin(test, 'before its address is allowed'));
    await test.ask('auth.allow-host', { serverId: loginId, host: new URL(issuer.issuer).host });
    for (const text of ['once', 'twice']) expect(said(await begin(test, text))).toContain(machineClient.id);
    expect(issuer.grants('client_credentials')).toHaveLength(1);
    expect(Object.keys((JSON.parse(readFileSync(join(test.home, 'sign-ins.json'), 'utf8')) as { servers: object }).servers)).toEqual([loginId]);
  });

  it('a server that is taken out of its profile, or a profile that is removed, takes the login along', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using model = await scriptedModel([]);
    await using test = await open(model);
    const both = `${onWeb(secured.url)}\n[mcp_servers.more]\nurl = ${JSON.stringify(secured.url)}\n`;
    await test.ask('profiles.save', { name: 'research', scope: 'global', text: both });
    const chat = await begin(test, 'first');
    const brought = chat.items.flatMap((item) => (item.kind === 'run-prepared' ? item.setup.servers : []));
    for (const { loginId } of brought) await signIn(test, loginId ?? expect.unreachable());
    const kept = () => Object.keys((JSON.parse(readFileSync(join(test.home, 'sign-ins.json'), 'utf8')) as { servers: object }).servers);
    expect(kept()).toEqual(brought.map(({ loginId }) => loginId));

    await test.ask('profiles.save', { name: 'research', scope: 'global', text: `[meta]\ndescription = "less"\n${onWeb(secured.url)}` });
    expect(kept()).toEqual([brought[0]?.loginId]);
    expect(Object.keys(test.state.runSignIns)).toEqual([brought[0]?.loginId]);
    await test.ask('profiles.remove', { name: 'research', scope: 'global' });
    expect(kept()).toEqual([]);
    expect(test.state.runSignIns).toEqual({});
  });

  it('what a project’s profile brings is signed in to only while a run has it: its trust may be gone', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using model = await scriptedModel([]);
    await using test = await open(model);
    const project = tempFolder();
    mkdirSync(join(project, '.gatehouse', 'profiles'), { recursive: true });
    writeFileSync(join(project, '.gatehouse', 'profiles', 'research.toml'), onWeb(secured.url));
    await test.ask('settings.open-project', { folder: project });
    const { trust } = test.state;
    if (trust.phase === 'ask') await test.ask('projects.trust', { project, digest: trust.question.digest });
    const loginId = loginOf(await begin(test, 'who am I?'));
    await test.until(({ runSignIns }) => runSignIns[loginId] === undefined);
    await expect(test.ask('auth.start', { serverId: loginId, openBrowser: false })).rejects.toMatchObject({ code: 'server/not-found' });
    expect(issuer.at('/reg')).toEqual([]);
  });

  it('what a model connected never opens a browser by itself, whatever the person wants for their own', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect({ anonymous: 'until-call' });
    await using model = await scriptedModel([{ name: 'mcp_search', args: { query: 'select:connect_mcp' } }], [{ name: 'connect_mcp', args: { url: secured.url, server_name: 'docs' } }], [{ name: 'mcp_search', args: { query: 'select:mcp_docs_whoami' } }], [whoami]);
    const browser = new AttendedBrowser();
    await using test = await open(model, { browser });
    await test.ask('settings.update', { autoAuth: true, approvals: 'approval-required' });
    const { chatId } = await test.ask('chats.create', {});
    await test.ask('chats.send', { chatId, text: 'go' });
    const allowNext = async (tool: string): Promise<void> => {
      await test.until(({ approvals }) => approvals.some(({ call }) => call.ref.tool === tool));
      for (const { id } of test.state.approvals) await test.ask('approvals.answer', { approvalId: id, answer: { decision: 'allow', scope: 'once' } });
    };
    await allowNext('connect_mcp');
    await test.until(({ approvals }) => approvals.some(({ call }) => call.ref.tool === 'whoami'));
    // Nothing else stands in the way of a browser.
    const loginId = runKin(serverId('connect', secured.url), 'docs');
    await test.ask('auth.allow-host', { serverId: loginId, host: new URL(issuer.issuer).host });
    await allowNext('whoami');
    expect(said(await test.untilChat(chatId, ({ run }) => run.phase !== 'running'))).toContain('auth/sign-in-required');
    expect(browser.opened).toEqual([]);
    expect(issuer.at('/reg')).toEqual([]);
    // And what was allowed for it ends with the run.
    await expect.poll(() => Object.keys((JSON.parse(readFileSync(join(test.home, 'sign-ins.json'), 'utf8')) as { servers: object }).servers)).toEqual([]);
    await test.until(({ runSignIns }) => Object.keys(runSignIns).length === 0);
    await expect(test.ask('auth.start', { serverId: loginId, openBrowser: false })).rejects.toMatchObject({ code: 'server/not-found' });
  });

  it('the same server in another profile is another: it has no login of the first', async () => {
    await using issuer = await SignInServer.start();
    const secured = await issuer.protect();
    await using model = await scriptedModel([]);
    await using test = await open(model);
    writeProfile(test.home, 'research', onWeb(secured.url));
    writeProfile(test.home, 'other', onWeb(secured.url));
    await signIn(test, loginOf(await begin(test, 'first')));
    expect(broughtTo(await begin(test, 'signed in')).tools).toBeGreaterThan(0);
    expect(broughtTo(await begin(test, 'elsewhere', 'other')).problem).toMatch(/sign-in/);
  });
});
