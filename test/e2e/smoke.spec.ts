import { expect, test } from './fixtures.ts';

test('a window opens and says whose it is', async ({ app, page }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  expect(app.windows()).toHaveLength(1);
  await expect(page.locator('#root')).not.toBeEmpty();
});

test('it starts again with the same home', async ({ page, relaunch }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  const again = await relaunch();
  await expect(again.page).toHaveTitle(/Gatehouse/);
  const afterKill = await relaunch({ kill: true });
  await expect(afterKill.page).toHaveTitle(/Gatehouse/);
});
