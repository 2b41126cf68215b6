import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { publicClient, secretClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { AttachedPerson, buildAttached, type BuiltAttached } from '../support/attached-cli.ts';
import { CliPerson, type RunOptions } from '../support/cli-program.ts';
import { DesktopKeyring } from '../support/desktop-keyring.ts';
import { FormPerson } from '../support/form-person.ts';
import { AttendedBrowser } from '../support/signing-app.ts';

// Each command is a process.
vi.setConfig({ testTimeout: 120_000 });

let built: BuiltAttached;
beforeAll(async () => {
  built = await buildAttached();
}, 120_000);
afterAll(() => built?.[Symbol.asyncDispose]());

/** A command that runs while somebody does something elsewhere. */
class Running {
  readonly #child: ChildProcess;
  #seen = '';
  readonly #ended: Promise<unknown>;

  constructor(person: CliPerson, args: readonly string[], options: RunOptions = {}) {
    this.#child = person.start(args, options);
    this.#ended = once(this.#child, 'close');
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.on('data', (chunk: Buffer) => (this.#seen += chunk.toString()));
  }

  /** What it has said once that fits, and forgets it up to there. */
  async says(words: RegExp): Promise<string> {
    for (;;) {
      const found = words.exec(this.#seen);
      if (found) {
        this.#seen = this.#seen.slice(found.index + found[0].length);
        return found[1] ?? found[0];
      }
      if (this.#child.exitCode !== null) throw new Error(`It ended with ${this.#child.exitCode} and said: ${this.#seen}`);
      await Promise.race([once(this.#child.stdout ?? this.#child, 'data'), once(this.#child.stderr ?? this.#child, 'data'), this.#ended]);
    }
  }

  type(line: string): void {
    this.#child.stdin?.write(`${line}\r`);
  }

  interrupt(): void {
    this.#child.kill('SIGINT');
  }

  /** The exit code, and what it said since `says`. */
  async ends(): Promise<{ readonly code: number | null; readonly rest: string }> {
    await this.#ended;
    return { code: this.#child.exitCode, rest: this.#seen };
  }
}
const address = /(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)/;
const pasteHere = /not shown\): $/;

/** Somebody with one protected server among those of their home. */
async function withServer(issuer: SignInServer, options: { readonly settings?: object; readonly entry?: object } = {}) {
  const secured = await issuer.protect();
  const browser = new AttendedBrowser();
  const me = await AttachedPerson.open(built, { browser });
  me.write('home/mcp.json', { settings: options.settings ?? {}, mcpServers: { docs: { url: secured.url, ...options.entry } } });
  await me.reload();
  const host = new URL(issuer.issuer).host;
  const flow = () => me.app.state.servers[me.app.server('docs')]?.signIn?.flow;
  return { me, secured, browser, host, flow, [Symbol.asyncDispose]: () => me[Symbol.asyncDispose]() };
}

it('signs in to a server of the running app: the address is printed and opened here, whoever comes back is told, listed, and signed out again', async () => {
  await using issuer = await SignInServer.start();
  await using app = await withServer(issuer);
  const { me, secured, browser, host } = app;
  await me.run(['tools', 'connect', 'docs']);
  for (const words of [['status'], ['mcp', 'list']]) expect(await me.done(words)).toContain('docs needs a sign-in: `gatehouse mcp auth docs`');
  expect(await me.json(['status'])).toMatchObject({ servers: expect.arrayContaining([expect.objectContaining({ name: 'docs', state: 'needs sign-in', signIn: expect.objectContaining({ way: 'browser', needed: 'connect' }) })]) });

  // Its metadata leads to this machine, and nobody is here to ask.
  const refused = await me.run(['mcp', 'auth', 'docs']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(`--allow-host ${host}`);

  const opener = me.write('bin/xdg-open', '#!/bin/sh\nprintf "%s\\n" "$#" "$1" > "$OPENED"\n');
  chmodSync(opener, 0o755);
  const opened = join(me.folder, 'opened');
  const running = new Running(me, ['mcp', 'auth', 'docs', '--allow-host', host, '--scope', 'mcp:admin', '--json'], { env: { PATH: `${join(opener, '..')}:${process.env['PATH'] ?? ''}`, DISPLAY: ':none', OPENED: opened } });
  const url = await running.says(address);
  await running.says(/It was opened in your browser/);
  expect(readFileSync(opened, 'utf8')).toBe(`1\n${url}\n`);
  expect(new URL(url).searchParams.get('scope')?.split(' ')).toEqual(expect.arrayContaining(['mcp:tools', 'mcp:admin']));
  await new FormPerson().signIn(url);
  const { code, rest } = await running.ends();
  expect(code).toBe(0);
  expect(JSON.parse(rest.slice(rest.indexOf('{')))).toMatchObject({ server: 'docs', login: { issuer: issuer.issuer, scopes: expect.arrayContaining(['mcp:admin']), renews: true, clientFrom: 'registered' } });
  expect(browser.opened).toEqual([]);

  expect(await me.json(['mcp', 'logins'])).toMatchObject([{ server: 'docs', way: 'browser', login: { issuer: issuer.issuer, expiresAt: expect.stringMatching(/^\d{4}-/) } }]);
  expect(await me.done(['mcp', 'logins'])).toMatch(/docs .*renewed by itself/);
  await me.app.ask('settings.update', { approvals: 'unrestricted' });
  expect(await me.done(['tools', 'call', 'whoami'])).toContain('"sub":"alice"');
  const history = await me.json(['mcp', 'auth', 'docs', '--history']);
  expect(history).toEqual(expect.arrayContaining([expect.objectContaining({ step: 'token', method: 'POST', url: `${issuer.issuer}/token`, status: 200, sent: expect.arrayContaining(['grant_type=authorization_code']) })]));
  expect(await me.done(['mcp', 'auth', 'docs', '--history'])).toContain('POST');

  expect(await me.done(['mcp', 'logout', 'docs'])).toContain('Signed out of docs');
  expect(issuer.at('/token/revocation').length).toBeGreaterThan(0);
  expect(JSON.stringify(await me.json(['mcp', 'logins']))).not.toContain('"login"');
  expect(secured.rpc('tools/call')).toHaveLength(1);
  for (const secret of issuer.secrets) expect(`${JSON.stringify(history)}${rest}`).not.toContain(secret);
});

it('takes by hand, unseen, what a browser elsewhere ends at, and lets nothing else end the sign-in', async () => {
  await using issuer = await SignInServer.start();
  await using app = await withServer(issuer);
  const { me, host } = app;
  const running = new Running(me, ['mcp', 'auth', 'docs', '--no-browser'], { terminal: true });
  await running.says(/Allow it\? \[y\/N\] $/);
  running.type('y');
  const url = await running.says(address);
  await running.says(pasteHere);
  running.type(`http://localhost:1/callback?code=x&state=${'a'.repeat(43)}`);
  await running.says(/The sign-in goes on/);
  await running.says(pasteHere);
  const landed = await new FormPerson().callbackOf(url);
  running.type(landed);
  const { code, rest } = await running.ends();
  expect(code).toBe(0);
  expect(rest).toContain('✓ Signed in to docs');
  expect(rest).not.toContain(new URL(landed).searchParams.get('code'));
  expect(me.app.state.servers[me.app.server('docs')]?.signIn).toMatchObject({ allowedHosts: [host], login: { issuer: issuer.issuer } });
});

it('asks for the client that a provider wants to know beforehand, with the redirect address to register there; without a terminal it says so', async () => {
  await using issuer = await SignInServer.start({ registration: 'off' });
  await using app = await withServer(issuer);
  const { me, host, flow } = app;
  const alone = await me.run(['mcp', 'auth', 'docs', '--allow-host', host]);
  expect(alone.code).toBe(2);
  expect(alone.stderr).toMatch(/exactly this redirect address: http:\/\/localhost:\d+\/callback/);
  expect(alone.stderr).toContain('--client-secret-stdin');
  expect(flow()?.phase).toBe('needs-client');

  const running = new Running(me, ['mcp', 'auth', 'docs', '--no-browser'], { terminal: true });
  await running.says(/exactly this redirect address: http:\/\/localhost:\d+\/callback/);
  await running.says(/Client id: $/);
  running.type(publicClient.id);
  await running.says(/empty for none\): $/);
  running.type('');
  await new FormPerson().signIn(await running.says(address));
  expect((await running.ends()).code).toBe(0);
  expect(await me.json(['mcp', 'logins'])).toMatchObject([{ login: { clientId: publicClient.id, clientFrom: 'typed' } }]);

  // The client stays, unless it is to be forgotten too.
  await me.done(['mcp', 'logout', 'docs', '--forget-client']);
  expect((await me.run(['mcp', 'auth', 'docs'])).code).toBe(2);
  const secret = me.start(['mcp', 'auth', 'docs', '--client-id', secretClient.id, '--client-secret-stdin']);
  const ended = once(secret, 'close');
  let said = '';
  secret.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  secret.stdin?.end(`${secretClient.secret}\n`);
  while (!address.test(said)) await once(secret.stderr ?? secret, 'data');
  await new FormPerson().signIn(address.exec(said)?.[0] ?? '');
  await ended;
  expect(secret.exitCode).toBe(0);
  expect(issuer.grants('authorization_code').at(-1)?.headers.authorization).toMatch(/^Basic /);
  expect((await me.run(['mcp', 'auth', 'docs', '--client-secret-stdin'])).stderr).toContain('--client-id');
});

it('ends the sign-in that it began when it is stopped, when the time is over, and with the words of whoever says no', async () => {
  await using issuer = await SignInServer.start();
  await using app = await withServer(issuer);
  const { me, host, flow } = app;
  const auth = ['mcp', 'auth', 'docs', '--no-browser', '--allow-host', host];
  const stopped = new Running(me, auth);
  const stale = await stopped.says(address);
  expect(flow()?.phase).toBe('waiting');
  stopped.interrupt();
  expect((await stopped.ends()).code).toBe(130);
  expect(flow()).toBeUndefined();

  const late = await me.run([...auth, '--timeout', '1']);
  expect(late.code).toBe(1);
  expect(late.stderr).toContain('within 1 seconds');
  expect(flow()).toBeUndefined();
  expect((await me.run([...auth, '--timeout', '301'])).code).toBe(1);

  const denied = new Running(me, auth);
  const url = await denied.says(address);
  // The page of a sign-in that is over has nothing to do with this one.
  await new FormPerson().signIn(stale).catch(() => undefined);
  await new FormPerson().deny(url);
  expect((await denied.ends()).code).toBe(1);
  expect(issuer.grants('authorization_code')).toHaveLength(0);
  expect((await me.run(['mcp', 'auth', 'Notes'])).code).toBe(1);
  expect((await me.run(['mcp', 'auth', 'nobody'])).stderr).toContain('There is no server “nobody”');
  expect(await me.done(['complete', '--', 'mcp', 'auth', 'd'])).toMatch(/^docs\b/m);
  expect(await me.done(['complete', '--', 'mcp', 'logout', 'd'])).toMatch(/^docs\b/m);
});

it('[F-175] a call that wants a sign-in ends with code 2 and the person’s own words, also in the status', async () => {
  await using issuer = await SignInServer.start();
  await using app = await withServer(issuer, { settings: { authRequiredMessage: 'Badge for ${server}, please' } });
  const { code, stdout, stderr } = await app.me.run(['tools', 'connect', 'docs']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Badge for docs, please');
  expect(stderr).toContain('gatehouse mcp auth');
  expect(await app.me.done(['status'])).toContain('Badge for docs, please');
});

it('a call that signs in by itself says at the terminal what it waits for', async () => {
  await using issuer = await SignInServer.start();
  await using app = await withServer(issuer, { settings: { autoAuth: true } });
  const { me, browser, host } = app;
  await me.app.ask('settings.update', { approvals: 'unrestricted' });
  await me.app.ask('auth.allow-host', { serverId: me.app.server('docs'), host });
  const { code, stdout, stderr } = await me.run(['tools', 'call', 'whoami', '--server', 'docs']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'A page in the browser waits for you to sign in to docs.\n' });
  expect(stdout).toContain('"sub":"alice"');
  expect(browser.opened).toHaveLength(1);

  expect(await me.json(['mcp', 'auth', 'docs', '--forbid-host', host, '--json'])).toEqual({ server: 'docs', forbidden: host });
  const refused = await me.run(['mcp', 'auth', 'docs']);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(`--allow-host ${host}`);
});

it('without an app signs in on the home itself, where the next command finds it; without a keyring nothing is opened or kept', async () => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  using me = new CliPerson(built.cli);
  me.write('home/mcp.json', { mcpServers: { docs: { url: secured.url } } });
  const host = new URL(issuer.issuer).host;
  const auth = ['mcp', 'auth', 'docs', '--no-browser', '--allow-host', host];
  const { code, stderr } = await me.run(auth);
  expect(code).toBe(2);
  expect(stderr).toContain('no keyring');
  expect(stderr).not.toMatch(address);

  await using desktop = await DesktopKeyring.start();
  desktop.use();
  const env = { DBUS_SESSION_BUS_ADDRESS: process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '', XDG_RUNTIME_DIR: process.env['XDG_RUNTIME_DIR'] ?? '' };
  const running = new Running(me, auth, { env });
  await new FormPerson().signIn(await running.says(address));
  expect((await running.ends()).code).toBe(0);
  expect(await me.done(['tools', 'connect', 'docs'], { env })).toContain('Connected');
  expect(await me.json(['mcp', 'logins'], { env })).toMatchObject([{ server: 'docs', login: { issuer: issuer.issuer } }]);
  expect(issuer.grants('authorization_code')).toHaveLength(1);
  for (const secret of issuer.secrets) expect(me.everything()).not.toContain(secret);
  expect(existsSync(join(me.home, 'sign-ins.json'))).toBe(true);
  expect(await me.done(['mcp', 'logout', 'docs'], { env })).toContain('took the tokens back');
});
