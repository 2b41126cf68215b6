import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SignInServer } from '../servers/sign-in/sign-in-server.ts';
import { BrowserPerson } from '../support/browser-person.ts';
import { startModelServer } from '../support/model-server.ts';
import { give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import { activity, conversation, newChat, send, useModel } from './person.ts';
import { allowHost, catchBrowser, note } from './sign-in-person.ts';

test('a server of a profile that wants a sign-in says so in the chat; signed in there, the next message has it, and signing out is a press', async ({ launch, home }, info) => {
  test.slow();
  await using issuer = await SignInServer.start();
  const secured = await issuer.protect();
  await using model = await startModelServer();
  model.on({ userMessage: 'who am I?', hasToolResult: false }, { text: 'I cannot tell.' });
  model.on({ userMessage: 'and now?', hasToolResult: false }, { calls: [{ name: 'mcp_docs_whoami', args: {} }] });
  model.on({}, { text: 'Done.' });
  mkdirSync(join(home, 'profiles'), { recursive: true });
  writeFileSync(join(home, 'profiles', 'research.toml'), `[mcp_servers.docs]\nurl = ${JSON.stringify(secured.url)}\n`, { mode: 0o600 });
  const { app, page } = await launch();
  const browser = await catchBrowser(app);
  await using person = await BrowserPerson.start();
  await useModel(page, model, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { approvals: 'unrestricted' });

  await newChat(page);
  await page.getByRole('button', { name: /^Profile:/ }).click();
  await page.getByRole('dialog', { name: 'Choose a profile' }).getByRole('option').filter({ has: page.getByText('research', { exact: true }) }).click();
  await send(page, 'who am I?');
  await expect(conversation(page)).toContainText('I cannot tell.');
  await expect(note(page)).toContainText('docs wants you to sign in.');
  await expect(conversation(page)).not.toContainText('is not connected');
  await look(page, info, 'wanted');
  expect(await browser.opened()).toEqual([]);
  await note(page).getByRole('button', { name: 'Sign in', exact: true }).click();
  await allowHost(page, issuer.issuer);
  const address = await browser.next();
  await expect(note(page)).toContainText('Waiting for you in the browser');
  await page.setViewportSize({ width: 800, height: 600 });
  await look(page, info, 'waiting');
  await person.signIn(address);
  await expect(conversation(page)).toContainText(/Signed in to docs( as \S+)?\. With your next message it is there\./);
  await expect(note(page)).toBeHidden();
  await look(page, info, 'signed-in');

  await expect.poll(() => activity(page)).toBe('idle');
  await send(page, 'and now?');
  await expect(conversation(page)).toContainText('Done.');
  await expect(conversation(page)).toContainText('whoami');
  // Of the last run alone.
  const signOut = page.getByRole('button', { name: 'Sign out: docs' });
  await expect(signOut).toHaveCount(1);
  await expect(conversation(page)).not.toContainText('With your next message');
  await signOut.click();
  await expect(signOut).toBeHidden();
  expect(issuer.at('/token/revocation').length).toBeGreaterThan(0);
});
