import { startModelServer } from '../support/model-server.ts';
import { appState } from './bridge.ts';
import { expect, test } from './fixtures.ts';
import { processesOf } from './left-processes.ts';
import { activity, addServer, conversation, outcomes, page as pageLink, question, send, useModel } from './person.ts';

test('killed with a call running and a question open, it starts again with all of it, settles honestly and goes on', async ({
  page,
  relaunch,
  folder,
}) => {
  await using server = await startModelServer();
  const isLast =
    (words: string) =>
    ({ messages }: { readonly messages: readonly unknown[] }) =>
      JSON.stringify(messages.at(-1)).includes(words);
  server.on(
    { predicate: isLast('Wait') },
    {
      text: 'I wait.',
      calls: [
        { name: 'mcp_slow_wait', args: { ms: 600_000 } },
        { name: 'mcp_slow_echo', args: { text: 'hello' } },
      ],
    },
  );
  server.on({ predicate: ({ messages }) => messages.some((message) => message.role === 'tool') }, { text: 'I went on.' });
  await addServer(page, 'Slow', 'broken.mjs', ['slow']);
  await useModel(page, server, 'openai-compatible', 'llama3.2');
  await send(page, 'Wait');
  // Two questions: the first is allowed and runs, the second stays open.
  await expect(question(page)).toContainText('wait on Slow');
  await question(page).getByRole('button', { name: 'Allow once' }).click();
  await expect(question(page)).toContainText('echo on Slow');
  await expect.poll(() => outcomes(page, 'wait')).toEqual(['running']);
  await expect.poll(() => outcomes(page, 'echo')).toEqual(['waiting']);

  const { page: again } = await relaunch({ kill: true });
  expect((await appState(again)).approvals).toEqual([]);
  // The leftovers of the killed app are ended at the start of the next one, before anything asks for a server.
  await expect.poll(async () => (await processesOf(folder)).filter(({ command }) => command.includes('broken.mjs'))).toEqual([]);
  await again.getByRole('list', { name: 'Chats' }).getByRole('link', { name: /^Wait/ }).click();
  await expect(conversation(again)).toContainText('I wait.');
  await expect(conversation(again)).toContainText('Outcome unknown');
  await expect(conversation(again)).toContainText('Gatehouse ended in the middle of this. What had arrived is here.');
  expect([await outcomes(again, 'wait'), await outcomes(again, 'echo')]).toEqual([['tool/outcome-unknown'], ['cancelled']]);
  await expect(question(again)).toBeHidden();
  await expect(pageLink(again, 'Approvals')).not.toContainText('1');

  await conversation(again).getByRole('button', { name: /wait/ }).first().click();
  await expect(conversation(again)).toContainText('It is not known whether wait ran.');
  await conversation(again).getByRole('button', { name: 'Continue' }).click();
  await expect(conversation(again)).toContainText('I went on.');
  await expect.poll(() => activity(again)).toBe('idle');
  // What the model is told of both calls: the wire takes nothing without a result for each.
  const told = server.requests().at(-1)?.body as
    | { readonly messages: readonly { readonly role: string; readonly content: unknown }[] }
    | undefined; // the mock's own form
  const results = (told?.messages ?? []).filter((message) => message.role === 'tool').map((message) => JSON.stringify(message.content));
  expect(results).toHaveLength(2);
  expect(results[0]).toMatch(/may or may not have taken effect|not known/i);
});
