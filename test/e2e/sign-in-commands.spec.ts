import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { FormPerson } from '../support/form-person.ts';
import { give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { composer, page as pageLink, testServer } from './person.ts';
import { accessible, catchBrowser, phaseOf, serverRow, startOf, writeServers } from './sign-in-person.ts';

test('[F-194] /mcp opens the servers, the set-up and the tools, says how servers are and what prompts there are, switches, connects, signs in and out, with completion of commands and servers', async ({ launch, home }) => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  await writeServers(home, { docs: { url: secured.url }, 'docs two': { url: `${secured.url}/` } });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  const person = new FormPerson();
  await startOf(page, 'docs');
  await give(page, 'auth.allow-host', { serverId: (await serverRow(page, 'docs'))?.definition.id, host: new URL(issuer.issuer).host });
  const commands = page.getByRole('listbox', { name: 'Commands' });
  const type = async (text: string) => {
    await composer(page).fill(text);
    await composer(page).press('Enter');
  };
  for (const [text, address] of [['/mcp', /#\/servers/], ['/mcp setup', /#\/set-up/], ['/mcp tools', /#\/tools/]] as const) {
    await page.keyboard.press('Control+n');
    await composer(page).fill(text);
    await composer(page).press('Enter');
    await expect(page).toHaveURL(address);
  }
  await page.keyboard.press('Control+n');
  await composer(page).fill('/mcp ');
  await expect(commands.getByRole('option')).toHaveCount(10);
  await type('/mcp status');
  await expect(page.getByRole('region', { name: 'Servers' }).getByRole('listitem').filter({ has: page.getByRole('link', { name: 'docs', exact: true }) })).toContainText('Sign in');
  await composer(page).press('Escape');
  await type('/mcp prompts');
  await expect(page.getByRole('region', { name: 'Prompts' })).toBeVisible();
  await composer(page).press('Escape');

  // Without a name it asks which.
  await type('/mcp auth');
  const signIns = page.getByRole('region', { name: 'Sign in' });
  await expect(signIns.getByRole('listitem')).toHaveCount(2);
  await accessible(page, 'servers to sign in to');
  await composer(page).press('Escape');
  await composer(page).fill('/mcp auth do');
  await expect(commands.getByRole('option')).toHaveCount(2);
  await composer(page).press('Tab');
  await expect(composer(page)).toHaveValue('/mcp auth docs');
  await composer(page).press('Enter');
  await person.signIn(await browser.next());
  await expect.poll(() => phaseOf(page, 'docs')).toBe('ready');
  await expect(signIns.getByRole('listitem').first()).toContainText('Connected');
  await composer(page).press('Escape');

  await type('/mcp reconnect docs');
  await expect.poll(() => phaseOf(page, 'docs')).toBe('ready');
  await type('/mcp disable docs');
  await expect.poll(async () => (await serverRow(page, 'docs'))?.definition.enabled).toBe(false);
  await type('/mcp enable docs');
  await expect.poll(async () => (await serverRow(page, 'docs'))?.definition.enabled).toBe(true);
  await type('/mcp logout docs');
  await expect(page.getByRole('region', { name: 'Signed out of docs' })).toContainText('took its tokens back');
  expect((await serverRow(page, 'docs'))?.signIn?.login).toBeUndefined();
  await expect.poll(() => phaseOf(page, 'docs')).not.toBe('ready');
});

test('[F-195] the Tools page shows what is known of every server, and keys sign in and connect anew; a pin holds after a restart', async ({ launch, relaunch, home, folder }) => {
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  const shelf = join(folder, 'shelf.json');
  await writeFile(shelf, JSON.stringify({ tools: [], resources: [{ uri: 'shelf://a', name: 'a' }, { uri: 'shelf://b', name: 'b' }] }));
  await writeServers(home, { docs: { url: secured.url }, later: { url: `${secured.url}?later` }, shelf: { command: process.execPath, args: [testServer('shelf.mjs'), shelf] } });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  const person = new FormPerson();
  await startOf(page, 'docs');
  await give(page, 'auth.allow-host', { serverId: (await serverRow(page, 'docs'))?.definition.id, host: new URL(issuer.issuer).host });
  const tools = page.getByRole('list', { name: 'Tools' });
  const head = (name: string) => tools.getByRole('listitem').filter({ has: page.getByRole('button', { name, exact: true }) });
  await pageLink(page, 'Tools').click();
  await expect(head('docs')).toContainText('Sign in');
  await expect(head('later')).toContainText('not seen yet');
  await startOf(page, 'shelf');
  await expect(head('shelf')).toContainText(/Connected.*2 resources/);
  await head('docs').getByRole('button', { name: 'docs', exact: true }).press('Enter');
  await browser.next();
  await head('docs').getByRole('button', { name: 'docs', exact: true }).press('Control+a');
  await person.signIn(await browser.next());
  await expect(head('docs')).toContainText(/Connected.*3 tools/);
  const since = async () => {
    const connection = (await serverRow(page, 'docs'))?.connection;
    return connection?.phase === 'ready' ? connection.since : 0;
  };
  const before = await since();
  await head('docs').getByRole('button', { name: 'docs', exact: true }).press('Control+r');
  await expect.poll(since).toBeGreaterThan(before);

  const line = tools.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^whoami/ }) });
  await line.hover();
  await line.getByRole('button', { name: 'Pin whoami' }).click();
  await expect(head('docs')).toContainText('1 pinned');
  const { page: again } = await relaunch();
  await pageLink(again, 'Tools').click();
  await expect(again.getByRole('list', { name: 'Tools' })).toContainText(/3 tools · 1 pinned/);
  await pageLink(again, 'Servers').click();
  await again.getByRole('link', { name: 'docs', exact: true }).press('Control+r');
  await expect.poll(() => phaseOf(again, 'docs')).toBe('ready');
});
