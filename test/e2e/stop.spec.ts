import { RawServer, type Exchange } from '../servers/http/raw-server.ts';
import { startModelServer } from '../support/model-server.ts';
import { appState, give } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { addServer, chatState, conversation, lastChat, newChat, outcomes, send, useModel } from './person.ts';

test('stop ends a call that the server hears of, drops its late answer and leaves the chat ready', async ({ page }) => {
  const serverId = await addServer(page, 'Slow', 'broken.mjs', ['slow']);
  await using server = await startModelServer();
  server.on(
    { predicate: ({ messages }) => JSON.stringify(messages.at(-1)).includes('Wait') },
    { calls: [{ name: 'mcp_slow_wait', args: { ms: 1_500, stubborn: true } }] },
  );
  server.on({ predicate: ({ messages }) => messages.at(-1)?.role === 'tool' }, { text: 'It has waited.' });
  server.on({}, { text: 'Here I am.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { approvals: 'unrestricted' });
  await send(page, 'Wait');
  await expect.poll(() => outcomes(page, 'wait')).toEqual(['running']);
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(conversation(page)).toContainText('You stopped it here.');
  await expect.poll(() => outcomes(page, 'wait')).toEqual(['cancelled']);
  await send(page, 'Are you there?');
  await expect(conversation(page)).toContainText('Here I am.');

  const { chatId } = await give<{ readonly chatId: Parameters<typeof chatState>[1] }>(page, 'chats.create', { model: null });
  const catalog = await give<{ readonly tools: readonly { readonly ref: { readonly tool: string } }[] }>(page, 'servers.catalog', {
    serverId,
  });
  const ref = catalog.tools.find((tool) => tool.ref.tool === 'was_cancelled')?.ref;
  const told = async () => {
    await give(page, 'chats.call-tool', { chatId, ref, args: {} });
    return JSON.stringify((await chatState(page, chatId)).calls);
  };
  // One was started, one was cancelled, and the stubborn one has answered all the same.
  await expect.poll(told).toMatch(/started.{1,5}:1,.{1,6}waiting.{1,5}:0/);
  expect(await told()).not.toMatch(/cancelled.{1,5}:\[\]/);
  const [, stopped] = (await appState(page)).chats;
  expect(JSON.stringify(stopped && (await chatState(page, stopped.id)).calls)).not.toContain('waited');
});

test('stop reaches a server over HTTP by a message or by the end of the stream, and its late answer is dropped', async ({ page }) => {
  const held: Exchange[] = [];
  const hold = (exchange: Exchange) => exchange.seen.rpc === 'tools/call' && held.push(exchange) > 0;
  await using older = await RawServer.start({ take: hold, name: 'older' });
  await using newer = await RawServer.start({ take: hold, name: 'newer', modern: true });
  await using server = await startModelServer();
  for (const [name, { url }] of [
    ['Older', older],
    ['Newer', newer],
  ] as const) {
    await give(page, 'servers.add', { name, transport: { type: 'streamable-http', url, headers: {} } });
    server.on(
      { predicate: ({ messages }) => JSON.stringify(messages.at(-1)).includes(`Ask ${name}`) },
      { calls: [{ name: `mcp_${name.toLowerCase()}_echo`, args: { text: name } }] },
    );
  }
  server.on({}, { text: 'Here I am.' });
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await give(page, 'settings.update', { approvals: 'unrestricted' });

  for (const [index, name] of ['Older', 'Newer'].entries()) {
    await newChat(page);
    await send(page, `Ask ${name}`);
    await expect.poll(() => held.length).toBe(index + 1);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await expect(conversation(page)).toContainText('You stopped it here.');
    const call = held[index];
    if (name === 'Older')
      await expect.poll(() => older.of('notifications/cancelled').map(({ params }) => params['requestId'])).toEqual([call?.seen.id]);
    else await expect.poll(() => call?.response.destroyed).toBe(true);
    call?.json({ content: [{ type: 'text', text: 'much too late' }], resultType: 'complete' });
    await send(page, 'Are you there?');
    await expect(conversation(page)).toContainText('Here I am.');
    await expect.poll(() => outcomes(page, 'echo')).toEqual(['cancelled']);
    expect(JSON.stringify([await lastChat(page), server.requests().at(-1)?.body])).not.toContain('much too late');
  }
});
