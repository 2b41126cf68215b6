import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type ElectronApplication, type Page } from '@playwright/test';
import type { ServerRow } from '../../src/shared/state/app-state.ts';
import { appState, give } from './bridge.ts';

/** What the app opens in the system's browser is caught: a test opens it with a person of its own. */
export async function catchBrowser(app: ElectronApplication): Promise<{ readonly opened: () => Promise<readonly string[]>; readonly next: () => Promise<string> }> {
  await app.evaluate(({ shell }) => {
    const opened: string[] = [];
    Object.assign(globalThis, { opened });
    shell.openExternal = async (url) => void opened.push(url);
  });
  const opened = () => app.evaluate(() => (globalThis as unknown as { readonly opened: readonly string[] }).opened); // set above
  let taken = 0;
  return {
    opened,
    next: async () => {
      await expect.poll(async () => (await opened()).length).toBeGreaterThan(taken);
      taken += 1;
      return (await opened())[taken - 1] ?? '';
    },
  };
}

/** The person's own file, with these servers. */
export const writeServers = (home: string, servers: Readonly<Record<string, object>>): Promise<void> =>
  writeFile(join(home, 'mcp.json'), JSON.stringify({ mcpServers: servers }), { mode: 0o600 });

export async function serverRow(page: Page, name: string): Promise<ServerRow | undefined> {
  return Object.values((await appState(page)).servers).find(({ definition }) => definition.name === name);
}
export const phaseOf = async (page: Page, name: string) => (await serverRow(page, name))?.connection.phase;

/** The row of a server in the list of the Servers page. */
export const listed = (page: Page, name: string) => page.getByRole('list', { name: 'Servers' }).getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
/** What the page of a server says of its sign-in. */
export const note = (page: Page) => page.getByRole('region', { name: 'Sign-in', exact: true });
/** Lets the sign-in use the authorization server of this test, which is on this machine. */
export async function allowHost(page: Page, issuer: string): Promise<void> {
  const { host } = new URL(issuer);
  await expect(note(page)).toContainText('leads into your own network');
  await note(page).getByRole('button', { name: `Allow ${host} and go on` }).click();
}

/** What axe finds that is serious or worse. */
async function violations(page: Page): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical').flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
/** In both themes. */
export async function accessible(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    expect(await violations(page), `${what}, ${colorScheme}`).toEqual([]);
  }
}
/** Connects it, as far as it goes without a sign-in. */
export const startOf = async (page: Page, name: string) => await give(page, 'servers.start', { serverId: (await serverRow(page, name))?.definition.id });
