import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { ProviderKind } from '../../src/shared/model/settings.ts';
import { startModelServer, type ModelReply, type ModelServer } from '../support/model-server.ts';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import {
  activity,
  addProvider,
  addServer,
  composer,
  conversation,
  lastChat,
  newChat,
  openTool,
  outcomes,
  page as pageLink,
  runTool,
  question,
  send,
  useModel,
} from './person.ts';

const allow = (page: Page, how: string) => question(page).getByRole('button', { name: how, exact: true }).click();
const always = async (page: Page, entry: string) => {
  await allow(page, 'Always…');
  await page.getByRole('menuitem', { name: entry }).click();
};

/** A loop of two steps: one note is added, then all are listed, then the model has the last word. */
async function twoSteps(): Promise<ModelServer> {
  const server = await startModelServer({ chunkSize: 12 });
  server.on(
    { hasToolResult: false },
    { text: 'I add it first.', calls: [{ name: 'mcp_notes_add_note', args: { title: 'Plums', text: 'Buy plums' }, id: 'call_1' }] },
  );
  server.on({ toolCallId: 'call_1' }, { text: 'Now I look.', calls: [{ name: 'mcp_notes_list_notes', args: {}, id: 'call_2' }] });
  server.on({ toolCallId: 'call_2' }, { text: 'Your note is there.' });
  // Where a protocol does not carry our call ids, what came back tells the steps apart.
  server.on({ hasToolResult: true }, { text: 'Your note is there.' });
  return server;
}

/** Calls one tool for each message, and ends when its result is there. */
async function oneCallEach(name: string, args: unknown, last: ModelReply = { text: 'That was it.' }): Promise<ModelServer> {
  const server = await startModelServer();
  server.on({ hasToolResult: false }, { calls: [{ name, args }] });
  server.on({ predicate: (request) => request.messages.at(-1)?.role === 'tool' }, last);
  server.on({}, { calls: [{ name, args }] });
  return server;
}
const lastRequest = (server: ModelServer): string => JSON.stringify(server.requests().at(-1)?.body);

const models: readonly (readonly [ProviderKind, string])[] = [
  ['anthropic', 'claude-sonnet-4-5'],
  ['openai', 'gpt-5'],
  ['google', 'gemini-2.5-flash'],
  ['openai-compatible', 'llama3.2'],
];
for (const [kind, model] of models) {
  test(`a chat over the ${kind} protocol streams, asks before each call and goes on with what came back`, async ({ page, home }) => {
    await using server = await twoSteps();
    await addProvider(page, server, kind, model);
    await give(page, 'settings.update', { directTools: true });
    await send(page, 'Note that I need plums');
    const card = question(page);
    await expect(card).toContainText('Add a note on Notes');
    await expect(card).toContainText('Buy plums');
    await expect.poll(() => outcomes(page, 'add_note')).toEqual(['waiting']);
    await allow(page, 'Allow once');
    await expect(question(page)).toContainText('list_notes');
    await allow(page, 'Allow for this chat');
    await expect(conversation(page)).toContainText('Your note is there.');
    await expect(conversation(page)).toContainText('I add it first.');
    await expect.poll(() => activity(page)).toBe('idle');
    expect([await outcomes(page, 'add_note'), await outcomes(page, 'list_notes')]).toEqual([['succeeded'], ['succeeded']]);
    // Three requests: what each call gave is in the one behind it.
    expect(server.requests().map((entry) => /Added .{1,6}Plums/.test(JSON.stringify(entry.body)))).toEqual([false, true, true]);
    expect(Object.values((await appState(page)).settings.providers[0] ?? {})).not.toContain('sk-canary-0123456789');
    // The key is in no file of the home, and it did reach the provider.
    expect(() => execFileSync('grep', ['-r', '-l', 'sk-canary', home])).toThrow();
    expect(JSON.stringify(server.requests().at(-1)?.headers)).toMatch(/(authorization|x-api-key|x-goog-api-key)":"(Bearer )?\[REDACTED\]/);
  });
}

