import { AppError } from '../../../shared/errors.ts';
import type { ownTools } from '../../../shared/ipc/contract/own-tools.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { contextWithoutChat, executeOwn, logRecorder, ownCall } from '../../runs/own-calls.ts';
import type { Parts } from '../parts.ts';

export const ownToolHandlers = ({ chats, ownTools: tools, log, newId, remembered }: Parts): Handlers<typeof ownTools> => ({
  'own-tools.list': () => Promise.resolve({ tools: tools.atStart }),
  'own-tools.run': async ({ name, args, chatId }, { caller, signal }) => {
    await remembered();
    if (chatId !== undefined) return { outcome: await (await chats.get(chatId, signal)).useOwnTool(name, args, signal) };
    if ('door' in caller) throw new AppError('request/invalid', 'A window uses a tool in a chat');
    const call = ownCall(name, args, caller, newId);
    return { outcome: await executeOwn(call, logRecorder(call, log), contextWithoutChat(call, log), { ownTools: tools, log, newId }, signal) };
  },
});
