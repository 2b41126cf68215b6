import * as z from 'zod';

const positive = z.number().int().min(1).max(1_073_741_824);

/** Whether long results are cut, and where: bytes and lines of text that are shown and sent to a model, bytes of a raw result in the chat's record (F-123). */
export const OutputGuard = z.union([z.boolean(), z.strictObject({ maxBytes: positive.optional(), maxLines: positive.optional(), detailsMaxBytes: positive.optional() })]);
export type OutputGuard = z.infer<typeof OutputGuard>;
