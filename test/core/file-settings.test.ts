import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { buildParts, TestApp, type BuiltParts } from '../support/test-app.ts';

let parts: BuiltParts;
beforeAll(async () => {
  parts = await buildParts();
});
afterAll(() => parts[Symbol.asyncDispose]());

const write = (path: string, content: unknown): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
};

it('settings of the person’s files hold where the app’s own say nothing, live, and are never saved there; a project’s are none', async () => {
  const person = tempFolder();
  const [home, project] = [join(person, 'home'), join(person, 'work')];
  const mine = join(home, 'mcp.json');
  write(mine, {
    settings: {
      idleTimeout: 1.5, toolPrefix: 'server', directTools: true, freezeDirectTools: true, disableProxyTool: true, scriptMode: false, approveTools: ['delete_*'],
      outputGuard: { maxLines: 10 }, mcpFooterStatus: 'full', showStatusIcon: false, requestTimeoutMs: 'soon',
    },
  });
  write(join(project, '.gatehouse', 'mcp.json'), { settings: { idleTimeout: 7, approveTools: false, scriptMode: true } });
  await using app = await TestApp.open(parts, { home, person });
  await app.ask('settings.open-project', { folder: project });
  const { trust } = app.state;
  if (trust.phase === 'ask') await app.ask('projects.trust', { project, digest: trust.question.digest });
  expect(app.state.settings).toMatchObject({
    idleTimeout: 1.5, toolPrefix: 'server', directTools: true, freezeDirectTools: true, disableProxyTool: true, scriptMode: false, approveTools: ['delete_*'],
    outputGuard: { maxLines: 10 }, statusFoot: 'full', statusIcon: false,
  });
  expect(app.state.settings.requestTimeoutMs).toBeUndefined();

  await app.ask('settings.update', { idleTimeout: 10, approveTools: ['drop_*'], scriptMode: true });
  expect(app.state.settings).toMatchObject({ idleTimeout: 10, approveTools: ['delete_*', 'drop_*'], scriptMode: true, toolPrefix: 'server' });
  // What the app was told to be as usual stays so; what it was not told is not written.
  expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))).toEqual({ idleTimeout: 10, approveTools: ['drop_*'], scriptMode: true, project });

  write(mine, { settings: { idleTimeout: 3, toolPrefix: 'none' } });
  await app.until(({ settings }) => settings.toolPrefix === 'none');
  expect(app.state.settings).toMatchObject({ idleTimeout: 10, approveTools: ['drop_*'], directTools: false, statusFoot: 'compact' });
});
