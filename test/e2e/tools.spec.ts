import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink, testServer } from './person.ts';

const tool = (name: string, more: object = {}) => ({ name, description: `Does ${name.replaceAll('_', ' ')}`, inputSchema: { type: 'object', properties: { amount: { type: 'integer', description: 'How much of it' } } }, ...more });
const shelf = (file: string) => ({ command: process.execPath, args: [testServer('shelf.mjs'), file] });
/** Servers by name, each offering what it is given. */
function offer(folder: string, home: string, servers: Readonly<Record<string, { readonly tools: readonly object[]; readonly more?: object }>>): string {
  const entries = Object.entries(servers).map(([name, { tools, more }]) => {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify({ tools }));
    return [name, { ...shelf(file), ...more }];
  });
  writeFileSync(join(home, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
  return join(home, 'mcp.json');
}
const idOf = async (page: Page, name: string) => Object.values((await appState(page)).servers).find(({ definition }) => definition.name === name)?.definition.id;
async function connect(page: Page, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const serverId = await idOf(page, name);
    await give(page, 'servers.start', { serverId });
    await expect.poll(async () => Object.values((await appState(page)).servers).find(({ definition }) => definition.name === name)?.catalog?.from).toBe('live');
  }
}
const entry = (file: string, name: string): object => (JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: Record<string, object> }).mcpServers[name] ?? {}; // as the test and the app write it
const list = (page: Page): Locator => page.getByRole('list', { name: 'Tools' });
const line = (page: Page, name: string): Locator => list(page).getByRole('listitem').filter({ has: page.getByRole('button', { name: new RegExp(`^${name}`) }) });
const head = (page: Page, name: string): Locator => list(page).getByRole('listitem').filter({ has: page.getByRole('button', { name, exact: true }) });

test('tools are pinned and hidden on their page, one and many, and the files say so', async ({ launch, folder, home }) => {
  const file = offer(folder, home, { orchard: { tools: [tool('pick_plums'), tool('pick_pears'), tool('prune_trees'), { name: 'no_schema' }] }, press: { tools: [tool('press_apples')] } });
  const { page } = await launch();
  await connect(page, 'orchard', 'press');
  await pageLink(page, 'Tools').click();
  await expect(head(page, 'orchard')).toContainText(/Connected.*4 tools/);
  await line(page, 'pick_plums').hover();
  await line(page, 'pick_plums').getByRole('button', { name: 'Pin pick_plums' }).click();
  await expect(line(page, 'pick_plums')).toContainText('Pinned');
  expect(entry(file, 'orchard')).toMatchObject({ directTools: ['pick_plums'] });
  await line(page, 'pick_pears').hover();
  await line(page, 'pick_pears').getByRole('button', { name: 'Hide pick_pears' }).click();
  await expect(line(page, 'pick_pears')).toContainText('Hidden');
  expect(entry(file, 'orchard')).toMatchObject({ excludeTools: ['pick_pears'] });
  await expect(head(page, 'orchard')).toContainText(/3 tools · 1 pinned · 1 hidden/);
  expect((await give<{ tools: readonly object[] }>(page, 'catalog.page', {})).tools).toHaveLength(3);

  for (const name of ['prune_trees', 'press_apples']) await line(page, name).getByRole('checkbox').click();
  const bar = page.getByRole('toolbar', { name: 'Chosen tools' });
  await expect(bar).toContainText('2 tools chosen');
  await bar.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(line(page, 'press_apples')).toContainText('Pinned');
  expect([entry(file, 'orchard'), entry(file, 'press')]).toMatchObject([{ directTools: ['pick_plums', 'prune_trees'] }, { directTools: ['press_apples'] }]);
  await bar.getByRole('button', { name: 'Choose none' }).click();

  await page.getByRole('radio', { name: /^Pinned/ }).click();
  await expect(list(page).getByRole('heading', { level: 4 })).toHaveCount(3);
  await page.getByRole('radio', { name: /^Hidden/ }).click();
  await line(page, 'pick_pears').getByRole('button', { name: 'Show pick_pears again' }).click();
  await expect(page.getByText('No hidden tool')).toBeVisible();
  expect(entry(file, 'orchard')).not.toHaveProperty('excludeTools');
  await page.getByRole('radio', { name: /^Problems/ }).click();
  await expect(line(page, 'no_schema')).toContainText('Cannot be used');
  await page.getByRole('radio', { name: 'All' }).click();
  await line(page, 'press_apples').getByRole('button', { name: /^press_apples/ }).click();
  await expect(list(page).getByText('How much of it')).toBeVisible();
  await expect(list(page).getByText('mcp_press_press_apples')).toBeVisible();
  await page.getByRole('button', { name: 'More for press' }).click();
  await page.getByRole('menuitemradio', { name: 'press_tool', exact: true }).click();
  await expect(list(page).getByText('press_press_apples', { exact: true })).toBeVisible();
  expect(entry(file, 'press')).toMatchObject({ toolPrefix: 'server' });
});

