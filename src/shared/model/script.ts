import * as z from 'zod';
import { ToolCallId } from '../ids.ts';

/** One thing that a script asked of Gatehouse. */
export const ScriptCall = z.strictObject({
  kind: z.enum(['search', 'describe', 'call', 'resources', 'read-resource', 'read-result']),
  /** What was asked for: a query, a tool's path, a URI, a reference. At most 200 characters. */
  name: z.string().max(200),
  server: z.string().max(200).optional(),
  /** Absent for one that did not end before the script did. */
  ok: z.boolean().optional(),
  /** The error's code where it is not ok. */
  code: z.string().max(100).optional(),
  /** Until its answer, a person's time included. */
  ms: z.number().nonnegative(),
  /** The call to a server that it became: its story is in the chat. */
  callId: ToolCallId.optional(),
});
export type ScriptCall = z.infer<typeof ScriptCall>;

/** How a script went, beside what it put out (F-131, F-139). */
export const ScriptDetails = z.strictObject({
  calls: z.array(ScriptCall).max(2_000).readonly(),
  /** The limit that held; `null` for none. */
  timeoutMs: z.number().nullable(),
  error: z
    .strictObject({
      /** One that was aborted has no result: its outcome is `cancelled`. */
      code: z.enum(['timeout', 'script_error', 'call_capture_failed']),
      message: z.string(),
      /** Of the code, from 1. */
      line: z.number().int().positive().optional(),
    })
    .optional(),
});
export type ScriptDetails = z.infer<typeof ScriptDetails>;
