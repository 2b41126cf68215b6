import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { appState, ask, codeOf, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { lastChat, page as pageLink, runTool, testServer } from './person.ts';
import { catchBrowser } from './sign-in-person.ts';

/** The home has a travel agent who asks things; it is connected. */
async function openTravel(window: Page): Promise<string> {
  const find = async () => Object.values((await appState(window)).servers).find(({ definition }) => definition.name === 'travel');
  const serverId = (await find())?.definition.id;
  if (serverId === undefined) throw new Error('There is no travel agent');
  await give(window, 'servers.start', { serverId });
  await expect.poll(async () => (await find())?.catalog?.from).toBe('live');
  return serverId;
}
const travel = (home: string) => writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: { travel: { command: process.execPath, args: [testServer('asks.mjs')] } } }));
const card = (window: Page) => window.getByRole('region', { name: /^travel/ });
/** What the last call of this tool gave. */
async function told(window: Page, tool: string): Promise<unknown> {
  const { calls } = await lastChat(window);
  const view = Object.values(calls).findLast(({ call }) => call.ref.tool === tool);
  if (view?.phase !== 'settled') return view?.phase;
  if (view.outcome.kind !== 'succeeded') return view.outcome;
  const [part] = view.outcome.result.parts;
  return part?.type === 'text' ? JSON.parse(part.text) : part;
}
/** What a server hears of a command of its own core, without a window. */
function capabilitiesAtTerminal(folder: string): Promise<string> {
  const env = { ...process.env, HOME: join(folder, 'person'), XDG_CONFIG_HOME: join(folder, 'person', '.config'), GATEHOUSE_HOME: join(folder, 'home') };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(import.meta.dirname, '../../out/cli/main.js'), 'tools', 'call', 'capabilities', '--server', 'travel', '--json'], { cwd: folder, env }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

test('[F-148] a form of a server is filled in field by field, looked over, edited and sent; a no and a dismissal are told apart', async ({ launch, home }) => {
  travel(home);
  const { page } = await launch();
  await openTravel(page);
  await runTool(page, 'book', 'book');
  const asks = card(page);
  await expect(asks.getByRole('heading', { level: 3 })).toHaveText('travel asks you something');
  await expect(asks).toContainText('Where does the trip go?');
  await expect(asks).toContainText('While it runs book');
  await expect(asks).toContainText('Type no password, key or card number here');
  await expect(pageLink(page, 'Approvals')).toContainText('1');

  const go = asks.getByRole('button', { name: 'Continue' });
  const name = asks.getByRole('textbox', { name: 'Full name' });
  await go.click();
  await expect(asks).toContainText('2 fields need a look.');
  await expect(asks).toContainText('This is needed.');
  await expect(asks).toContainText('At least one is needed.');
  await name.fill('A');
  await asks.getByRole('textbox', { name: 'E-mail' }).fill('nobody');
  await asks.getByRole('textbox', { name: 'Seats' }).fill('9');
  await go.click();
  await expect(asks).toContainText('4 fields need a look.');
  await expect(asks).toContainText('At least 2 characters.');
  await expect(asks).toContainText('Not more than 4.');
  await expect(name).toBeFocused();
  await name.fill('Ada Lovelace, Countess');
  await expect(asks).toContainText('At most 20 characters.');
  await name.fill('Ada Lovelace');
  await asks.getByRole('textbox', { name: 'E-mail' }).fill('');
  await asks.getByRole('textbox', { name: 'Seats' }).fill('3');
  for (const extra of ['A bike', 'A dog', 'Skis']) await asks.getByRole('checkbox', { name: extra }).click();
  await go.click();
  await expect(asks).toContainText('At most 2.');
  await asks.getByRole('checkbox', { name: 'A dog' }).click();
  await asks.getByRole('combobox', { name: 'Class' }).click();
  await page.getByRole('option', { name: 'First' }).click();
  await asks.getByRole('combobox', { name: 'Meal' }).click();
  await page.getByRole('option', { name: 'Bread' }).click();
  await go.click();

  const review = asks.getByRole('group', { name: 'Your answer' });
  await expect(review).toContainText('Full name');
  await expect(review).toContainText('Ada Lovelace');
  await expect(review).toContainText('First (1)');
  await expect(review).not.toContainText('Note');
  await asks.getByRole('button', { name: 'Edit', exact: true }).click();
  await asks.getByRole('radiogroup', { name: 'By the window' }).getByRole('radio', { name: 'Yes' }).click();
  await go.click();
  await expect(review).toContainText('By the window');
  expect(await told(page, 'book')).toBe('running');
  // Whatever a window sends is checked once more.
  const [waiting] = (await appState(page)).elicitations;
  expect(codeOf(await ask(page, 'dialogue.answer', { id: waiting?.id, action: 'accept', content: { name: 'Ada', seats: 3, extras: ['yacht'] } }))).toBe('request/invalid');
  await asks.getByRole('button', { name: 'Submit' }).click();
  await expect(asks).toBeHidden();
  await expect.poll(() => told(page, 'book')).toEqual({ result: { action: 'accept', content: { name: 'Ada Lovelace', seats: 3, window: true, class: '1', extras: ['bike', 'skis'], meal: 'b' } } });

  for (const [button, action] of [['Decline', 'decline'], ['Dismiss', 'cancel']] as const) {
    await runTool(page, 'book', 'book');
    await asks.getByRole('button', { name: button }).click();
    await expect.poll(() => told(page, 'book')).toEqual({ result: { action } });
  }
  await runTool(page, 'confirm', 'confirm');
  await asks.getByRole('button', { name: 'Accept' }).click();
  await expect.poll(() => told(page, 'confirm')).toEqual({ result: { action: 'accept', content: {} } });
});

