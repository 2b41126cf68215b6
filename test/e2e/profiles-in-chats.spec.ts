import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import { startModelServer, type ModelReply, type ModelServer } from '../support/model-server.ts';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import { activity, addServer, composer, conversation, lastChat, newChat, page as pageLink, question, send, testServer, useModel } from './person.ts';

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
};
const fileOf = (home: string, name: string): string => join(home, 'profiles', `${name}.toml`);
const tool = (name: string) => ({ name, description: `Does what ${name} says`, inputSchema: { type: 'object', properties: { amount: { type: 'integer' } } } });

/** `[mcp_servers.name]` of one that offers these tools. */
function serverTable(folder: string, name: string, tools: readonly string[]): string {
  const file = join(folder, `${name}.json`);
  write(file, JSON.stringify({ tools: tools.map(tool) }));
  return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([testServer('shelf.mjs'), file])}\n`;
}
/** A profile with a server of its own that offers these tools, and perhaps more. */
const writeProfile = (home: string, folder: string, name: string, tools: readonly string[], more = ''): void =>
  write(fileOf(home, name), `[meta]\ndescription = "All about ${name}"\n${serverTable(folder, 'orchard', tools)}${more}`);

/** A model that answers each message with these in turn, whatever it is told. */
async function inTurn(...replies: readonly ModelReply[]): Promise<ModelServer> {
  const server = await startModelServer();
  for (const [at, reply] of replies.entries()) server.on({ predicate: ({ messages }) => messages.filter(({ role }) => role === 'assistant').length === at }, reply);
  return server;
}
const offeredAt = (server: ModelServer, at: number): readonly string[] =>
  (server.requests()[at]?.body as { readonly tools?: readonly { readonly function: { readonly name: string } }[] } | undefined)?.tools?.map((one) => one.function.name) ?? []; // Chat Completions

/** The answer stands before the run is recorded as over: only then the next message goes. */
const noOverflow = async (page: Page) => expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
const sendNext = async (page: Page, text: string): Promise<void> => {
  await expect.poll(() => activity(page)).toBe('idle');
  await send(page, text);
};
const picker = (page: Page): Locator => page.getByRole('button', { name: /^Profile:/ });
const panel = (page: Page): Locator => page.getByRole('dialog', { name: 'Choose a profile' });
const choice = (page: Page, name: string): Locator => panel(page).getByRole('option').filter({ has: page.getByText(name, { exact: true }) });
const brought = (page: Page): Locator => conversation(page).getByRole('group', { name: 'What this run brought along' });
async function choose(page: Page, name: string): Promise<void> {
  await picker(page).click();
  await choice(page, name).click();
  await expect(panel(page)).toBeHidden();
}
const resize = (app: ElectronApplication, width: number, height: number) => app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size), [width, height] as const);

test('a profile that was chosen before the first word gives its servers to the runs of that chat alone, and the run says what it brought along', async ({ launch, home, folder }, info) => {
  test.slow();
  writeProfile(home, folder, 'research', ['pick_plums', 'pick_pears', 'prune_trees'], `${serverTable(folder, 'press', ['press_apples'])}[mcp_servers.gone]\ncommand = "no-such-program-at-all"\n`);
  await using server = await inTurn({ calls: [{ name: 'mcp_orchard_pick_plums', args: { amount: 3 } }] }, { text: 'Picked.' }, { text: 'Nothing to pick.' });
  const { app, page } = await launch();
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { approvals: 'unrestricted' });
  const own = await addServer(page, 'press', 'calls.mjs');

  await expect(picker(page)).toHaveText(/No profile$/);
  await picker(page).click();
  await expect(choice(page, 'research')).toContainText('All about research');
  await expect(choice(page, 'research')).toContainText('servers orchard, press, gone');
  await look(page, info, 'choice');
  await noOverflow(page);
  await page.keyboard.press('Escape');
  await expect(picker(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await panel(page).getByRole('combobox').press('ArrowDown');
  await panel(page).getByRole('combobox').press('Enter');
  await expect(panel(page)).toBeHidden();
  await expect(picker(page)).toHaveText(/research$/);
  await expect(composer(page)).toBeFocused();

  await send(page, 'Pick plums');
  await expect(conversation(page)).toContainText('Picked.');
  await expect.poll(() => activity(page)).toBe('idle');
  expect(await lastChat(page)).toMatchObject({ profile: 'research' });
  expect(offeredAt(server, 0)).toContain('mcp_orchard_pick_plums');
  expect(Object.values((await appState(page)).servers).map(({ definition }) => definition.name)).not.toContain('orchard');
  const line = brought(page).getByRole('button', { name: 'Profile research · 3 servers, 4 tools · 1 is not connected' });
  await expect(brought(page)).toContainText('gone is not connected:');
  await look(page, info, 'run');
  await noOverflow(page);
  await line.press('Enter');
  await expect(line).toHaveAttribute('aria-expanded', 'true');
  await expect(brought(page).getByRole('listitem').filter({ hasText: 'orchard' })).toContainText('3 tools');
  await expect(brought(page).getByRole('listitem').filter({ hasText: 'orchard' })).toContainText('shelf.mjs');
  const shadow = brought(page).getByRole('listitem').filter({ hasText: 'takes the place of your server of the same name' });
  await expect(shadow).toContainText('press');
  await expect(shadow.getByRole('link')).toHaveAttribute('href', `#/servers?server=${encodeURIComponent(own)}`);
  await look(page, info, 'run-open');
  await noOverflow(page);
  await resize(app, 800, 600);
  await look(page, info, 'run-open-narrow');
  await noOverflow(page);

  await composer(page).fill('/profile no');
  await expect(page.getByRole('listbox', { name: 'Commands' }).getByRole('option')).toHaveText(/^none/);
  await composer(page).press('Enter');
  await expect(picker(page)).toHaveText(/No profile$/);
  await sendNext(page, 'And now?');
  await expect(conversation(page)).toContainText('Nothing to pick.');
  expect(offeredAt(server, 2)).not.toContain('mcp_orchard_pick_plums');
  await expect(brought(page)).toHaveCount(1);
  await newChat(page);
  await expect(picker(page)).toHaveText(/No profile$/);
});

