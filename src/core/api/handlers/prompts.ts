import type { prompts } from '../../../shared/ipc/contract/prompts.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const promptHandlers = ({ prompts: all, remembered }: Parts): Handlers<typeof prompts> => ({
  'prompts.commands': async () => {
    await remembered();
    return all.commands();
  },
  'prompts.run': async ({ text, chatId }, { signal }) => {
    await remembered();
    return all.typed(text, chatId, signal);
  },
  'prompts.get': async ({ serverId, prompt, args, chatId }, { signal }) => {
    await remembered();
    return all.filled(serverId, prompt, args, chatId, signal);
  },
  'prompts.complete': ({ serverId, of, argument, value, others }, { signal }) =>
    all.complete(serverId, { ref: 'prompt' in of ? { type: 'ref/prompt', name: of.prompt } : { type: 'ref/resource', uri: of.template }, argument: { name: argument, value }, others }, signal),
});
