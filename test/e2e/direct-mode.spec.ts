import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { look } from './look.ts';
import { activity, addServer, chooseFolder, composer, conversation, newChat, openTool, outcomes, question, runTool } from './person.ts';

test('a first start works in Direct mode with Notes and Files: no key, no account, nothing running before it is used', async ({
  app,
  page,
  folder,
}) => {
  await expect(composer(page)).toBeFocused();
  const rows = Object.values((await appState(page)).servers);
  expect(rows.map((row) => [row.definition.name, row.connection.phase])).toEqual([
    ['Notes', 'stopped'],
    ['Files', 'needs'],
  ]);

  await test.step('a note is added by a form and found again', async () => {
    await runTool(page, 'add a note', 'Add a note', { title: 'Plums', text: 'Buy plums on Friday' });
    await expect(conversation(page)).toContainText('Added "Plums"');
    await runTool(page, 'find notes', 'Find notes', { query: 'friday' });
    await expect(conversation(page)).toContainText('Find notes');
    await expect.poll(() => outcomes(page, 'find_notes')).toEqual(['succeeded']);
    await expect(conversation(page).getByText('Plums').last()).toBeVisible();
    await runTool(page, 'list notes', 'List notes');
    await expect.poll(() => outcomes(page, 'list_notes')).toEqual(['succeeded']);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('add_note · Notes');
    expect((await appState(page)).approvals).toEqual([]);
  });

  await test.step('what is missing is said on the form before anything runs, and the tool’s own error in its words', async () => {
    await newChat(page);
    const form = await openTool(page, 'delete a note', 'Delete a note');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(form.getByRole('status').filter({ hasText: 'One field needs a look.' })).toBeVisible();
    await expect(form.getByRole('textbox', { name: 'id' })).toHaveAttribute('aria-invalid', 'true');
    expect((await appState(page)).chats).toHaveLength(1);
    await form.getByRole('textbox', { name: 'id' }).fill('nosuchnote01');
    await form.getByRole('button', { name: 'Run', exact: true }).click();
    await expect(conversation(page)).toContainText('Notes reports an error, in its own words:');
    await expect.poll(() => outcomes(page, 'delete_note')).toEqual(['tool-error']);
  });

  await test.step('Files is off until a folder is opened, and then reads that folder', async () => {
    await newChat(page);
    await writeFile(join(folder, 'hello.txt'), 'a line in a file');
    await chooseFolder(app, folder);
    await page.getByRole('button', { name: 'Open a project folder' }).click();
    await expect(page.getByRole('button', { name: `Project: ${folder}` })).toBeVisible();
    await runTool(page, 'list directory', 'List Directory', { path: folder });
    await expect(conversation(page)).toContainText('hello.txt');
  });
});

test('results are shown as what they are, whatever their kind', async ({ page }) => {
  await addServer(page, 'Results', 'broken.mjs', ['results']);
  const shows = async (tool: string, expected: () => Promise<unknown>) => {
    await newChat(page);
    await runTool(page, tool.replaceAll('_', ' '), tool);
    await expected();
  };
  const log = conversation(page);
  await shows('image', async () => {
    const image = log.getByRole('img', { name: /^Image, image\/png/ });
    await expect.poll(() => image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0))).toBe(1);
  });
  await shows('resource_link', async () => {
    await expect(log).toContainText('report');
    await expect(log).toContainText('doc://105');
    await expect(log.getByRole('button', { name: 'Copy address' })).toBeVisible();
  });
  await shows('structured_only', async () => {
    await expect(log).toContainText('answer');
    await expect(log).toContainText('42');
  });
  await shows('tool_error', async () => await expect(log).toContainText('The row is locked.'));
  await shows('empty', async () => await expect(log).toContainText('The tool answered with nothing, which counts as done.'));
  await shows('ansi_bidi', async () => {
    // Nothing that a server writes may reorder or hide what stands around it.
    expect(await log.evaluate((element) => /[\p{Cf}\p{Cc}]/u.test(element.textContent.replaceAll('\n', '')))).toBe(false);
    await expect(log).toContainText('gnp.exe');
  });
});

