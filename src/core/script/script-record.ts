import * as z from 'zod';
import { ToolCallId } from '../../shared/ids.ts';
import { ScriptCall } from '../../shared/model/script.ts';

/**
 * All that a script needs to go on after it stood still for a person, in another process too. It holds what the script was told and what it asked for, so it is
 * kept sealed.
 */
export const ScriptRecord = z.object({
  v: z.literal(1),
  code: z.string(),
  timeoutMs: z.number().nullable(),
  /** What is left of it. */
  leftMs: z.number().nullable(),
  trace: z.array(ScriptCall),
  notes: z.array(z.string()),
  continuation: z.string(),
  pauses: z.array(
    z.object({
      id: z.string(),
      at: z.number().int(),
      params: z.record(z.string(), z.unknown()),
      /** The call that asks the person, once it is recorded. */
      callId: ToolCallId.optional(),
      /** What the script gets, once there is an answer. */
      json: z.string().optional(),
    }),
  ),
});
export type ScriptRecord = z.infer<typeof ScriptRecord>;
export type Pause = ScriptRecord['pauses'][number];