test('[F-149] a page of a server is shown with its host and address, opened by a press alone, and over when the server says so; a call that needs it says to be made again; without a window nothing of it is offered', async ({ launch, stop, folder, home }) => {
  travel(home);
  const { app, page } = await launch();
  const { opened } = await catchBrowser(app);
  const serverId = await openTravel(page);
  await runTool(page, 'capabilities', 'capabilities');
  await expect.poll(() => told(page, 'capabilities')).toMatchObject({ elicitation: { url: {} } });
  const address = 'https://pay.xn--bcher-kva.example/trip?number=42';
  await runTool(page, 'pay', 'pay');
  const asks = card(page);
  await expect(asks.getByRole('heading', { level: 3 })).toHaveText('travel wants you to open a page');
  await expect(asks).toContainText('Please pay for the trip.');
  await expect(asks.getByText('pay.xn--bcher-kva.example', { exact: true })).toBeVisible();
  await expect(asks.getByText(address, { exact: true })).toBeVisible();
  const press = asks.getByRole('button', { name: 'Open in the browser' });
  await expect(press).toBeEnabled();
  await press.press('Enter');
  await expect(asks).toContainText('Enter opens nothing.');
  expect(await opened()).toEqual([]);
  await press.click();
  await expect.poll(() => told(page, 'pay')).toEqual({ result: { action: 'accept' } });
  expect(await opened()).toEqual([address]);
  const note = page.getByRole('region', { name: 'Page of travel' });
  await expect(note).toContainText('is open in your browser for travel');
  await runTool(page, 'other paid', 'other_paid');
  await expect(note).toBeVisible();
  await give(page, 'dialogue.answer', { id: (await appState(page)).elicitations[0]?.id, action: 'cancel' });
  await expect(note).toBeHidden();

  // The call fails until the page was visited.
  await runTool(page, 'ticket', 'ticket');
  await expect.poll(() => told(page, 'ticket')).toMatchObject({ kind: 'failed', code: 'elicitation/url-required' });
  await expect(asks).toContainText('Once you have finished there, ticket has to be called again.');
  await press.click();
  await expect(note).toContainText('ticket has to be called again');
  expect(await opened()).toEqual([address, address]);
  await runTool(page, 'paid', 'paid');
  await expect(note).toBeHidden();
  await runTool(page, 'ticket', 'ticket');
  await expect.poll(() => told(page, 'ticket')).toBe('ticket');

  await runTool(page, 'pay', 'pay');
  await asks.getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => told(page, 'pay')).toEqual({ result: { action: 'decline' } });
  // Only https, and http on this machine, is ever shown.
  const tool = await give<{ readonly ref: object }>(page, 'catalog.tool', { serverId, tool: 'ask' });
  const [{ id: chatId } = { id: '' }] = (await appState(page)).chats;
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'vscode://open', 'https://you@shop.example/']) {
    await give(page, 'chats.call-tool', { chatId, ref: tool.ref, args: { params: { mode: 'url', message: 'Look', url, elicitationId: 'x' } } });
    await expect.poll(() => told(page, 'ask')).toMatchObject({ error: { code: -32602 } });
  }
  expect(await opened()).toHaveLength(2);

  await give(page, 'settings.update', { approvals: 'unrestricted' });
  await stop();
  const said = await capabilitiesAtTerminal(folder);
  expect(said).toContain('succeeded');
  expect(said).not.toContain('elicitation');
});

test('questions of servers stand on the Approvals page too, fit a narrow window, and are legible to assistive technology', async ({ launch, home }) => {
  travel(home);
  const { app, page } = await launch();
  await openTravel(page);
  await runTool(page, 'book', 'book');
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(800, 700));
  await expect(card(page).getByRole('button', { name: 'Continue' })).toBeVisible();
  await pageLink(page, 'Approvals').click();
  await expect(page.getByRole('heading', { name: 'Questions of servers' })).toBeVisible();
  await card(page).getByRole('textbox', { name: 'Full name' }).waitFor();
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(sideways).toBe(false);
  await card(page).getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByText('Nothing waits for you')).toBeVisible();
});