test('who has no profile does not meet the choice, but finds it in the palette; who has one types its name', async ({ page, home, folder }, info) => {
  await using server = await inTurn({ text: 'Hello.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await expect(picker(page)).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('choose a profile');
  await page.keyboard.press('Enter');
  await expect(panel(page)).toContainText('No profile of your own yet');
  await expect(panel(page).getByRole('button', { name: 'Make one in Settings…' })).toBeFocused();
  await look(page, info, 'none');
  await noOverflow(page);
  await page.keyboard.press('Escape');
  await expect(picker(page)).toHaveCount(0);
  await expect(composer(page)).toBeFocused();

  writeProfile(home, folder, 'my work', ['pick_plums']);
  await pageLink(page, 'Servers').click();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('choose a profile');
  await page.keyboard.press('Enter');
  await expect(choice(page, 'my work')).toBeVisible();
  await page.keyboard.press('Escape');
  await composer(page).fill('/pro');
  await composer(page).press('Enter');
  await expect(composer(page)).toHaveValue('/profile ');
  const commands = page.getByRole('listbox', { name: 'Commands' });
  await composer(page).pressSequentially('nobody');
  await expect(page.getByText('There is no profile of this name.')).toBeVisible();
  await composer(page).fill('/profile wo');
  await expect(commands.getByRole('option')).toHaveText(/^my workAll about my work/);
  await composer(page).press('Tab');
  await expect(composer(page)).toHaveValue('/profile my work');
  await composer(page).press('Enter');
  await expect(picker(page)).toHaveText(/my work$/);
  await expect(page.getByRole('status').filter({ hasText: 'Profile my work from the next run on' })).toBeAttached();
  expect(server.requests()).toHaveLength(0);
});

test('a chosen profile that is gone or wrong says so and keeps no message back', async ({ launch, home, folder, relaunch }, info) => {
  test.slow();
  await using server = await inTurn({ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' });
  writeProfile(home, folder, 'work', ['pick_plums']);
  const { page } = await launch();
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await choose(page, 'work');
  await send(page, 'One');
  await expect(conversation(page)).toContainText('First.');
  await expect(brought(page)).toContainText('Profile work· 1 server, 1 tool');

  write(fileOf(home, 'work'), '[runner]\nmodel = \n');
  await picker(page).click();
  await expect(choice(page, 'work')).toContainText(/Line 2, column \d+: .* Runs go on without it\./);
  await expect(choice(page, 'work')).toContainText('1 problem');
  await look(page, info, 'wrong');
  await noOverflow(page);
  await page.keyboard.press('Escape');
  await expect(picker(page)).toHaveText(/workcannot be used$/);
  await sendNext(page, 'Two');
  await expect(conversation(page)).toContainText('Second.');
  await expect(brought(page).last()).toContainText('“work” cannot be used');

  rmSync(fileOf(home, 'work'));
  const { page: again } = await relaunch();
  await again.getByRole('link', { name: /One/ }).click();
  await expect(picker(again)).toHaveText(/workmissing$/);
  await send(again, 'Three');
  await expect(conversation(again)).toContainText('Third.');
  await expect(brought(again).last()).toContainText('no profile “work”');
  await picker(again).click();
  await expect(panel(again)).toContainText('There is no profile “work”');
  await look(again, info, 'missing');
  await noOverflow(again);
  await panel(again).getByRole('button', { name: 'No profile' }).click();
  await expect(picker(again)).toHaveCount(0);
  await expect.poll(async () => (await lastChat(again)).profile).toBeUndefined();
});

test('what is chosen while a run works holds from the next one on, and its model is said to be the profile’s', async ({ launch, home, folder }, info) => {
  await using server = await inTurn({ calls: [{ name: 'mcp_orchard_pick_plums', args: { amount: 3 } }] }, { text: 'Picked.' }, { text: 'Again.' });
  writeProfile(home, folder, 'research', ['pick_plums']);
  write(fileOf(home, 'other'), '[runner]\nmodel = "m2"\n');
  const { page } = await launch();
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await choose(page, 'research');
  await send(page, 'Pick plums');
  await expect(question(page)).toContainText('pick_plums');
  await picker(page).click();
  await expect(panel(page)).toContainText('holds from the next one on');
  await choice(page, 'other').click();
  await expect(picker(page)).toHaveText(/other$/);
  await expect(page.getByRole('button', { name: /^Model: m2 of the profile/ })).toBeVisible();
  await question(page).getByRole('button', { name: 'Allow once', exact: true }).click();
  await expect(conversation(page)).toContainText('Picked.');
  expect(server.requests().map(({ body }) => (body as { readonly model: string }).model)).toEqual(['llama3.2', 'llama3.2']); // Chat Completions
  await sendNext(page, 'Once more');
  await expect(conversation(page)).toContainText('Again.');
  expect(server.requests().at(-1)?.body).toMatchObject({ model: 'm2' });
  expect(offeredAt(server, 2)).not.toContain('mcp_orchard_pick_plums');
  // A model of the chat's own holds instead, and there is a way back.
  const model = page.getByRole('button', { name: /^Model:/ });
  await model.click();
  await expect(page.getByRole('option', { name: /As the settings say/ })).toHaveCount(0);
  await page.getByRole('option', { name: /^llama3.2/ }).click();
  await expect(model).toHaveText(/llama3\.2/);
  await model.click();
  await expect(page.getByRole('option', { name: /As the settings say/ })).toBeVisible();
  await look(page, info, 'own-model');
  await page.getByRole('option', { name: /As the settings say/ }).click();
  await expect(page.getByRole('button', { name: /^Model: m2 of the profile/ })).toBeVisible();
});

test('two hundred profiles are found by their words, in a small window too', async ({ launch, home }, info) => {
  test.slow();
  for (let at = 0; at < 200; at += 1) write(fileOf(home, `preset-${at}`), at % 7 === 0 ? 'extends = "nowhere"\n' : `[meta]\ndescription = "Number ${at}, with a description that is longer than there is room for in one line"\n[runner]\nmodel = "m${at}"\n`);
  await using server = await inTurn({ text: 'Hello.' });
  const { app, page } = await launch();
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await picker(page).click();
  await expect(panel(page)).toContainText('And 100 more');
  await expect(panel(page).getByRole('combobox')).toBeFocused();
  await look(page, info, 'many');
  await noOverflow(page);
  await resize(app, 800, 600);
  await look(page, info, 'many-narrow');
  await noOverflow(page);
  await panel(page).getByRole('combobox').fill('number 111');
  await expect(panel(page).getByRole('option', { name: /^preset-/ })).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(picker(page)).toHaveText(/preset-111$/);
  await look(page, info, 'chosen-narrow');
  await noOverflow(page);
  await composer(page).fill('/profile preset-1');
  for (let at = 0; at < 12; at += 1) await composer(page).press('ArrowDown');
  await expect(page.getByRole('listbox', { name: 'Commands' }).getByRole('option', { selected: true })).toBeInViewport();
});
