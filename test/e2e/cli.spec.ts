import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { appState } from './bridge.ts';
import { expect, test } from './fixtures.ts';

const CLI = join(import.meta.dirname, '../../out/cli/main.js');

/** The built command line, as the person of this test. */
function gatehouse(folder: string, cwd: string, ...args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const env = { ...process.env, HOME: join(folder, 'person'), XDG_CONFIG_HOME: join(folder, 'person', '.config'), GATEHOUSE_HOME: join(folder, 'home') };
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, ...args], { cwd, env }, (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }));
  });
}

test('the command line works on the running app, whose window shows it at once, and on the home when the app has quit', async ({ launch, stop, folder, home }) => {
  const project = join(folder, 'project');
  await mkdir(join(project, '.git'), { recursive: true });
  const { page } = await launch();
  const run = (...args: readonly string[]) => gatehouse(folder, project, ...args);
  await expect.poll(async () => JSON.parse((await run('status', '--json')).stdout) as unknown, { timeout: 30_000 }).toMatchObject({ running: true, home });

  expect(await run('mcp', 'add', 'from-terminal', '--scope', 'global', '--command', 'node', '--arg', 'server.js')).toMatchObject({ code: 0 });
  await expect.poll(async () => Object.values((await appState(page)).servers).map(({ definition }) => definition.name)).toContain('from-terminal');
  expect(await run('open', '.')).toMatchObject({ code: 0 });
  await expect.poll(async () => (await appState(page)).settings.project).toBe(project);

  await stop();
  expect(existsSync(join(home, 'door', 'token'))).toBe(false);
  expect(await readdir(join(home, 'door'))).toEqual([]);
  expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ running: false });
  expect(await run('mcp', 'remove', 'from-terminal', '--scope', 'global')).toMatchObject({ code: 0 });
});

test('what a crashed app left at its door does not mislead the command line', async ({ launch, stop, folder, home }) => {
  await launch();
  await expect.poll(() => existsSync(join(home, 'door', 'address')), { timeout: 30_000 }).toBe(true);
  await stop({ kill: true });
  expect(existsSync(join(home, 'door', 'address'))).toBe(true);
  expect(JSON.parse((await gatehouse(folder, folder, 'status', '--json')).stdout)).toMatchObject({ running: false });
});
