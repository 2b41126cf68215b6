import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { findDoor } from '../http/door-place.ts';
import { lockHome } from '../node/home/home-lock.ts';
import type { ElectronPorts } from './electron-ports.ts';
import { openApp } from './open-app.ts';

// The first one loads the whole core.
vi.setConfig({ testTimeout: 60_000 });

const electron: ElectronPorts = {
  network: { onBack: () => ({ [Symbol.dispose]: () => undefined }) }, browser: { open: async () => undefined }, systemProxies: async () => 'DIRECT', runtime: process.execPath, scriptsFolder: '/nonexistent',
};
const envOf = (home: string) => ({ ...process.env, GATEHOUSE_HOME: home, HOME: tempFolder(), XDG_CONFIG_HOME: tempFolder() });

it('the owner door is open while the app runs, and is the first to go', async () => {
  const home = tempFolder();
  const opened = await openApp(electron, envOf(home), '0.0.0-test', () => undefined);
  await expect.poll(() => findDoor(home)).toBeDefined();
  await opened.close();
  expect(await findDoor(home)).toBeUndefined();
  expect(existsSync(join(home, '.home.lock'))).toBe(false);
});

it('opens once a command that was using the home has ended', async () => {
  const home = tempFolder();
  const lock = await lockHome(home);
  const opening = openApp(electron, envOf(home), '0.0.0-test', () => undefined);
  const early = await Promise.race([opening.then(() => 'open'), new Promise((resolve) => setTimeout(() => resolve('waiting'), 300))]);
  await lock[Symbol.asyncDispose]();
  const opened = await opening;
  await opened.close();
  expect(early).toBe('waiting');
});
