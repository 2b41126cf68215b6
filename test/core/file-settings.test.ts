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

it('says which file a setting comes from and whether the app lies over it; what was chosen can be taken back', async () => {
  const person = tempFolder();
  const home = join(person, 'home');
  const mine = join(home, 'mcp.json');
  write(join(person, '.agents', 'mcp.json'), { settings: { idleTimeout: 4, toolPrefix: 'server', mcpFooterStatus: 'full', approveTools: ['delete_*'] } });
  write(mine, { settings: { idleTimeout: 2, requestTimeoutMs: 'soon' } });
  await using app = await TestApp.open(parts, { home, person });
  expect(app.state.settingOrigins).toEqual({
    idleTimeout: { file: 'mcp.json', says: 2, chosenHere: false },
    toolPrefix: { file: '~/.agents/mcp.json', says: 'server', chosenHere: false },
    statusFoot: { file: '~/.agents/mcp.json', says: 'full', chosenHere: false },
    approveTools: { file: '~/.agents/mcp.json', says: ['delete_*'], chosenHere: false },
  });

  await app.ask('settings.update', { idleTimeout: 7, approveTools: ['drop_*'], theme: 'dark' });
  expect(app.state.settingOrigins).toMatchObject({ idleTimeout: { says: 2, chosenHere: true }, toolPrefix: { chosenHere: false }, approveTools: { says: ['delete_*'], chosenHere: true } });
  await app.ask('settings.update', { idleTimeout: null, approveTools: null });
  expect(app.state.settings).toMatchObject({ idleTimeout: 2, approveTools: ['delete_*'], theme: 'dark' });
  expect(app.state.settingOrigins.idleTimeout).toEqual({ file: 'mcp.json', says: 2, chosenHere: false });
  expect(JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8'))).toEqual({ theme: 'dark' });
  // Where no file says anything either, the usual holds; a script's time has `null` as a value.
  await app.ask('settings.update', { scriptMode: false, scriptTimeoutMs: null });
  await app.ask('settings.update', { scriptMode: null });
  expect(app.state.settings).toMatchObject({ scriptMode: true, scriptTimeoutMs: null });

  write(mine, { settings: {} });
  await app.until(({ settingOrigins }) => settingOrigins.idleTimeout?.file === '~/.agents/mcp.json');
  expect(app.state.settings.idleTimeout).toBe(4);
});
