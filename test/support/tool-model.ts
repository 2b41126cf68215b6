import { startModelServer, type ModelReply, type ModelServer } from './model-server.ts';
import type { TestApp } from './test-app.ts';
import type { ProviderKind } from '../../src/shared/model/settings.ts';
import type { ChatId } from '../../src/shared/ids.ts';
import type { ChatState } from '../../src/shared/state/chat-state.ts';

interface OfferedDefinition {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A model that makes these calls, one answer after another, and then says “Done”. */
export async function scriptedModel(...steps: readonly (readonly { readonly name: string; readonly args: unknown }[])[]): Promise<ModelServer> {
  const server = await startModelServer();
  steps.forEach((calls, at) => {
    const reply: ModelReply = { calls: calls.map((call, index) => ({ ...call, id: `call_${at}_${index}` })) };
    server.on({ predicate: ({ messages }) => answersSince(messages) === at }, reply);
  });
  server.on({}, { text: 'Done' });
  return server;
}

/** Model answers with calls since the person's last message. */
function answersSince(messages: readonly { readonly role: string }[]): number {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.slice(last + 1).filter(({ role }) => role === 'assistant').length;
}

export async function useModel(test: TestApp, server: ModelServer, kind: ProviderKind = 'openai-compatible'): Promise<void> {
  const { providerId } = await test.ask('models.save-provider', { kind, name: 'Test', baseUrl: server.baseUrl(kind), key: 'sk-canary-123456', models: ['m1'] });
  await test.ask('settings.update', { model: { providerId, model: 'm1' } });
}

/** What a request offered, by name. */
export function offeredTo(server: ModelServer, request = -1): ReadonlyMap<string, OfferedDefinition> {
  const body = server.requests().at(request)?.body as { readonly tools?: readonly { readonly function: OfferedDefinition }[] } | undefined; // the form of Chat Completions
  return new Map((body?.tools ?? []).map(({ function: one }) => [one.name, one]));
}

export async function runToRest(test: TestApp, text: string, chatId?: ChatId): Promise<ChatState> {
  const id = chatId ?? (await test.newChat());
  await test.ask('chats.send', { chatId: id, text });
  // A message is on disk before its run begins.
  return test.untilChat(id, ({ run, items }) => run.phase !== 'running' && items.length > 0 && items.at(-1)?.kind !== 'user');
}
