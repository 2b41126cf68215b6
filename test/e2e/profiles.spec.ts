import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from '@playwright/test';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink } from './person.ts';

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
};
const fileOf = (home: string, name: string): string => join(home, 'profiles', `${name}.toml`);
async function toProfiles(page: Page): Promise<Locator> {
  await pageLink(page, 'Settings').click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: /^Profiles/ }).click();
  await expect(page.getByRole('region', { name: 'Profiles' })).toBeVisible();
  return page.getByRole('list', { name: 'Profiles' });
}
const row = (list: Locator, name: string, badge?: string): Locator => {
  const rows = list.getByRole('listitem').filter({ has: list.page().getByRole('button', { name: `More for ${name}`, exact: true }) });
  return badge === undefined ? rows : rows.filter({ hasText: badge });
};
const textOf = (page: Page, name: string): Locator => page.getByRole('textbox', { name: `Text of ${name}`, exact: true });
const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();
async function menu(list: Locator, name: string, item: string): Promise<void> {
  await row(list, name).getByRole('button', { name: `More for ${name}`, exact: true }).click();
  await list.page().getByRole('menuitem', { name: item, exact: true }).click();
}

test('a profile is made, checked while it is typed, saved, changed and deleted', async ({ page, home }) => {
  const list = await toProfiles(page);
  await expect(page.getByText('No profile of your own yet')).toBeVisible();
  await expect(row(list, 'default')).toContainText('Built-in');

  await page.getByRole('button', { name: 'New profile…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New profile' });
  for (const [name, problem] of [['', 'It needs a name'], ['../x', 'file’s name'], ['.x', 'file’s name']] as const) {
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await expect(dialog).toContainText(problem);
  }
  await dialog.getByRole('textbox', { name: 'Name' }).fill('review');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(textOf(page, 'review')).toHaveValue(/\[meta\]/);
  expect(existsSync(join(home, 'profiles'))).toBe(false);

  const problems = page.getByRole('region', { name: 'Problems' });
  await textOf(page, 'review').fill('[runner]\nmodel = "m"\nmax_steps = -1\n');
  await expect(problems).toContainText('1 problem');
  await save(page);
  await expect(page.getByRole('alert')).toBeVisible();
  expect(existsSync(fileOf(home, 'review'))).toBe(false);
  await problems.getByRole('button', { name: 'Line 3, column 1' }).click();
  await expect(textOf(page, 'review')).toBeFocused();
  expect(await textOf(page, 'review').evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd))).toBe('max_steps = -1');

  const text = 'extends = "default"\n[runner]\nmodel = "m"\nmax_steps = 3\n[tools]\nallow = ["read_file"]\n[mcp_servers.docs]\ncommand = "docs"\n';
  await textOf(page, 'review').fill(text);
  await expect(problems).toContainText('It can be used as it is');
  const facts = page.getByRole('region', { name: 'What a run of it has' });
  await expect(facts).toContainText('at most 3 steps');
  await expect(facts).toContainText('only read_file');
  // What was typed stays while one looks elsewhere.
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(row(list, 'review')).toContainText('Not saved');
  await expect(page.getByRole('link', { name: /^Profiles.*not saved/ })).toBeVisible();
  await row(list, 'review').getByRole('button', { name: 'review', exact: true }).click();
  await expect(textOf(page, 'review')).toHaveValue(text);
  await textOf(page, 'review').press('Control+s');
  await expect(page.getByRole('group', { name: 'Changes' })).toContainText('Saved.');
  expect(readFileSync(fileOf(home, 'review'), 'utf8')).toBe(text);

  await textOf(page, 'review').fill('# other\n');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(textOf(page, 'review')).toHaveValue(text);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(textOf(page, 'review')).toHaveValue('# other\n');
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect(row(list, 'review')).toContainText('Builds on default · m · 1 tool allowed · server docs');
  await expect(page.getByRole('link', { name: /^Profiles.*not saved/ })).toHaveCount(0);

  await menu(list, 'review', 'Delete…');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
  expect(existsSync(fileOf(home, 'review'))).toBe(true);
  await menu(list, 'review', 'Delete…');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete profile' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(row(list, 'review')).toHaveCount(0);
  expect(existsSync(fileOf(home, 'review'))).toBe(false);
});