test('a person runs a script without a model: found by its name or in the palette; each of its calls asks, and its card shows them', async ({ page }, info) => {
  const form = await openTool(page, 'script', 'Run a script');
  await expect(form).toContainText('Gatehouse · mcp_script');
  const code = "const added = await tools.call('mcp_notes_add_note', { title: 'Plums', text: 'from a script' });\nreturn added.ok ? 'It is noted.' : added.error.message;";
  await form.getByRole('textbox', { name: 'code' }).fill(code);
  await look(page, info, 'script-form');
  await form.getByRole('button', { name: 'Run', exact: true }).click();
  // The press is for the script; what it calls is asked about like any other call.
  await expect(question(page)).toContainText('from a script', { timeout: 20_000 });
  await look(page, info, 'script-asks');
  await question(page).getByRole('button', { name: 'Allow once' }).click();
  await expect(conversation(page)).toContainText('It is noted.');
  await expect.poll(() => outcomes(page, 'add_note')).toEqual(['succeeded']);
  await expect.poll(() => outcomes(page, 'mcp_script')).toEqual(['succeeded']);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Script: const added/);
  await look(page, info, 'script-done');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search everything' }).fill('run a script');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Run Run a script', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Close this tool' }).click();
  await newChat(page);
  await page.getByRole('button', { name: 'Run a script' }).click();
  await expect(page.getByRole('region', { name: 'Run Run a script', exact: true })).toBeVisible();
});

test('a running call can be cancelled by its button and by Esc, and the server is told', async ({ page }) => {
  await addServer(page, 'Slow', 'broken.mjs', ['slow']);
  await runTool(page, 'wait', 'wait', { ms: '60000' });
  await conversation(page).getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(conversation(page)).toContainText('This call was cancelled. It was told to stop.');
  await expect.poll(() => activity(page)).toBe('idle');

  await runTool(page, 'wait', 'wait', { ms: '60000' });
  await expect(conversation(page).getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(() => activity(page)).toBe('idle');
  await expect.poll(() => outcomes(page, 'wait')).toEqual(['cancelled', 'cancelled']);

  await newChat(page);
  await runTool(page, 'was cancelled', 'was_cancelled');
  await expect(conversation(page)).toContainText('started2');
  await expect(conversation(page)).toContainText('waiting0');
});

test('what the chat may not use is found and says so', async ({ page }, info) => {
  await runTool(page, 'list notes', 'List notes');
  await expect.poll(() => outcomes(page, 'list_notes')).toEqual(['succeeded']);
  const { chats, servers } = await appState(page);
  const serverId = Object.values(servers).find(({ definition }) => definition.name === 'Notes')?.definition.id;
  await give(page, 'chats.set-tools', { chatId: chats[0]?.id, tools: { serversOff: [], toolsOff: [{ serverId, tool: 'delete_note' }] } });
  await composer(page).fill('delete a note');
  await expect(page.getByRole('option', { name: /^Delete a note/ })).toContainText('not for this chat');
  await expect(page.getByRole('option', { name: /^Add a note/ })).not.toContainText('not for this chat');
  await look(page, info, 'cards');
  await newChat(page);
  await composer(page).fill('delete a note');
  await expect(page.getByRole('option', { name: /^Delete a note/ })).not.toContainText('not for this chat');
});

test('Direct mode refuses what is locked down, and a tool that is no longer the one on the form', async ({ page, folder }) => {
  await give(page, 'settings.update', { approvals: 'locked-down' });
  await runTool(page, 'list notes', 'List notes');
  await expect(conversation(page)).toContainText('A rule denied this call. It did not run.');
  await expect.poll(() => outcomes(page, 'list_notes')).toEqual(['denied']);
  await give(page, 'settings.update', { approvals: 'approval-required' });

  await newChat(page);
  const definition = join(folder, 'definition.json');
  await writeFile(definition, JSON.stringify({ description: 'Looks at a row' }));
  const serverId = await addServer(page, 'Shifty', 'defined.mjs', [definition]);
  const form = await openTool(page, 'row', 'row');
  await expect(form).toContainText('Looks at a row');
  await writeFile(definition, JSON.stringify({ description: 'Deletes a row' }));
  await give(page, 'servers.restart', { serverId });
  await form.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(conversation(page).or(form)).toContainText(/look at it again|changed/i);
  expect(await outcomes(page, 'row')).not.toContain('succeeded');
});
