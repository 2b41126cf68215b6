import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { startModelServer, type ModelReply, type ModelServer } from '../support/model-server.ts';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import { activity, conversation, lastChat, newChat, page as pageLink, question, send, testServer, useModel } from './person.ts';

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object', properties: { amount: { type: 'integer', description: 'How much of it' } } } });
const orchard = [tool('pick_plums', 'Picks plums'), tool('pick_pears', 'Picks pears'), tool('prune_trees', 'Prunes trees')];
const press = Array.from({ length: 200 }, (_, at) => tool(`press_${String(at).padStart(3, '0')}`, `Presses apples in the way that number ${at} wants`));

/** Servers that offer tools of these names, connected. */
async function offer(page: Page, folder: string, servers: Readonly<Record<string, readonly object[]>>): Promise<void> {
  for (const [name, tools] of Object.entries(servers)) {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ tools }));
    await give(page, 'servers.add', { name, transport: { type: 'stdio', command: process.execPath, args: [testServer('shelf.mjs'), file], env: {} } });
    await expect.poll(async () => Object.values((await appState(page)).servers).find(({ definition }) => definition.name === name)?.counts?.tools).toBe(tools.length);
  }
}

/** A model that answers with these in turn, whatever it is told. */
async function inTurn(...replies: readonly ModelReply[]): Promise<ModelServer> {
  const server = await startModelServer();
  for (const [at, reply] of replies.entries()) server.on({ predicate: ({ messages }) => messages.filter(({ role }) => role === 'assistant').length === at }, reply);
  return server;
}
const offeredAt = (server: ModelServer, at: number): readonly string[] =>
  (server.requests()[at]?.body as { readonly tools?: readonly { readonly function: { readonly name: string } }[] } | undefined)?.tools?.map((one) => one.function.name) ?? []; // Chat Completions
const resize = (app: ElectronApplication, width: number, height: number) => app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size), [width, height] as const);

/** The first script of an app makes its sandbox ready. */
const slow = { timeout: 40_000 };
const script = (code: string): ModelReply => ({ calls: [{ name: 'mcp_script', args: { code } }] });

test('a search shows what it loaded, the gateway what it called, a script its calls, its steps and the line where it failed', async ({ app, page, folder }, info) => {
  test.slow();
  await offer(page, folder, { orchard, press });
  await using server = await inTurn(
    { text: 'I look for a tool.', calls: [{ name: 'mcp_search', args: { query: 'pick plums' } }] },
    { calls: [{ name: 'mcp', args: { action: 'call', tool: 'pick_pears', args: { amount: 2 } } }, { name: 'mcp', args: { action: 'resources', server: 'orchard' } }] },
    script("const found = await tools.search({ query: 'plums' });\nfor (let at = 0; at < 12; at += 1) await tools.call('mcp_orchard_pick_plums', { amount: at });\nconsole.warn('all picked');\nreturn found.total;"),
    script("const one = await tools.call('mcp_orchard_pick_plums', { amount: 1 });\nthrow new Error('the basket is full');\nreturn one;"),
    { text: 'All is picked.' },
  );
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { directTools: false, approvals: 'unrestricted' });
  await send(page, 'Pick what there is');
  const log = conversation(page);
  await expect(log).toContainText('All is picked.', slow);
  await expect.poll(() => activity(page)).toBe('idle');

  await expect(log.getByRole('list', { name: 'Loaded tools' }).getByRole('listitem').first()).toContainText('pick_plumsorchard');
  await expect(log.getByRole('button', { name: /Looked for tools pick plums · \d loaded/ })).toBeVisible();
  await expect(log.getByRole('button', { name: /pick_pears orchard amount: 2/ })).toBeVisible();
  await expect(log.getByRole('button', { name: /Asked for resources of orchard/ })).toBeVisible();

  await look(page, info, 'search');
  await log.getByRole('button', { name: 'Show all 12 calls' }).click();
  await expect(log.getByRole('button', { name: /pick_plums orchard amount: \d+/ })).toHaveCount(13);
  await log.getByRole('button', { name: /Script 12 calls/ }).click();
  await expect(log.getByRole('region', { name: 'Whole text' }).or(log.getByText('[warn] all picked'))).toBeVisible();
  await log.getByRole('button', { name: 'All steps' }).click();
  await expect(log.getByRole('listitem').filter({ hasText: 'Search' })).toContainText('plums');
  await log.getByRole('button', { name: /Script 1 call Stopped in line 2: .*the basket is full/ }).click();
  await expect(log).toContainText('The script stopped in line 2.');
  await log.getByRole('button', { name: 'Code', exact: true }).last().click();
  await expect(log.locator('.bg-bad-soft').getByText('throw')).toBeVisible();
  await look(page, info, 'failed');
  await resize(app, 800, 600);
  await look(page, info, 'narrow');

  await resize(app, 1280, 800);
  const meter = page.getByRole('button', { name: /^≈ [\d,]+ tokens of tools · ≈ [\d,]+ saved$/ });
  await meter.click();
  const { cost } = await lastChat(page);
  expect(cost.requests).toBe(5);
  await expect(page.getByRole('row', { name: /^Requests/ })).toContainText('55');
  await expect(page.getByRole('row', { name: /^A host that sends every tool/ })).toContainText(cost.plainHost.toLocaleString('en-US'));
  await look(page, info, 'cost');
});

