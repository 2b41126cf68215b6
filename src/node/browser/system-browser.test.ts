import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { isRunning } from '../stdio/process-tree.ts';
import { createSystemBrowser, type RunProgram } from './system-browser.ts';

const never = new AbortController().signal;
const address = "https://issuer.example/authorize?a=1&b=%24(touch%20x)&c='d';e";

/** An `xdg-open` of this test's own, first on the PATH. */
function desktop(script: string): { readonly folder: string; readonly env: Readonly<Record<string, string>> } {
  const folder = tempFolder();
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  return { folder, env: { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':9', GATEHOUSE_HOME: '/not-the-browsers' } };
}
/** The process that wrote its id there; it ends with the test. */
async function begun(folder: string): Promise<number> {
  const text = await vi.waitFor(() => {
    const written = readFileSync(join(folder, 'pid'), 'utf8');
    expect(written).toMatch(/\n$/);
    return written;
  }, { timeout: 5_000 });
  onTestFinished(() => void process.kill(Number(text), 'SIGKILL'));
  return Number(text);
}
const linux = (env: Readonly<Record<string, string>>) => createSystemBrowser({ platform: 'linux', env });

it.skipIf(process.platform === 'win32')('opens an address as one argument, which no shell reads, and without what belongs to the app', async () => {
  const { folder, env } = desktop(`printf '%s|' "$#" "$1" "\${GATEHOUSE_HOME-unset}" > "$(dirname "$0")/seen"`);
  await linux(env).open(address, never);
  expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe(`1|${address}|unset|`);
});

it.skipIf(process.platform === 'win32')('does not wait for a browser that takes the place of the program that opened it, and leaves it running', async () => {
  const { folder, env } = desktop('echo $$ > "$(dirname "$0")/pid"; exec sleep 60');
  await createSystemBrowser({ platform: 'linux', env, failsWithinMs: 500 }).open(address, never);
  const pid = await begun(folder);
  expect(isRunning(pid)).toBe(true);
});

it.skipIf(process.platform === 'win32')('ends its waiting with the signal', async () => {
  const { folder, env } = desktop('echo $$ > "$(dirname "$0")/pid"; exec sleep 60');
  const controller = new AbortController();
  const opening = linux(env).open(address, controller.signal);
  await begun(folder);
  controller.abort(new Error('enough'));
  await expect(opening).rejects.toThrow('enough');
});

it.skipIf(process.platform === 'win32')('says so where nothing can be opened', async () => {
  const refusal = { code: 'user/needed', data: { why: 'no-browser' } };
  const { env } = desktop('exit 3');
  await expect(linux(env).open(address, never)).rejects.toMatchObject({ ...refusal, message: expect.stringContaining('could open no browser') as string });
  await expect(linux({ PATH: tempFolder(), DISPLAY: ':9' }).open(address, never)).rejects.toMatchObject({ ...refusal, message: expect.stringContaining('could not be started') as string });
  for (const nothing of [{}, { DISPLAY: '' }]) await expect(linux({ ...nothing, PATH: env['PATH'] ?? '' }).open(address, never)).rejects.toMatchObject({ ...refusal, message: 'There is no desktop to open a browser on' });
});

it.each([
  ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, ['xdg-open', address]],
  ['linux', { BROWSER: 'lynx' }, ['xdg-open', address]],
  ['darwin', {}, ['/usr/bin/open', address]],
  ['win32', { SYSTEMROOT: 'D:\\Windows' }, ['D:\\Windows\\System32\\rundll32.exe', 'url.dll,FileProtocolHandler', address]],
] as const)('on %s with %j runs the system’s own program', async (platform, env, expected) => {
  const ran: string[][] = [];
  const run: RunProgram = async (command, args) => {
    ran.push([command, ...args]);
    return ran.length === 1 ? 0 : 'running';
  };
  const browser = createSystemBrowser({ platform, env, run });
  await browser.open(address, never);
  await browser.open(address, never);
  expect(ran).toEqual([expected, expected]);
});
