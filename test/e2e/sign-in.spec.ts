import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { machineClient, publicClient } from '../servers/sign-in/known-clients.ts';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { BrowserPerson } from '../support/browser-person.ts';
import { FormPerson } from '../support/form-person.ts';
import { startModelServer } from '../support/model-server.ts';
import { give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { conversation, outcomes, page as pageLink, runTool, send, useModel } from './person.ts';
import { accessible, allowHost, catchBrowser, listed, note, phaseOf, serverRow, startOf, writeServers } from './sign-in-person.ts';

test('a person signs in with a browser, sees as whom and what was asked, and signs out; nothing opens before their press', async ({ launch, home }) => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  await writeServers(home, { docs: { url: secured.url } });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  await using person = await BrowserPerson.start();

  await pageLink(page, 'Servers').click();
  await listed(page, 'docs').getByRole('button', { name: 'Start: docs' }).click();
  await expect(listed(page, 'docs')).toContainText('docs wants you to sign in.');
  await expect(page.getByRole('link', { name: '0 of 2 connected' })).toBeVisible();
  await listed(page, 'docs').getByRole('button', { name: 'Sign in: docs' }).click();
  // An address of this machine that only the server named is the person's to allow.
  await expect(page.getByRole('heading', { level: 1, name: 'docs' })).toBeVisible();
  await accessible(page, 'an address to allow');
  expect(await browser.opened()).toEqual([]);
  await allowHost(page, issuer.issuer);
  const address = await browser.next();
  await expect(note(page)).toContainText('Waiting for you in the browser');
  await expect(note(page)).toContainText(/[34] min \d+ s left/);
  await expect(note(page).getByRole('listitem').filter({ hasText: 'You say yes in the browser' })).toHaveAttribute('aria-current', 'step');
  await note(page).getByRole('button', { name: 'Open again' }).click();
  expect(await browser.next()).toBe(address);
  await note(page).getByRole('button', { name: 'Copy address' }).click();
  await expect.poll(() => app.evaluate(({ clipboard }) => clipboard.readText())).toBe(address);

  const seen = await person.signIn(address);
  expect(seen.text).toContain('return to Gatehouse');
  await expect.poll(() => phaseOf(page, 'docs')).toBe('ready');
  await expect(note(page)).toBeHidden();
  await page.getByRole('tab', { name: 'Sign-in' }).click();
  const tab = page.getByRole('tabpanel');
  await expect(tab).toContainText(new URL(issuer.issuer).host);
  await expect(tab).toContainText('mcp:tools');
  await expect(tab).toContainText('registered by itself');
  await expect(tab.getByRole('row').filter({ hasText: '/token' })).toContainText('grant_type=authorization_code');
  await accessible(page, 'signed in');
  for (const secret of issuer.secrets) expect(await page.content()).not.toContain(secret);

  await tab.getByRole('button', { name: 'Sign out…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('took its tokens back');
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().click();
  expect((await serverRow(page, 'docs'))?.signIn?.login).toBeUndefined();
  expect(issuer.at('/token/revocation').length).toBeGreaterThan(0);

  // What was allowed is taken back, and asked for again.
  await page.getByRole('tab', { name: 'Sign-in' }).click();
  await tab.getByRole('button', { name: `Take back ${new URL(issuer.issuer).host}` }).click();
  await expect(tab.getByRole('button', { name: /^Take back/ })).toHaveCount(0);
  const asked = issuer.at('/token').length;
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await expect(note(page)).toContainText('leads into your own network');
  expect(issuer.at('/token')).toHaveLength(asked);
});

test('where no app is registered by itself the person brings a client id; a browser elsewhere gives its address by hand; a no is said and begun again', async ({ launch, home }) => {
  await using issuer = await SignInServer.start({ registration: 'off' });
  const secured = await issuer.protect();
  await writeServers(home, { docs: { url: secured.url } });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  const person = new FormPerson();
  await startOf(page, 'docs');
  await pageLink(page, 'Servers').click();
  await page.getByRole('link', { name: 'docs', exact: true }).click();
  await note(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await allowHost(page, issuer.issuer);
  await expect(note(page)).toContainText('wants a client id from you.');
  await expect(note(page)).toContainText('http://localhost:19876/callback');
  await accessible(page, 'a client id is wanted');
  expect(await browser.opened()).toEqual([]);
  await note(page).getByRole('textbox', { name: 'Client id' }).fill(publicClient.id);
  await note(page).getByRole('button', { name: 'Save and sign in' }).click();

  await person.deny(await browser.next());
  await expect(note(page)).toContainText('The sign-in to docs was refused.');
  expect(issuer.grants('authorization_code')).toEqual([]);
  await note(page).getByRole('button', { name: 'Sign in again' }).click();

  const callback = await person.callbackOf(await browser.next());
  await note(page).getByRole('button', { name: 'I cannot reach this computer from my browser' }).click();
  await note(page).getByRole('textbox', { name: 'Address or code from the browser' }).fill(callback);
  await accessible(page, 'by hand');
  await note(page).getByRole('button', { name: 'Finish' }).click();
  await expect.poll(() => phaseOf(page, 'docs')).toBe('ready');
  expect((await serverRow(page, 'docs'))?.signIn?.login).toMatchObject({ clientId: publicClient.id, clientFrom: 'typed' });
});

test('a provider that describes itself as another and a port that is taken are said with what to do, and the browser stays closed', async ({ launch, home }) => {
  await using issuer = await SignInServer.start({ issuerSays: 'https://other.example' });
  const secured = await issuer.protect();
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo; // it listens on a port
  await writeServers(home, { docs: { url: secured.url }, busy: { url: secured.url, oauth: { clientId: publicClient.id, redirectUri: `http://localhost:${port}/callback` } } });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  for (const name of ['docs', 'busy']) {
    await startOf(page, name);
    await give(page, 'auth.allow-host', { serverId: (await serverRow(page, name))?.definition.id, host: new URL(issuer.issuer).host });
  }
  await pageLink(page, 'Servers').click();
  await page.getByRole('link', { name: 'docs', exact: true }).click();
  await note(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(note(page)).toContainText('The provider describes itself as somebody else.');
  await expect(note(page)).toContainText('skipIssuerMetadataValidation');
  await expect(note(page).getByRole('button', { name: 'Sign in again' })).toHaveCount(0);
  await note(page).getByRole('button', { name: 'Open its options' }).click();
  await expect(page.getByRole('button', { name: 'Details of OAuth' })).toBeFocused();
  await expect(page.getByText('Skip the issuer check')).toBeVisible();

  issuer.behaviour.issuerSays = undefined;
  await pageLink(page, 'Servers').click();
  await page.getByRole('link', { name: 'busy', exact: true }).click();
  await note(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(note(page)).toContainText(`Port ${port} is taken`);
  await expect(note(page)).toContainText('Redirect address');
  expect(await browser.opened()).toEqual([]);
  holder.close();
  await note(page).getByRole('button', { name: 'Sign in again' }).click();
  await new FormPerson().signIn(await browser.next());
  await expect.poll(() => phaseOf(page, 'busy')).toBe('ready');
});

test('a sign-in is cancelled, and a second one over the first counts alone', async ({ launch, home }) => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  await writeServers(home, { docs: { url: secured.url } });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  const person = new FormPerson();
  await startOf(page, 'docs');
  await give(page, 'auth.allow-host', { serverId: (await serverRow(page, 'docs'))?.definition.id, host: new URL(issuer.issuer).host });
  await pageLink(page, 'Servers').click();
  await page.getByRole('link', { name: 'docs', exact: true }).click();
  await note(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  const first = await browser.next();
  await expect(note(page)).toContainText('Waiting for you in the browser');
  // What was pressed is gone; the keyboard goes on where it was.
  await expect.poll(() => page.evaluate(() => document.activeElement?.querySelector('[aria-label="Sign-in"]') !== null)).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  await note(page).getByRole('button', { name: 'Cancel' }).click();
  await note(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  const second = await browser.next();
  expect(new URL(second).searchParams.get('state')).not.toBe(new URL(first).searchParams.get('state'));
  await person.signIn(second);
  await expect.poll(() => phaseOf(page, 'docs')).toBe('ready');
});

test('a call that is not let in has the sign-in in its line and its card, and is made once more after it: in Direct mode and for a model', async ({ launch, home }) => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect({ anonymous: 'until-call' });
  await writeServers(home, { docs: { url: secured.url } });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  const person = new FormPerson();
  await startOf(page, 'docs');
  await give(page, 'auth.allow-host', { serverId: (await serverRow(page, 'docs'))?.definition.id, host: new URL(issuer.issuer).host });
  await runTool(page, 'whose token came', 'whoami');
  const card = conversation(page).getByRole('group', { name: 'Sign-in to docs' });
  await expect(card).toContainText('whoami wants you to sign in.');
  await accessible(page, 'a call that is not let in');
  await card.getByRole('button', { name: 'Sign in: docs' }).click();
  await person.signIn(await browser.next());
  await expect(card).toContainText('You are signed in to docs now.');
  await card.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => outcomes(page, 'whoami')).toEqual(['auth/sign-in-required', 'succeeded']);

  // More than was granted: the closed line of a model's call names it.
  await using server = await startModelServer();
  server.on({ predicate: ({ messages }) => messages.at(-1)?.role === 'tool' }, { text: 'That was it.' });
  server.on({}, { calls: [{ name: 'mcp_docs_admin_reset', args: {} }] });
  await page.keyboard.press('Control+n');
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { approvals: 'unrestricted' });
  await send(page, 'Reset it');
  await expect(conversation(page)).toContainText('That was it.');
  await expect(conversation(page)).toContainText('admin_reset needs more permission on docs.');
  await conversation(page).getByRole('button', { name: 'Give permission: docs' }).click();
  const widened = await browser.next();
  expect(new URL(widened).searchParams.get('scope')?.split(' ')).toContain('mcp:admin');
  await person.signIn(widened);
  await expect.poll(async () => (await serverRow(page, 'docs'))?.signIn?.login?.scopes).toContain('mcp:admin');
  await conversation(page).getByRole('button', { name: /admin_reset needs more permission/ }).click();
  await conversation(page).getByRole('group', { name: 'Sign-in to docs' }).getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => outcomes(page, 'admin_reset')).toEqual(['auth/scopes-needed', 'succeeded']);
});

test('a login of one server is used for another at the same place by choice, and a machine signs in without a browser', async ({ launch, home }) => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const machine = { grantType: 'client_credentials', clientId: machineClient.id };
  await writeServers(home, { docs: { url: secured.url }, twin: { url: secured.url }, robot: { url: secured.url, auth: 'oauth', oauth: { ...machine, clientSecret: machineClient.secret } } });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  const { host } = new URL(issuer.issuer);
  for (const name of ['docs', 'twin', 'robot']) await give(page, 'auth.allow-host', { serverId: (await serverRow(page, name))?.definition.id, host });
  const open = async (name: string) => {
    await pageLink(page, 'Servers').click();
    await page.getByRole('link', { name, exact: true }).click();
  };
  await startOf(page, 'docs');
  await startOf(page, 'twin');
  await open('docs');
  await note(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await new FormPerson().signIn(await browser.next());
  await expect.poll(() => phaseOf(page, 'docs')).toBe('ready');
  await open('twin');
  await page.getByRole('button', { name: 'Use the login of another server…' }).click();
  await page.getByRole('menuitemradio', { name: /^docs/ }).click();
  await expect.poll(() => phaseOf(page, 'twin')).toBe('ready');
  await page.getByRole('tab', { name: 'Sign-in' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('docs used here by your choice');
  await page.getByRole('button', { name: 'Stop using this login' }).click();
  await expect.poll(async () => (await serverRow(page, 'twin'))?.signIn?.login).toBeUndefined();
  expect((await serverRow(page, 'docs'))?.signIn?.login).toBeDefined();
  expect(await browser.opened()).toHaveLength(1);

  await startOf(page, 'robot');
  await expect.poll(() => phaseOf(page, 'robot')).toBe('ready');
  await open('robot');
  await page.getByRole('tab', { name: 'Sign-in' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('By itself, with its client credentials');
  await accessible(page, 'a machine');
  expect(await browser.opened()).toHaveLength(1);
  expect(await page.content()).not.toContain(machineClient.secret);
});

test('two hundred servers that want a sign-in stay quick to look through, in a small window too', async ({ launch, home }) => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const names = Array.from({ length: 200 }, (_, index) => `docs ${String(index + 1).padStart(3, '0')}`);
  await writeServers(home, Object.fromEntries(names.map((name) => [name, { url: `${secured.url}?n=${encodeURIComponent(name)}` }])));
  const { app, page } = await launch();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(800, 600));
  for (const name of names.slice(0, 5)) await startOf(page, name);
  await pageLink(page, 'Servers').click();
  await page.getByRole('button', { name: '5 need you' }).click();
  await expect(page.getByRole('list', { name: 'Servers' }).getByRole('button', { name: /^Sign in: / })).toHaveCount(5);
  await accessible(page, 'many servers');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(800);
});
