import type { ElectronApplication, Page } from '@playwright/test';
import { waitForApproval } from './busy.ts';
import { appState, give } from './bridge.ts';
import type { Desktop, MenuEntry } from './desktop.ts';
import { expect, test } from './fixtures.ts';

const visible = (app: ElectronApplication) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isVisible()));
const labels = async (shell: Desktop) => (await shell.menu()).map((entry) => entry.label);
const entry = async (shell: Desktop, label: RegExp): Promise<MenuEntry> => {
  const found = (await shell.menu()).find((one) => label.test(one.label));
  if (!found) throw new Error(`no entry ${label} in ${(await labels(shell)).join(', ')}`);
  return found;
};
/** Chooses, as often as it takes: a menu that was drawn anew between looking and choosing has other entries, as a panel's has. */
const choose = (shell: Desktop, label: RegExp, below = false) =>
  expect(async () => {
    const found = await entry(shell, label);
    await (below ? found.entries[0] : found)?.choose();
  }).toPass();
/** The icon's pixels, as the panel draws them. */
const icon = async (shell: Desktop) => JSON.stringify((await shell.properties())['IconPixmap']);
const tip = async (shell: Desktop) => JSON.stringify((await shell.properties())['ToolTip']);

test('the tray shows an icon, says how things are, and lists the servers with their state', async ({ page, shell }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  await expect.poll(() => labels(shell)).toEqual([
    'Gatehouse: ready', '', 'Files: needs an open folder', 'Notes: asleep, starts when needed', '', 'Pause all', '', 'Hide Gatehouse', 'Quit Gatehouse',
  ]);
  expect(shell.items).toHaveLength(1);
  // The panel asks for the menu at once and for the rest when it is told of a change: they need not change together.
  await expect.poll(() => tip(shell)).toContain('Gatehouse: ready');
  expect((await icon(shell)).length).toBeGreaterThan(500);
});

test('a server is started and stopped from the tray, and what fails shows as trouble', async ({ page, shell }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  await expect.poll(() => labels(shell)).toContain('Notes: asleep, starts when needed');
  await choose(shell, /^Notes/, true);
  await expect.poll(() => labels(shell), { timeout: 15_000 }).toContain('Notes: connected');
  await choose(shell, /^Notes/, true);
  await expect.poll(() => labels(shell), { timeout: 15_000 }).toContain('Notes: stopped');
  const idle = await icon(shell);
  await give(page, 'servers.add', { name: 'Broken_&_more', transport: { type: 'stdio', command: 'there-is-no-such-program', args: [], env: {} } });
  await expect.poll(() => labels(shell), { timeout: 15_000 }).toContainEqual(expect.stringMatching(/^Broken.*: not working$/));
  await expect.poll(() => tip(shell)).toContain('something is not working');
  expect(await icon(shell)).not.toBe(idle);
});

test('everything is paused and resumed from the tray', async ({ page, shell }) => {
  await expect.poll(() => labels(shell)).toContain('Pause all');
  await choose(shell, /^Pause all/);
  await expect.poll(async () => (await appState(page)).paused).toBe(true);
  await expect.poll(() => labels(shell)).toEqual(expect.arrayContaining(['Gatehouse: paused', 'Resume']));
  await choose(shell, /^Resume/);
  await expect.poll(async () => (await appState(page)).paused).toBe(false);
});

test('the window is hidden and shown by the menu and by a click on the icon', async ({ app, page, shell }) => {
  await expect(page).toHaveTitle(/Gatehouse/);
  await expect.poll(() => labels(shell)).toContain('Hide Gatehouse');
  await choose(shell, /^Hide/);
  await expect.poll(() => visible(app)).toEqual([false]);
  await expect.poll(() => labels(shell)).toContain('Show Gatehouse');
  await choose(shell, /^Show/);
  await expect.poll(() => visible(app)).toEqual([true]);
  await shell.activate();
  await expect.poll(() => visible(app)).toEqual([false]);
  await shell.activate();
  await expect.poll(() => visible(app)).toEqual([true]);
});

/** What main asks of the page. */
const commandsOf = (page: Page) =>
  page.evaluateHandle(() => {
    const seen: unknown[] = [];
    globalThis.gatehouse.onState((messages) => seen.push(...messages.flatMap(({ topic, envelope }) => (topic === 'command' ? [envelope.action] : []))));
    return seen;
  });

test('an approval that waits while the window is hidden is notified, and the notice goes with the answer', async ({ app, page, shell }) => {
  await expect.poll(() => labels(shell)).toContain('Hide Gatehouse');
  const idle = await icon(shell);
  await choose(shell, /^Hide/);
  await expect.poll(() => visible(app)).toEqual([false]);
  await using _model = await waitForApproval(page);
  await expect.poll(() => shell.notices.length).toBe(1);
  const [notice] = shell.notices;
  expect(notice?.summary).toBe('Notes waits for your approval');
  expect(notice?.body).toMatch(/Add a note|add_note/);
  expect(JSON.stringify(notice)).not.toMatch(/hunter2|Plan/);
  await expect.poll(() => tip(shell)).toContain('1 approval waits for you');
  expect(await icon(shell)).not.toBe(idle);

  const commands = await commandsOf(page);
  await choose(shell, /^Review .* on Notes…$/);
  await expect.poll(() => visible(app)).toEqual([true]);
  const [approval] = (await appState(page)).approvals;
  await expect.poll(() => commands.jsonValue()).toEqual([{ type: 'command', command: 'approvals', id: approval?.id }]);

  await give(page, 'approvals.answer', { approvalId: approval?.id, answer: { decision: 'deny' } });
  await expect.poll(() => shell.closed).toContain(notice?.id);
  await expect.poll(() => tip(shell), { timeout: 15_000 }).toContain('Gatehouse: ready');
  expect(await icon(shell)).toBe(idle);
});

test('a click on the notification shows the window at the approval', async ({ app, page, shell }) => {
  await expect.poll(() => labels(shell)).toContain('Hide Gatehouse');
  await choose(shell, /^Hide/);
  await using _model = await waitForApproval(page);
  await expect.poll(() => shell.notices.length).toBe(1);
  const commands = await commandsOf(page);
  shell.clickNotice(shell.notices[0]?.id ?? 0);
  await expect.poll(() => visible(app)).toEqual([true]);
  const [approval] = (await appState(page)).approvals;
  await expect.poll(() => commands.jsonValue()).toEqual([{ type: 'command', command: 'approvals', id: approval?.id }]);
});

test('nothing is notified while the window is in front, nor when notifications are switched off', async ({ app, page, shell }) => {
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFocused())).toBe(true);
  await using _model = await waitForApproval(page);
  await expect.poll(() => labels(shell)).toContain('Gatehouse: 1 approval waits for you');
  expect(shell.notices).toEqual([]);
  const [approval] = (await appState(page)).approvals;
  await give(page, 'approvals.answer', { approvalId: approval?.id, answer: { decision: 'deny' } });
  await give(page, 'settings.update', { notifications: false });
  await expect.poll(() => labels(shell)).toContain('Hide Gatehouse');
  await choose(shell, /^Hide/);
  await using _second = await waitForApproval(page);
  await expect.poll(() => labels(shell)).toContain('Gatehouse: 1 approval waits for you');
  expect(shell.notices).toEqual([]);
});
