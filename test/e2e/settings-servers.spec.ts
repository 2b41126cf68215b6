import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { appState, give } from './bridge.ts';
import { waitForApproval } from './busy.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink, testServer } from './person.ts';

type Entry = Readonly<Record<string, unknown>>;
const node = process.execPath;
const callsServer: Entry = { command: node, args: [testServer('calls.mjs')] };
const put = (file: string, servers: Readonly<Record<string, Entry>>, more: Entry = {}): void =>
  writeFileSync(file, `${JSON.stringify({ ...more, mcpServers: servers }, undefined, 2)}\n`, { mode: 0o600 });
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { readonly mcpEnabled?: boolean; readonly mcpServers?: Readonly<Record<string, Entry>> }; // this test's own file

/** A project with MCP files of its own, open and trusted. */
async function openProject(page: Page, folder: string, servers: Readonly<Record<string, Entry>>): Promise<string> {
  const project = join(folder, 'atlas');
  mkdirSync(join(project, '.gatehouse'), { recursive: true });
  const file = join(project, '.gatehouse', 'mcp.json');
  if (Object.keys(servers).length > 0) put(file, servers);
  await give(page, 'settings.open-project', { folder: project });
  const { trust } = await appState(page);
  if (trust.phase === 'ask') await give(page, 'projects.trust', { project: trust.question.project, digest: trust.question.digest });
  await expect.poll(async () => (await appState(page)).trust.phase).not.toBe('ask');
  return file;
}

async function section(page: Page, name: 'Global servers' | 'Project servers'): Promise<Locator> {
  await pageLink(page, 'Settings').click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: new RegExp(`^${name}`) }).click();
  const list = page.getByRole('region', { name }).getByRole('list', { name });
  await expect(list).toBeAttached();
  return list;
}
const row = (list: Locator, name: string): Locator => list.getByRole('listitem').filter({ has: list.page().getByRole('button', { name: `More for ${name}`, exact: true }) });
const bar = (page: Page): Locator => page.getByRole('group', { name: 'Changes' });
async function menu(list: Locator, name: string, item: string): Promise<void> {
  await list.getByRole('button', { name: `More for ${name}`, exact: true }).click();
  await list.page().getByRole('menuitem', { name: item, exact: true }).click();
}
async function review(page: Page): Promise<Locator> {
  await bar(page).getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: 'What will be written' })).toBeVisible();
  return dialog;
}
async function save(page: Page): Promise<void> {
  const dialog = await review(page);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
}
const stateOf = async (page: Page, name: string) => Object.values((await appState(page)).servers).find((one) => one.definition.name === name);