test('what servers listed before a new start is there, is said to be of then, and is searched; who was never seen says so', async ({ launch, relaunch, folder, home }) => {
  offer(folder, home, { orchard: { tools: [tool('pick_plums'), tool('pick_pears')], more: { excludeTools: ['*_pears'] } }, press: { tools: [tool('press_apples')] }, broken: { tools: [] } });
  const { page } = await launch();
  await connect(page, 'orchard');
  const { page: second } = await relaunch();
  await pageLink(second, 'Tools').click();
  await expect(head(second, 'orchard')).toContainText(/Sleeping.*1 tool · 1 hidden.*cached just now/);
  await expect(head(second, 'press')).toContainText('not seen yet');
  await expect(line(second, 'pick_plums')).toBeVisible();
  await second.getByRole('textbox', { name: 'Find a tool' }).fill('pears');
  await expect(line(second, 'pick_pears')).toContainText(/Hidden.*orchard/);
  await second.getByRole('textbox', { name: 'Find a tool' }).fill('');
  await head(second, 'press').getByRole('button', { name: 'Look now' }).click();
  await expect(line(second, 'press_apples')).toBeVisible();
  await expect(head(second, 'press')).toContainText('Connected');

  // What a pattern hides is shown again only by whoever edits the pattern: no press says what it should be for later tools.
  await expect(line(second, 'pick_pears').getByRole('button', { name: 'Show pick_pears again' })).toBeHidden();
  await line(second, 'pick_pears').getByRole('button', { name: /^pick_pears/ }).click();
  await expect(line(second, 'pick_pears')).toContainText('A pattern of its server’s excluded tools hides it: *_pears.');
  await line(second, 'pick_pears').getByRole('link', { name: 'Edit the patterns' }).click();
  await expect(second.getByRole('textbox', { name: 'Not these tools' })).toHaveValue('*_pears');
});

test('two thousand tools scroll, fold and are found; the page is legible to assistive technology', async ({ launch, folder, home }) => {
  const servers = Array.from({ length: 4 }, (_, server) => [`server-${server}`, { tools: Array.from({ length: 500 }, (_, at) => tool(`do_thing_${server}_${at}`)) }] as const);
  offer(folder, home, Object.fromEntries(servers));
  const { page } = await launch();
  await connect(page, ...servers.map(([name]) => name));
  await pageLink(page, 'Tools').click();
  await expect(page.getByText('2,000 tools of 4 servers')).toBeVisible();
  await page.getByRole('button', { name: 'Fold all' }).click();
  await expect(head(page, 'server-3')).toBeVisible();
  await head(page, 'server-3').getByRole('button', { name: 'server-3', exact: true }).click();
  await expect(line(page, 'do_thing_3_0')).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
  await page.getByRole('textbox', { name: 'Find a tool' }).fill('do_thing_2_123');
  await expect(list(page).getByRole('listitem').first()).toContainText('do_thing_2_123');
});