test('what a chat may use is chosen before its first word and later, binds what the model finds and calls, and stays', async ({ app, page, folder, relaunch }, info) => {
  test.slow();
  await offer(page, folder, { orchard, press });
  await using server = await inTurn(
    { calls: [{ name: 'mcp_search', args: { query: 'pick' } }, { name: 'mcp', args: { action: 'call', tool: 'pick_plums', args: {} } }] },
    { text: 'There is none.' },
    { calls: [{ name: 'mcp_search', args: { query: 'plums' } }] },
    { calls: [{ name: 'mcp_orchard_pick_plums', args: { amount: 3 } }] },
    { text: 'Picked.' },
  );
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { directTools: false, approvals: 'unrestricted' });
  const button = page.getByRole('button', { name: /^Tools of this chat:/ });
  await expect(button).toHaveText(/All tools$/);
  await button.click();
  const panel = page.getByRole('dialog', { name: 'Tools of this chat' });
  await panel.getByRole('button', { name: /^Connected orchard/ }).click();
  await panel.getByRole('checkbox', { name: 'pick_plums' }).click();
  await expect(panel.getByRole('status')).toHaveText('202 of 203 tools');
  await look(page, info, 'choice-open');
  await page.keyboard.press('Escape');
  await expect(button).toHaveText(/202 of 203 tools$/);
  await send(page, 'Pick plums');
  await expect(conversation(page)).toContainText('There is none.');
  await expect(conversation(page).getByRole('button', { name: /pick_plums “pick_plums” is switched off for this chat/ })).toBeVisible();
  expect(await lastChat(page)).toMatchObject({ tools: { serversOff: [], toolsOff: [{ tool: 'pick_plums' }] } });
  const first = JSON.stringify(server.requests()[1]?.body);
  expect(first).toContain('pick_pears');
  expect(offeredAt(server, 1)).not.toContain('mcp_orchard_pick_plums');
  expect(Object.values((await lastChat(page)).calls).filter(({ call }) => call.serverName === 'orchard')).toEqual([]);

  await button.click();
  await panel.getByRole('textbox', { name: 'Find a tool for this chat' }).fill('plums');
  await panel.getByRole('checkbox', { name: /^pick_plums/ }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(button).toHaveText(/All tools$/);
  await send(page, 'Pick plums now');
  await expect(conversation(page)).toContainText('Picked.');
  expect(offeredAt(server, 3)).toContain('mcp_orchard_pick_plums');

  await resize(app, 800, 600);
  await button.click();
  await panel.getByRole('switch', { name: 'Use press in this chat' }).click();
  await panel.getByRole('button', { name: /^Loaded in this chat/ }).click();
  await expect(panel.getByRole('list', { name: 'Loaded tools' })).toContainText('pick_plums');
  await look(page, info, 'choice-narrow');
  await page.keyboard.press('Escape');
  await expect(button).toHaveText(/3 of 203 tools$/);
  await newChat(page);
  await expect(button).toHaveText(/All tools$/);
  await resize(app, 1280, 800);

  const { page: again } = await relaunch();
  await again.getByRole('link', { name: /Pick plums/ }).click();
  await expect(again.getByRole('button', { name: /^Tools of this chat:/ })).toHaveText(/3 of 203 tools$/);
  await again.getByRole('button', { name: /^Tools of this chat:/ }).click();
  await expect(again.getByRole('dialog', { name: 'Tools of this chat' }).getByRole('button', { name: /orchard/ })).toContainText('cached, not connected');
});

test('a script that needs the person says so where it runs, and goes on with the answer', async ({ page, folder }, info) => {
  await offer(page, folder, { orchard });
  await using server = await inTurn(script("const one = await tools.call('mcp_orchard_pick_plums', { amount: 1 });\nreturn one.ok;"), { text: 'It ran.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Pick plums in a script');
  const log = conversation(page);
  await expect(question(page)).toContainText('pick_plums', slow);
  await expect(log.getByRole('button', { name: /Waiting for you Script 1 call Waits for you/ })).toBeVisible();
  await look(page, info, 'script-waits');
  await question(page).getByRole('button', { name: 'Allow once', exact: true }).click();
  await expect(log).toContainText('It ran.', slow);
  await expect(log.getByRole('button', { name: /^Done Script 1 call/ })).toBeVisible();

  await pageLink(page, 'Settings').click();
  await page.getByRole('link', { name: 'Models' }).click();
  await page.getByRole('textbox', { name: 'Seconds for a script' }).fill('');
  await page.getByRole('textbox', { name: 'Seconds for a script' }).press('Enter');
  await expect.poll(async () => (await appState(page)).settings.scriptTimeoutMs).toBe(null);
  await look(page, info, 'settings');
  await page.getByRole('switch', { name: 'Let models write scripts' }).click();
  await expect(page.getByRole('textbox', { name: 'Seconds for a script' })).toBeHidden();
  expect((await appState(page)).settings.scriptMode).toBe(false);
});
