import type { Page } from '@playwright/test';
import type { ServerId } from '../../src/shared/ids.ts';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { addServer, composer, conversation, newChat, outcomes, page as pageLink, runTool, testServer } from './person.ts';

const phaseOf = async (page: Page, id: ServerId) => (await appState(page)).servers[id]?.connection.phase;

/** Every way to misbehave at the start, with the word that its row then has. */
const broken: readonly (readonly [name: string, args: readonly string[], word: string])[] = [
  ['Silent', ['never-answers'], 'No answer in time'],
  ['Short', ['exits-at-once'], 'Exited with code 1'],
  ['Garbled', ['garbage-json', 'at-start'], 'Does not speak MCP'],
  ['Confused', ['wrong-ids', 'at-start'], 'No answer in time'],
  ['Webby', ['html'], 'Does not speak MCP'],
];

test('servers that misbehave each get a clear state, and neither the window nor a neighbour nor a chat suffers', async ({ page }) => {
  await addServer(page, 'Healthy', 'broken.mjs', ['slow']);
  await runTool(page, 'echo', 'echo', { text: 'before' });
  const ids = await Promise.all(
    broken.map(async ([name, args]) => {
      const { serverId } = await give<{ readonly serverId: ServerId }>(page, 'servers.add', {
        name,
        transport: { type: 'stdio', command: process.execPath, args: [testServer('broken.mjs'), ...args], env: {} },
        options: { limits: { handshakeMs: 3_000 } },
      });
      return serverId;
    }),
  );
  // The neighbour works while they fail.
  await runTool(page, 'echo', 'echo', { text: 'meanwhile' });
  await expect.poll(() => outcomes(page, 'echo')).toEqual(['succeeded', 'succeeded']);
  for (const id of ids) await expect.poll(() => phaseOf(page, id), { timeout: 20_000 }).toBe('failed');
  await pageLink(page, 'Servers').click();
  const list = page.getByRole('region', { name: 'Your servers' });
  for (const [name, , word] of broken) await expect(list.getByRole('listitem').filter({ hasText: name })).toContainText(word);
  await expect(list.getByRole('listitem').filter({ hasText: 'Healthy' })).toContainText('Connected');
  await pageLink(page, 'Chat').click();
  await expect(conversation(page)).toContainText('meanwhile');
});

test('a server may flood, mix text in, send nonsense or huge frames, or die, and only its own call shows it', async ({ page }) => {
  await addServer(page, 'Healthy', 'calls.mjs');
  await addServer(page, 'Garbled', 'broken.mjs', ['garbage-json']);
  await addServer(page, 'Huge', 'broken.mjs', ['huge-frame']);
  await addServer(page, 'Noisy', 'broken.mjs', ['floods-stderr']);
  await addServer(page, 'Talker', 'broken.mjs', ['banner']);
  await addServer(page, 'Mixed', 'broken.mjs', ['not-a-schema']);
  await runTool(page, 'half json', 'half_json');
  await runTool(page, 'result of wrong type', 'result_of_wrong_type');
  await runTool(page, 'ten', 'ten');
  await expect.poll(() => outcomes(page, 'ten'), { timeout: 20_000 }).toEqual(['succeeded']);
  await runTool(page, 'seventy', 'seventy');
  await expect.poll(async () => (await outcomes(page, 'seventy'))[0], { timeout: 20_000 }).toMatch(/\//);
  await runTool(page, 'good_3', 'good_3');
  await expect.poll(() => outcomes(page, 'good_3')).toEqual(['succeeded']);
  await runTool(page, 'killed', 'killed');
  await expect.poll(async () => (await outcomes(page, 'killed'))[0], { timeout: 20_000 }).toMatch(/\//);
  await runTool(page, 'pid of the process', 'pid');
  await expect.poll(() => outcomes(page, 'pid'), { timeout: 20_000 }).toEqual(['succeeded']);
  await expect(composer(page)).toBeEditable();
});

test('five thousand tools are listed and found, and the window stays quick', async ({ page }) => {
  await addServer(page, 'Many', 'broken.mjs', ['five-thousand']);
  await runTool(page, 'tool_4321', 'tool_4321');
  await expect(conversation(page)).toContainText('called tool_4321');
  await newChat(page);
  await pageLink(page, 'Servers').click();
  await page.getByRole('main').getByRole('link', { name: 'Many' }).click();
  await expect(page.getByRole('tab', { name: /^Tools/ })).toContainText(/5,?000/);
  const find = page.getByRole('textbox', { name: 'Find a tool of this server' });
  await find.fill('tool_4999');
  const list = page.getByRole('tabpanel', { name: /^Tools/ });
  await expect(list.getByRole('button', { name: /^tool_4999/ })).toBeVisible();
  // Only what is in sight exists.
  await find.fill('');
  await expect(list.getByRole('button', { name: /^tool_0/ })).toBeVisible();
  expect(await list.getByRole('button').count()).toBeLessThan(200);
});
