import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { openWindow } from './electron-window.ts';
import type { Figure } from './figure.ts';
import { mediansOf, numberOf, runs, type Sample } from './interleave.ts';
import { appProgram, temporaryFolder } from './programs.ts';
import { longestTask } from './renderer-tasks.ts';

const servers = 500;
/** As `streaming` has it. Milliseconds. */
const longTaskMs = 50;
const mostRows = 60;

/** The Servers page with 500 rows: the longest task of the page while it is scrolled from one end to the other, and the rows that stand in the document. */
export async function serversPage(): Promise<readonly Figure[]> {
  await using home = await temporaryFolder();
  const folder = join(home.path, 'home');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const entries = Array.from({ length: servers }, (_, at) => [`server-${String(at).padStart(3, '0')}`, { command: 'node', args: [`server-${at}.js`], lifecycle: 'lazy' }]);
  await writeFile(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }), { mode: 0o600 });
  await writeFile(join(folder, 'settings.json'), JSON.stringify({ setUp: true }), { mode: 0o600 });
  const app = await appProgram(home.path);
  const samples: Sample[] = [];
  for (let run = 0; run <= runs; run += 1) {
    await using open = await openWindow(app);
    const { page } = open;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Servers/ }).click();
    await page.getByText('server-000', { exact: true }).waitFor();
    let rows = 0;
    const { wallMs, cpuMs } = await longestTask(open.browser, async () => {
      rows = await scrollThrough(page);
    });
    samples.push({ wallMs, cpuMs, rows });
    process.stderr.write('.');
  }
  const medians = mediansOf(samples.slice(1));
  return [
    { name: 'servers-page', value: numberOf(medians, 'wallMs'), baseline: longTaskMs, unit: 'ms', goal: 1 },
    { name: 'servers-page-cpu', value: numberOf(medians, 'cpuMs'), baseline: longTaskMs, unit: 'ms', goal: null },
    { name: 'servers-page-rows', value: numberOf(medians, 'rows'), baseline: mostRows, unit: 'rows', goal: 1 },
  ];
}

/** With the wheel, as a person does; gives the most rows that stood in the document at any turn of it. */
async function scrollThrough(page: Page): Promise<number> {
  const box = await page.getByRole('main').boundingBox();
  if (box === null) throw new Error('there is no page');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  let most = 0;
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, 900);
    most = Math.max(most, await page.evaluate(countRows));
  }
  if (!(await page.getByText(`server-${servers - 1}`, { exact: true }).isVisible())) throw new Error('the end of the list was not reached');
  return most;
}

/** In the page, once what the wheel did is drawn. */
const countRows = (): Promise<number> =>
  new Promise((resolve) => setTimeout(() => resolve(Number(Reflect.get(globalThis, 'document')?.querySelectorAll('main [role="listitem"], main li').length)), 20));