test('a denial with its reason reaches the model, and what was edited is what runs and is recorded', async ({ page }) => {
  await using server = await oneCallEach('mcp_notes_add_note', { title: 'Plums', text: 'Buy plums' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Note that I need plums');
  await allow(page, 'Deny with a reason…');
  await page.getByRole('textbox', { name: 'Why not?' }).fill('not on Fridays');
  await allow(page, 'Deny');
  await expect(conversation(page)).toContainText('That was it.');
  expect(lastRequest(server)).toContain('not on Fridays');
  await expect.poll(() => outcomes(page, 'add_note')).toEqual(['denied']);

  await send(page, 'Then with pears');
  await allow(page, 'Edit arguments…');
  const card = question(page);
  await card.getByRole('textbox', { name: 'title' }).fill('Pears');
  await card.getByRole('textbox', { name: 'text' }).fill('Buy pears');
  await allow(page, 'Allow with these arguments');
  await expect.poll(() => outcomes(page, 'add_note')).toEqual(['denied', 'succeeded']);
  await expect.poll(() => activity(page)).toBe('idle');
  const calls = Object.values((await lastChat(page)).calls);
  expect(calls.map((view) => view.call.args)).toEqual([
    { title: 'Plums', text: 'Buy plums' },
    { title: 'Pears', text: 'Buy pears' },
  ]);
  expect(lastRequest(server)).toMatch(/Added .{1,6}Pears/);
});

test('what is always allowed does not ask again, after a restart neither, until the tool is another one', async ({
  page,
  folder,
  relaunch,
}) => {
  const definition = join(folder, 'definition.json');
  await writeFile(definition, JSON.stringify({ description: 'Looks at a row' }));
  const serverId = await addServer(page, 'Shifty', 'defined.mjs', [definition]);
  await using server = await oneCallEach('mcp_shifty_row', { id: 7 });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Look at row 7');
  await always(page, 'Always allow this tool');
  await expect(conversation(page)).toContainText('That was it.');
  await newChat(page);
  await send(page, 'Again');
  await expect(conversation(page)).toContainText('That was it.');

  const { page: second } = await relaunch();
  await newChat(second);
  await send(second, 'And again');
  await expect(conversation(second)).toContainText('That was it.');
  await expect.poll(() => outcomes(second, 'row')).toEqual(['succeeded']);

  await writeFile(definition, JSON.stringify({ description: 'Deletes a row' }));
  const { page: third } = await relaunch();
  // A model is offered what is remembered until the server was seen again; a call of what is no more is refused.
  await give(third, 'servers.start', { serverId });
  await newChat(third);
  await send(third, 'Once more');
  const card = question(third);
  await expect(card).toContainText('This tool has changed since you allowed it.');
  await expect(card).toContainText('Looks at a row');
  await expect(card).toContainText('Deletes a row');
  await expect.poll(() => outcomes(third, 'row')).toEqual(['waiting']);
  await always(third, 'Allow every tool of Shifty');
  await expect(conversation(third)).toContainText('That was it.');
  expect((await appState(third)).grants.map((grant) => grant.tool)).toEqual([undefined]);

  // Taken back on the page of approvals, where the next question can be answered too.
  await pageLink(third, 'Approvals').click();
  await third.getByRole('button', { name: 'Revoke: Every tool of this server on Shifty' }).click();
  await expect(third.getByRole('main')).toContainText('Nothing is allowed for longer');
  await newChat(third);
  await send(third, 'Without permission');
  await expect(question(third)).toContainText('row on Shifty');
  await pageLink(third, 'Approvals').click();
  await expect(third.getByRole('main')).toContainText('Asked by');
  await allow(third, 'Deny');
  await expect(third.getByRole('main')).toContainText('Nothing waits for you');
  await expect.poll(() => outcomes(third, 'row')).toEqual(['denied']);
});

test('neither hints nor text nor an allowance for the whole server lowers what a rule asks for, nor starts a form of Direct mode', async ({
  page,
}) => {
  await addServer(page, 'Injects', 'broken.mjs', ['injects']);
  const server = await startModelServer();
  await using _closes = server;
  server.on({ hasToolResult: false }, { calls: [{ name: 'mcp_injects_read_page', args: {} }] });
  server.on(
    { predicate: ({ messages }) => JSON.stringify(messages.at(-1)).includes('Row 7 is old') },
    { calls: [{ name: 'mcp_injects_delete_row', args: { id: 7 } }] },
  );
  server.on({}, { text: 'It is gone.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Read the page');
  // Everything of the server is allowed at the first question.
  await always(page, 'Allow every tool of Injects');
  await expect(conversation(page)).toContainText('It is gone.');

  await give(page, 'settings.update', { approveTools: ['delete_row'] });
  await newChat(page);
  await send(page, 'Read the page');
  const card = question(page);
  await expect(card).toContainText('delete_row on Injects');
  await expect(card).toContainText('user pre-approved delete_row');
  await expect.poll(() => outcomes(page, 'read_page')).toEqual(['succeeded']);
  await expect.poll(() => outcomes(page, 'delete_row')).toEqual(['waiting']);
  await allow(page, 'Deny');
  await expect(conversation(page)).toContainText('It is gone.');
  await expect.poll(() => outcomes(page, 'delete_row')).toEqual(['denied']);

  await newChat(page);
  await page.getByRole('button', { name: /^Model:/ }).click();
  await page.getByRole('option', { name: /^Direct mode/ }).click();
  const form = await openTool(page, 'delete row', 'delete_row');
  await expect(form).toContainText('user pre-approved delete_row');
  await form.getByRole('textbox', { name: 'id' }).fill('8');
  await form.getByRole('button', { name: 'Close this tool' }).click();
  await runTool(page, 'deleted rows', 'deleted_rows');
  // The one of the first chat, which was allowed.
  await expect.poll(async () => JSON.stringify((await lastChat(page)).calls)).toMatch(/deleted.{1,5}:\[7\]/);
});

test('[F-112] the question shows server, tool and arguments, long ones folded below 500 characters, strange characters as marks, with allow once, for this chat and deny', async ({ page }) => {
  await using server = await startModelServer();
  const text = `\u001B[2Jgone\u202Egnp.\u200B${'x'.repeat(2_000)}`;
  server.on({ hasToolResult: false }, { calls: [{ name: 'mcp_notes_add_note', args: { title: 'Plums', text } }] });
  server.on({}, { text: 'As you wish.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Note it');
  const card = question(page);
  await expect(card).toContainText('add_note');
  await expect(card).toContainText('Notes');
  await expect(card).toContainText('Plums');
  await expect(card).toContainText('U+202E');
  const shown = (await card.textContent()) ?? '';
  for (const hidden of ['\u001B', '\u202E', '\u200B']) expect(shown).not.toContain(hidden);
  expect(shown.match(/x{20,}/)?.[0].length ?? 0).toBeLessThanOrEqual(500);
  for (const name of ['Allow once', 'Allow for this chat', 'Deny']) await expect(card.getByRole('button', { name, exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Deny', exact: true }).click();
  await expect(conversation(page)).toContainText('As you wish.');
});

test('a chat begins on the page of the new chat that it was, and the next new chat is another page', async ({ page }) => {
  await using server = await startModelServer();
  server.on({}, { text: 'Good day.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await newChat(page);
  await composer(page).evaluate((field) => field.setAttribute('data-seen', 'first'));
  await send(page, 'Hello');
  await expect(conversation(page)).toContainText('Good day.');
  await expect(composer(page)).toHaveAttribute('data-seen', 'first');
  await expect(composer(page)).toBeFocused();
  await expect(composer(page)).toHaveValue('');

  await newChat(page);
  await expect(conversation(page)).toHaveCount(0);
  await expect(composer(page)).not.toHaveAttribute('data-seen');
  await composer(page).fill('not sent');
  const begun = page.getByRole('link', { name: 'Hello' });
  await begun.click();
  await expect(conversation(page)).toContainText('Good day.');
  await expect(composer(page)).toHaveValue('');
});

test('[F-62] one call of a run is cancelled by its button, and the run goes on', async ({ page }) => {
  await using server = await oneCallEach('mcp_slow_wait', { ms: 60_000 });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { approvals: 'unrestricted' });
  await addServer(page, 'slow', 'broken.mjs', ['slow']);
  await send(page, 'Wait for it');
  await conversation(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(conversation(page)).toContainText('That was it.');
  await expect.poll(() => outcomes(page, 'wait')).toEqual(['cancelled']);
  expect(lastRequest(server)).toContain('The call was cancelled before it ended');
  await expect.poll(() => activity(page)).toBe('idle');
});

test('[F-62] a call of a script is cancelled by its button, and the script goes on; the script by its own, with the call that it waits for', async ({ page }) => {
  await using server = await oneCallEach('mcp_script', { code: "const first = await tools.call('mcp_slow_wait', { ms: 60000 });\nreturn [first.error.code, await tools.call('mcp_slow_wait', { ms: 60000 })];" });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { approvals: 'unrestricted' });
  await addServer(page, 'slow', 'broken.mjs', ['slow']);
  await send(page, 'Wait in a script');
  await expect.poll(() => outcomes(page, 'wait'), { timeout: 15_000 }).toEqual(['running']);
  await conversation(page).getByRole('button', { name: 'Cancel', exact: true }).last().click();
  await expect.poll(() => outcomes(page, 'wait')).toEqual(['cancelled', 'running']);
  expect(await outcomes(page, 'mcp_script')).toEqual(['running']);
  await conversation(page).getByRole('button', { name: 'Cancel', exact: true }).first().click();
  await expect(conversation(page)).toContainText('That was it.');
  await expect.poll(() => outcomes(page, 'mcp_script')).toEqual(['cancelled']);
  await expect.poll(() => outcomes(page, 'wait')).toEqual(['cancelled', 'cancelled']);
  await expect.poll(() => activity(page)).toBe('idle');
});
