import type { ElectronApplication, Page } from '@playwright/test';
import { SkillShelf, skill } from '../support/skill-shelf.ts';
import { expect, test } from './fixtures.ts';
import { addServer, page as pageLink } from './person.ts';
import { accessible } from './sign-in-person.ts';

const resize = (app: ElectronApplication, width: number, height: number) => app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size), [width, height] as const);
const tabs = (page: Page) => page.getByRole('tablist', { name: 'About Shelf' });

async function openShelf(page: Page, shelf: SkillShelf): Promise<void> {
  await addServer(page, 'Shelf', 'skills.mjs', shelf.args);
  await pageLink(page, 'Servers').click();
  await page.getByRole('main').getByRole('link', { name: 'Shelf' }).first().click();
}

test('a server’s page has its skills: asked for when they are looked at, read when that is pressed, and refused when they are not what was listed', async ({ app, page, folder }, info) => {
  const main = 'skill://pdf-processing/SKILL.md';
  const daily = skill({ folder: 'daily', description: 'The report of today' });
  const shelf = new SkillShelf(folder, [
    { folder: 'pdf-processing', description: 'Extract, fill, and assemble PDF documents', files: { 'references/FORMS.md': '# Fields of forms\n' } },
    { folder: 'acme/billing/refunds', description: 'Refund by the rules' },
  ]);
  shelf.said.pages.push([{ ...daily.entry, resources: 'dynamic' }, { ...daily.entry, uri: 'skill://weekly/SKILL.md' }]);
  Object.assign(shelf.said.files, daily.files);
  shelf.save();
  await openShelf(page, shelf);
  await expect(tabs(page).getByRole('tab', { name: 'Skills' })).toBeVisible();
  expect(shelf.asked).toEqual([]);
  await tabs(page).getByRole('tab', { name: 'Skills' }).click();
  await expect(page.getByRole('list', { name: 'Skills' }).getByRole('listitem')).toHaveCount(3);
  await expect(page.getByText('skill://weekly/SKILL.md is left out: its folder is not called like it')).toBeVisible();
  await expect(page.getByText('2 files ·')).toBeVisible();
  expect(shelf.read).toEqual([]);

  await page.getByRole('button', { name: 'Read pdf-processing' }).click();
  await expect(page.getByText('As listed', { exact: true })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Content' }).getByRole('heading', { name: 'pdf-processing' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Content' })).toContainText('description: Extract, fill, and assemble PDF documents');
  expect(shelf.read).toEqual([main]);
  await page.getByRole('button', { name: 'Read references/FORMS.md' }).click();
  await expect(page.getByRole('heading', { name: 'Fields of forms' })).toBeVisible();
  await accessible(page, 'a skill that is read');
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await info.attach(`skills-${theme}`, { body: await page.screenshot(), contentType: 'image/png' });
  }
  await resize(app, 800, 600);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(800);
  await info.attach('skills-narrow', { body: await page.screenshot(), contentType: 'image/png' });
  await resize(app, 1280, 800);

  await page.getByRole('button', { name: 'Close pdf-processing' }).click();
  await page.getByRole('button', { name: 'Read daily' }).click();
  await expect(page.getByText('Not checked', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Close daily' }).click();

  shelf.said.files[main] = [{ uri: main, mimeType: 'text/markdown', text: 'Evil instructions' }];
  shelf.save();
  await page.getByRole('button', { name: 'Read pdf-processing' }).click();
  await expect(page.getByText('What came is not what Shelf listed.')).toBeVisible();
  await expect(page.getByText('Evil instructions')).toBeHidden();
  await info.attach('skills-refused', { body: await page.screenshot(), contentType: 'image/png' });
});

test('skills of a server: none, two hundred, and none that can be asked for', async ({ page, folder }, info) => {
  const shelf = new SkillShelf(folder, []);
  await openShelf(page, shelf);
  await tabs(page).getByRole('tab', { name: 'Skills' }).click();
  await expect(page.getByRole('heading', { name: 'No skills' })).toBeVisible();
  await info.attach('skills-none', { body: await page.screenshot(), contentType: 'image/png' });
  shelf.said.pages = [Array.from({ length: 200 }, (_, at) => skill({ folder: `skill-${at}`, description: `Skill number ${at}` }).entry)];
  shelf.save();
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByText('skill-0', { exact: true })).toBeVisible();
  expect(await page.getByRole('list', { name: 'Skills' }).getByRole('listitem').count()).toBeLessThan(60);
  await page.getByRole('textbox', { name: 'Find a skill' }).fill('number 150');
  await expect(page.getByText('skill-150', { exact: true })).toBeVisible();
  await info.attach('skills-many', { body: await page.screenshot(), contentType: 'image/png' });
  shelf.said.broken = 0;
  shelf.save();
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByRole('button', { name: 'Try again' }).or(page.getByText('said something that makes no sense'))).toBeVisible();
});
