import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { appState, ask, codeOf } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { page as pageLink, testServer } from './person.ts';

const SECRET = 'canary-77c1-value';
const inClear = (home: string): boolean => {
  try {
    execFileSync('grep', ['-r', '-q', SECRET, home]);
    return true;
  } catch {
    return false;
  }
};
const withSecret = {
  name: 'Keyed',
  transport: { type: 'stdio', command: process.execPath, args: [testServer('versatile.mjs')], env: { API_KEY: { secret: SECRET } } },
} as const;

test.describe('with a keyring', () => {
  test('a secret outlives a restart, reaches its server and is nowhere in clear', async ({ page, home, relaunch }) => {
    expect(codeOf(await ask(page, 'servers.add', withSecret))).toBe('ok');
    expect((await appState(page)).vault).toMatchObject({ phase: 'ready' });
    expect(inClear(home)).toBe(false);
    const { page: again } = await relaunch();
    await expect.poll(async () => Object.values((await appState(again)).servers).map((row) => row.definition.name)).toContain('Keyed');
    const [row] = Object.values((await appState(again)).servers).filter(({ definition }) => definition.name === 'Keyed');
    await ask(again, 'servers.start', { serverId: row?.definition.id });
    await expect
      .poll(
        async () => Object.values((await appState(again)).servers).find(({ definition }) => definition.name === 'Keyed')?.connection.phase,
      )
      .toBe('ready');
    expect(inClear(home)).toBe(false);
  });
});

test.describe('without a keyring', () => {
  test.use({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' } });

  test('[S3] nothing is stored and the form says why; in memory by choice, a secret works until the app quits and leaves no trace', async ({
    page,
    home,
    relaunch,
  }) => {
    await pageLink(page, 'Servers').click();
    await page.getByRole('button', { name: 'Add server' }).first().click();
    const form = page.getByRole('form', { name: 'Add a server' });
    await form.getByRole('textbox', { name: 'Command', exact: true }).fill(process.execPath);
    await form.getByRole('button', { name: 'Add an argument' }).click();
    await form.getByRole('textbox', { name: 'Argument 1', exact: true }).fill(testServer('versatile.mjs'));
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Keyed');
    await form.getByRole('button', { name: 'Add a variable' }).click();
    await form.getByRole('textbox', { name: 'Name', exact: true }).last().fill('API_KEY');
    await form.getByLabel(/Value of API_KEY/).fill(SECRET);
    await form.getByRole('button', { name: 'Add server' }).click();
    const choice = page.getByRole('group', { name: 'Where secrets are kept' });
    await expect(choice).toContainText('There is no keyring to keep secrets in.');
    await expect(choice).toContainText('then try again');
    expect(Object.values((await appState(page)).servers).map((row) => row.definition.name)).not.toContain('Keyed');
    expect(inClear(home)).toBe(false);

    await choice.getByRole('button', { name: 'Keep secrets in memory until I quit' }).click();
    await expect(form).toContainText('Secrets are kept in memory only');
    await form.getByRole('button', { name: 'Add server' }).click();
    await expect(page.getByRole('main').getByText('Connected', { exact: true })).toBeVisible();
    expect(inClear(home)).toBe(false);
    expect(readdirSync(join(home, 'vault'), { recursive: true }).filter((name) => String(name).endsWith('vault.json'))).toEqual([]);

    const { page: again } = await relaunch();
    expect((await appState(again)).vault.phase).not.toBe('memory-only');
    const row = Object.values((await appState(again)).servers).find(({ definition }) => definition.name === 'Keyed');
    await ask(again, 'servers.start', { serverId: row?.definition.id });
    await expect
      .poll(async () => JSON.stringify((await appState(again)).servers))
      .toMatch(/"what":"secret"|secret\/missing|vault\/unavailable/);
    expect(inClear(home)).toBe(false);
  });
});