test('[U-50] the Global and the Project page show a scope each, and their switch changes the draft of that scope', async ({ launch, home, folder }) => {
  put(join(home, 'mcp.json'), { docs: callsServer });
  const { page } = await launch();
  const project = await openProject(page, folder, { local: callsServer });
  const file = join(home, 'mcp.json');
  const before = readFileSync(file, 'utf8');

  const global = await section(page, 'Global servers');
  await expect(row(global, 'docs')).toBeVisible();
  await expect(row(global, 'local')).toHaveCount(0);
  await page.getByRole('switch', { name: 'Global servers are on' }).click();
  await expect(bar(page)).toContainText('1 change');

  const own = await section(page, 'Project servers');
  await expect(row(own, 'local')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Servers are on in this project' })).toBeChecked();
  await expect(bar(page)).toHaveCount(0);
  expect(readFileSync(file, 'utf8')).toBe(before);
  await expect(page.getByRole('link', { name: /^Global servers.*not saved/ })).toBeVisible();

  await section(page, 'Global servers');
  await expect(page.getByRole('switch', { name: 'Global servers are on' })).not.toBeChecked();
  await save(page);
  expect(read(file).mcpEnabled).toBe(false);
  await expect.poll(async () => (await stateOf(page, 'docs'))?.definition.enabled).toBe(false);
  expect(read(project)).toEqual({ mcpServers: { local: callsServer } });
});

test('[U-51] the editor asks only for the fields of the transport, and HTTP is saved as streamable-http', async ({ page, home }) => {
  await section(page, 'Global servers');
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const form = page.getByRole('form', { name: 'Add a server' });
  const fields = async (kind: string) => {
    await form.getByRole('radio', { name: kind, exact: true }).click();
    const shown: string[] = [];
    for (const label of ['Command', 'Working folder', 'Variables from a file', 'Address', 'Socket']) {
      if (await form.getByRole('textbox', { name: label, exact: true }).isVisible()) shown.push(label);
    }
    for (const group of ['Arguments', 'Environment', 'Headers']) if (await form.getByRole('group', { name: group }).isVisible()) shown.push(group);
    return shown;
  };
  expect(await fields('Command')).toEqual(['Command', 'Working folder', 'Variables from a file', 'Arguments', 'Environment']);
  expect(await fields('Socket')).toEqual(['Socket']);
  expect(await fields('SSE')).toEqual(['Address', 'Headers']);
  expect(await fields('HTTP')).toEqual(['Address', 'Headers']);
  await form.getByRole('textbox', { name: 'Address', exact: true }).fill('https://docs.example.com/mcp');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('docs');
  await form.getByRole('button', { name: 'Add to the draft' }).click();
  await expect(bar(page)).toContainText('1 change');
  expect(existsSync(join(home, 'mcp.json'))).toBe(false);
  await save(page);
  expect(read(join(home, 'mcp.json')).mcpServers).toEqual({ docs: { type: 'streamable-http', url: 'https://docs.example.com/mcp' } });
});

test('[U-52] a value is bound to a secret that exists or becomes a new one, and what is written has references only', async ({ page, home }) => {
  await give(page, 'vault.open');
  await give(page, 'secrets.put', { scope: 'global', key: 'shared.token', value: 'canary-7d1e-existing' });
  await section(page, 'Global servers');
  await page.getByRole('button', { name: 'Add server' }).first().click();
  const form = page.getByRole('form', { name: 'Add a server' });
  await form.getByRole('textbox', { name: 'Command', exact: true }).fill('true');
  for (const [at, name] of ['API_KEY', 'OTHER_TOKEN'].entries()) {
    await form.getByRole('button', { name: 'Add a variable' }).click();
    await form.getByRole('textbox', { name: 'Name', exact: true }).nth(at + 1).fill(name);
  }
  await form.getByLabel('Value of API_KEY').fill('canary-7d1e-fresh');
  await form.getByRole('button', { name: /^How OTHER_TOKEN is kept/ }).click();
  await page.getByRole('menuitemradio', { name: 'A secret in the vault' }).click();
  await form.getByRole('combobox', { name: 'Secret for OTHER_TOKEN' }).click();
  await page.getByRole('option', { name: /shared\.token/ }).click();
  await form.getByRole('textbox', { name: 'Name', exact: true }).first().fill('docs');
  await form.getByRole('button', { name: 'Add to the draft' }).click();
  const dialog = await review(page);
  await expect(dialog).toContainText('mcp.docs.env.API_KEY');
  await expect(dialog).toContainText('shared.token');
  await expect(page.locator('body')).not.toContainText('canary-7d1e');
  expect(((await give<{ readonly key: string }[]>(page, 'secrets.list')).map(({ key }) => key))).toEqual(['shared.token']);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(dialog).toBeHidden();
  expect(read(join(home, 'mcp.json')).mcpServers?.['docs']).toMatchObject({
    env: { API_KEY: { secretRef: 'mcp.docs.env.API_KEY', scope: 'global' }, OTHER_TOKEN: { secretRef: 'shared.token', scope: 'global' } },
  });
  expect(() => execFileSync('grep', ['-r', '-l', 'canary-7d1e', home])).toThrow();
});

test('[U-53] a row says its transport, what became of it, and that it is not tested', async ({ launch, home, folder }) => {
  put(join(home, 'mcp.json'), { plain: callsServer, off: { ...callsServer, disabled: true }, changed: callsServer, remote: { url: 'http://127.0.0.1:9/mcp' } });
  const { page } = await launch();
  await openProject(page, folder, { mine: { socket: '/run/none.sock' }, changed: { args: [testServer('calls.mjs'), '--silent'] } });
  const global = await section(page, 'Global servers');
  await expect(row(global, 'plain')).toContainText(/Command.*Configured/);
  await expect(row(global, 'remote')).toContainText(/HTTP.*Configured/);
  await expect(row(global, 'off')).toContainText(/Command.*Disabled/);
  const own = await section(page, 'Project servers');
  await expect(row(own, 'plain')).toContainText(/Command.*Inherited/);
  await expect(row(own, 'off')).toContainText(/Command.*Disabled globally/);
  await expect(row(own, 'changed')).toContainText(/Command.*Overridden/);
  await expect(row(own, 'mine')).toContainText(/Socket.*Project only/);
  for (const name of ['plain', 'off', 'changed', 'mine']) await expect(row(own, name).getByRole('status')).toContainText('Not tested');
  // Where it comes from, field by field.
  await own.getByRole('button', { name: 'Where changed comes from' }).click();
  const chain = page.getByRole('dialog');
  await expect(chain.getByRole('row', { name: /^arguments/ })).toContainText('.gatehouse/mcp.json:');
  await expect(chain.getByRole('row', { name: /^arguments/ })).toContainText('instead of mcp.json');
});

test('[U-54] Override copies an inherited server into the project, and Disable adds an entry there that switches it off', async ({ launch, home, folder }) => {
  put(join(home, 'mcp.json'), { docs: { ...callsServer, env: { MODE: 'fast' } }, other: callsServer });
  const { page } = await launch();
  const file = await openProject(page, folder, { local: callsServer });
  const own = await section(page, 'Project servers');
  await menu(own, 'docs', 'Override for this project…');
  const form = page.getByRole('form', { name: 'Edit docs' });
  await expect(form.getByRole('textbox', { name: 'Command', exact: true })).toHaveValue(node);
  await form.getByLabel('Value of MODE').fill('slow');
  await form.getByRole('button', { name: 'Keep in the draft' }).click();
  await row(own, 'other').getByRole('switch').click();
  await expect(row(own, 'other')).toContainText('Switched off');
  await expect(bar(page)).toContainText('2 changes');
  await save(page);
  expect(read(file).mcpServers).toMatchObject({
    local: callsServer, docs: { command: node, args: [testServer('calls.mjs')], env: { MODE: { plain: 'slow' } } }, other: { disabled: true },
  });
  expect(read(file).mcpServers?.['other']).toEqual({ disabled: true });
  await expect(row(own, 'docs')).toContainText('Overridden');
  await expect(row(own, 'other')).toContainText('Disabled here');
  expect(read(join(home, 'mcp.json')).mcpServers).toEqual({ docs: { ...callsServer, env: { MODE: 'fast' } }, other: callsServer });
});

test('[U-55] Test shows that it is testing, then the status and its message', async ({ launch, home, folder }) => {
  const gate = join(folder, 'gate');
  const slow = join(folder, 'slow.mjs');
  writeFileSync(slow, `import { existsSync } from 'node:fs';\nwhile (!existsSync(${JSON.stringify(gate)})) await new Promise((next) => setTimeout(next, 25));\nawait import(${JSON.stringify(testServer('calls.mjs'))});\n`);
  const port = await unusedPort();
  put(join(home, 'mcp.json'), { slow: { command: node, args: [slow] }, gone: { url: `http://127.0.0.1:${port}/mcp` }, wrong: { command: '/nowhere/at-all' } });
  const { page } = await launch();
  const list = await section(page, 'Global servers');
  const status = (name: string) => row(list, name).getByRole('status');
  await row(list, 'slow').getByRole('button', { name: 'Test slow' }).click();
  await expect(status('slow')).toContainText('Testing…');
  writeFileSync(gate, '');
  await expect(status('slow')).toContainText(/Valid, \d+ tools/);
  await row(list, 'gone').getByRole('button', { name: 'Test gone' }).click();
  await expect(status('gone')).toContainText('Unreachable');
  await expect(row(list, 'gone')).toContainText(/refused|cannot connect|nothing/i);
  await row(list, 'wrong').getByRole('button', { name: 'Test wrong' }).click();
  await expect(status('wrong')).toContainText('Error');
  await expect(row(list, 'wrong')).toContainText('/nowhere/at-all');
});

test('[U-59] nothing takes effect before Save; a run that goes on keeps its servers, the next one has the new', async ({ launch, home }) => {
  put(join(home, 'mcp.json'), { docs: callsServer });
  const { page } = await launch();
  await using _model = await waitForApproval(page);
  const file = join(home, 'mcp.json');
  const args = async () => {
    const transport = (await stateOf(page, 'docs'))?.definition.transport;
    return transport?.type === 'stdio' ? transport.args : undefined;
  };
  const list = await section(page, 'Global servers');
  await menu(list, 'docs', 'Edit…');
  const form = page.getByRole('form', { name: 'Edit docs' });
  await form.getByRole('button', { name: 'Add an argument' }).click();
  await form.getByRole('textbox', { name: 'Argument 2' }).fill('--silent');
  await form.getByRole('button', { name: 'Keep in the draft' }).click();
  await expect(row(list, 'docs')).toContainText('Changed');
  expect(read(file).mcpServers?.['docs']).toEqual(callsServer);
  expect(await args()).toEqual([testServer('calls.mjs')]);

  await save(page);
  expect(read(file).mcpServers?.['docs']).toMatchObject({ args: [testServer('calls.mjs'), '--silent'] });
  await expect.poll(async () => (await stateOf(page, 'docs'))?.pending).toBe(true);
  expect(await args()).toEqual([testServer('calls.mjs')]);
  await pageLink(page, 'Servers').click();
  await expect(page.getByRole('listitem').filter({ hasText: 'docs' })).toContainText('The change holds from the next run on');
  const [approval] = (await appState(page)).approvals;
  await give(page, 'approvals.answer', { approvalId: approval?.id, answer: { decision: 'deny' } });
  await expect.poll(async () => (await appState(page)).chats[0]?.activity).toBe('idle');
  await expect.poll(args).toEqual([testServer('calls.mjs'), '--silent']);
  await expect.poll(async () => (await stateOf(page, 'docs'))?.pending).toBeUndefined();
});

test('a change that was made on disk meanwhile is not written over: that entry is looked at again, other changes stay', async ({ launch, home }) => {
  const file = join(home, 'mcp.json');
  put(file, { docs: callsServer, other: callsServer });
  const { page } = await launch();
  const list = await section(page, 'Global servers');
  await row(list, 'docs').getByRole('switch').click();
  await row(list, 'other').getByRole('switch').click();
  await expect(bar(page)).toContainText('2 changes');
  put(file, { docs: { ...callsServer, args: ['elsewhere.mjs'] }, other: callsServer });
  await expect(row(list, 'docs')).toContainText('The file says something else of it now');
  await bar(page).getByRole('button', { name: 'Review…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('“docs” was changed in the file meanwhile');
  await dialog.getByRole('button', { name: 'Look again' }).click();
  await expect(bar(page)).toContainText('1 change');
  await expect(row(list, 'docs')).toContainText('elsewhere.mjs');
  await save(page);
  expect(read(file).mcpServers).toEqual({ docs: { ...callsServer, args: ['elsewhere.mjs'] }, other: { ...callsServer, disabled: true } });
});

test('a draft is kept while one is elsewhere, let go with one press, and taken back with another', async ({ launch, home }) => {
  put(join(home, 'mcp.json'), { docs: callsServer });
  const { page } = await launch();
  const list = await section(page, 'Global servers');
  await menu(list, 'docs', 'Remove');
  await expect(row(list, 'docs')).toContainText('Removed');
  await pageLink(page, 'Tools').click();
  await section(page, 'Global servers');
  await expect(bar(page)).toContainText('1 change');
  await bar(page).getByRole('button', { name: 'Discard' }).click();
  await expect(row(list, 'docs')).not.toContainText('Removed');
  await bar(page).getByRole('button', { name: 'Take back' }).click();
  await expect(row(list, 'docs')).toContainText('Removed');
  await save(page);
  expect(read(join(home, 'mcp.json')).mcpServers).toEqual({});
});

test('five hundred servers are a list of which only what is in sight is in the document', async ({ launch, home }) => {
  put(join(home, 'mcp.json'), Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`server-${at}`, { command: 'true', args: [String(at)], disabled: true }])));
  const { page } = await launch();
  const list = await section(page, 'Global servers');
  await expect(row(list, 'server-0')).toBeVisible();
  expect(await list.getByRole('listitem').count()).toBeLessThanOrEqual(60);
  await page.getByRole('textbox', { name: 'Find a server' }).fill('server-499');
  await expect(list.getByRole('listitem')).toHaveCount(1);
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