test('one that was changed on disk meanwhile is not written over, and a secret in it is not shown', async ({ launch, home }) => {
  const before = '[meta]\ndescription = "one"\n[mcp_servers.docs]\ncommand = "docs"\nenv = { API_KEY = "canary-51d0-value" }\n';
  write(fileOf(home, 'work'), before);
  const { page } = await launch();
  const list = await toProfiles(page);
  await row(list, 'work').getByRole('button', { name: 'work', exact: true }).click();
  const area = textOf(page, 'work');
  await expect(area).toHaveValue(before.replace('canary-51d0-value', '•••1•••'));
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('A secret stands in the open');
  const mine = before.replace('"one"', '"mine"').replace('canary-51d0-value', '•••1•••');
  await area.fill(mine);
  write(fileOf(home, 'work'), before.replace('"one"', '"two"'));
  await save(page);
  const alert = page.getByRole('alert').filter({ hasText: 'The file was changed meanwhile' });
  await expect(alert).toBeVisible();
  await alert.getByText('What stands there now').click();
  await expect(alert).toContainText('description = "two"');
  expect(readFileSync(fileOf(home, 'work'), 'utf8')).toContain('"two"');
  await alert.getByRole('button', { name: 'Go on with mine' }).click();
  await expect(area).toHaveValue(mine);
  await save(page);
  await expect(page.getByRole('group', { name: 'Changes' })).toContainText('Saved.');
  expect(readFileSync(fileOf(home, 'work'), 'utf8')).toBe(before.replace('"one"', '"mine"'));

  await area.fill('# again\n');
  write(fileOf(home, 'work'), before.replace('"one"', '"three"'));
  await save(page);
  await page.getByRole('button', { name: 'Take what is there' }).click();
  await expect(area).toHaveValue(/"three"/);
  await expect(page.getByRole('main')).not.toContainText('canary-51d0');
});

test('a project’s profiles wait for its trust, then stand before the person’s', async ({ launch, home, folder }) => {
  const project = join(folder, 'atlas');
  write(fileOf(home, 'work'), '[meta]\ndescription = "of the person"\n');
  write(join(project, '.gatehouse', 'profiles', 'work.toml'), '[meta]\ndescription = "of the project"\n');
  const { page } = await launch();
  await give(page, 'settings.open-project', { folder: project });
  await page.getByRole('dialog').press('Escape');
  const list = await toProfiles(page);
  await expect(page.getByRole('alert')).toContainText('wait for your trust');
  await expect(row(list, 'work')).toHaveCount(1);
  const { trust } = await appState(page);
  if (trust.phase !== 'ask') throw new Error(`Nothing is asked: ${trust.phase}`);
  await give(page, 'projects.trust', { project: trust.question.project, digest: trust.question.digest });
  await expect(row(list, 'work')).toHaveCount(2);
  await expect(row(list, 'work', 'of the person')).toContainText('Overridden');
  await expect(row(list, 'work', 'of the project')).toContainText('Project');
  await menu(list, 'default', 'Make one of this name…');
  const dialog = page.getByRole('dialog', { name: 'New profile' });
  await dialog.getByRole('radio', { name: 'The open project' }).click();
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(textOf(page, 'default')).toHaveValue(/^extends = "default"\n/);
  await save(page);
  await expect(page.getByRole('group', { name: 'Changes' })).toContainText('Saved.');
  expect(existsSync(join(project, '.gatehouse', 'profiles', 'default.toml'))).toBe(true);
  expect((await appState(page)).trust.phase).toBe('trusted');
});

test('two hundred profiles are searched, and neither list nor editor has a serious fault of accessibility', async ({ launch, home }) => {
  for (let at = 0; at < 200; at += 1) write(fileOf(home, `preset-${at}`), at % 7 === 0 ? 'extends = "nowhere"\n' : `[meta]\ndescription = "Number ${at}"\n[runner]\nmodel = "m${at}"\n`);
  const { page } = await launch();
  const list = await toProfiles(page);
  expect(await list.getByRole('listitem').count()).toBeLessThan(60);
  await page.getByRole('textbox', { name: 'Find a profile' }).fill('number 111');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(row(list, 'preset-111')).toContainText('m111');
  await page.getByRole('textbox', { name: 'Find a profile' }).fill('');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  }
  await row(list, 'preset-0').getByRole('button', { name: 'preset-0', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Problems' })).toContainText('1 problem');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
  }
});
