import { AxeBuilder } from '@axe-core/playwright';
import type { Page, TestInfo } from '@playwright/test';
import { RawServer } from '../servers/http/raw-server.ts';
import { startModelServer, type ModelReply, type ModelServer } from '../support/model-server.ts';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { activity, conversation, page as pageLink, question, send, useModel } from './person.ts';

const tool = (name: string) => ({ name, description: `Does what ${name} says`, inputSchema: { type: 'object', properties: {} } });
/** A model that answers with these in turn, whatever it is told. */
async function inTurn(...replies: readonly ModelReply[]): Promise<ModelServer> {
  const server = await startModelServer();
  for (const [at, reply] of replies.entries()) server.on({ predicate: ({ messages }) => messages.filter(({ role }) => role === 'assistant').length === at }, reply);
  return server;
}
const wanting = (url: string, server_name: string): ModelReply => ({ calls: [{ name: 'mcp', args: { action: 'call', tool: 'connect_mcp', args: { url, server_name } } }] });

async function look(page: Page, info: TestInfo, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await info.attach(`${name}-${colorScheme}`, { body: await page.screenshot(), contentType: 'image/png' });
    expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join()}`)).toEqual([]);
  }
}

test('a model that wants a new server asks with the whole address, to be allowed once or not at all, whatever else is allowed; its tools are used in that run', async ({ page }, info) => {
  test.slow();
  await using orchard = await RawServer.start({ tools: [tool('pick_plums')] });
  await using other = await RawServer.start({ tools: [tool('pick_pears')] });
  const address = `${orchard.url}?grove=${'7'.repeat(150)}&last=END`;
  await using server = await inTurn(wanting(address, 'orchard'), wanting(address, 'orchard'), { calls: [{ name: 'mcp', args: { action: 'call', tool: 'pick_pears' } }] }, { text: 'All is picked.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { approvals: 'unrestricted' });
  await send(page, 'Pick what there is');

  const card = question(page);
  await expect(card).toBeVisible();
  await expect(card.getByRole('heading', { name: 'Connect to a new server', exact: true })).toBeVisible();
  await expect(card.getByRole('definition').first()).toHaveText(address);
  await expect(card).toContainText('Nothing has been sent yet.');
  await expect(card.getByRole('button', { name: /^Allow|^Always/ })).toHaveText(['Allow once']);
  await look(page, info, 'question');
  expect(orchard.seen).toEqual([]);
  const first = (await appState(page)).approvals[0]?.id;
  await card.getByRole('button', { name: 'Deny', exact: true }).click();

  // It asks again, also among all questions; the person may lead it elsewhere.
  await expect.poll(async () => (await appState(page)).approvals.filter(({ id }) => id !== first).length).toBe(1);
  await pageLink(page, 'Approvals').click();
  await card.getByRole('button', { name: 'Edit arguments…' }).click();
  await card.getByRole('textbox', { name: /url/i }).fill(other.url);
  await card.getByRole('button', { name: 'Allow with these arguments' }).click();
  await expect.poll(() => activity(page)).toBe('idle');
  await page.goBack();
  const log = conversation(page);
  await expect(log).toContainText('All is picked.');
  await expect(log.getByRole('button', { name: /Asked to connect http/ })).toHaveCount(2);
  await expect(log.getByRole('button', { name: /pick_pears orchard/ })).toBeVisible();
  await look(page, info, 'connected');
  expect(orchard.seen).toEqual([]);
  expect(other.of('tools/call')).toHaveLength(1);
  // It was that run's alone.
  expect(Object.values((await appState(page)).servers).map(({ definition }) => definition.name)).not.toContain('orchard');
});
