import type { chats } from '../../../shared/ipc/contract/chats.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { adopted } from '../../contents/adopt.ts';
import type { Parts } from '../parts.ts';

export const chatHandlers = ({ chats: all, contents, grants }: Parts): Handlers<typeof chats> => ({
  'chats.create': async ({ model, profile }, { signal }) => ({ chatId: await all.create({ model, profile }, signal) }),
  'chats.rename': async ({ chatId, title }, { signal }) => (await all.get(chatId, signal)).rename(title),
  'chats.delete': async ({ chatId }, { signal }) => {
    await all.remove(chatId, signal);
    grants.forgetChat(chatId);
  },
  'chats.choose-model': async ({ chatId, model }, { signal }) => (await all.get(chatId, signal)).chooseModel(model),
  'chats.choose-profile': async ({ chatId, profile }, { signal }) => (await all.get(chatId, signal)).chooseProfile(profile),
  'chats.send': async ({ chatId, text, attachments = [] }, { signal }) => (await all.get(chatId, signal)).send(text, await adopted(attachments, chatId, contents, signal)),
  'chats.continue': async ({ chatId }, { signal }) => (await all.get(chatId, signal)).continue(),
  'chats.stop': async ({ chatId }, { signal }) => (await all.get(chatId, signal)).stop(),
  'chats.call-tool': async ({ chatId, ref, args }, { signal }) => ({ callId: await (await all.get(chatId, signal)).callTool(ref, args) }),
  'chats.set-tools': async ({ chatId, tools }, { signal }) => (await all.get(chatId, signal)).setTools(tools),
  'chats.cancel-call': async ({ chatId, callId }, { signal }) => (await all.get(chatId, signal)).cancelCall(callId),
});
