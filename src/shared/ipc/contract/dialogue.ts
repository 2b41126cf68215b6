import * as z from 'zod';
import { ElicitationId } from '../../ids.ts';
import { ElicitationAction, ElicitationContent } from '../../model/elicitation.ts';
import { request } from '../define.ts';

export const dialogue = {
  /**
   * A person's answer to a question of a server. To accept one for a page opens the page; to cancel one that is open puts it away. Throws `elicitation/not-found` when it
   * was answered before or is over, `request/invalid` with `data.problems` when the content does not fit the form: the question stays then; `user/needed` without a browser.
   */
  'dialogue.answer': request<void>()(z.strictObject({ id: ElicitationId, action: ElicitationAction, content: ElicitationContent.optional() })),
};
