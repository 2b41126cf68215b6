import type { dialogue } from '../../../shared/ipc/contract/dialogue.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';
import { refuseHttp } from '../refuse-http.ts';

export const dialogueHandlers = ({ elicitations }: Parts): Handlers<typeof dialogue> => ({
  'dialogue.answer': async ({ id, action, content }, context) => {
    refuseHttp(context);
    await elicitations.answer(id, action, content ?? {}, context.signal);
  },
});
