import * as z from 'zod';
import { ContentId } from '../ids.ts';

/** A pointer to bytes kept outside state. Read through `content://<id>` or `contents.read`. */
export const ContentRef = z.strictObject({ id: ContentId, mimeType: z.string().max(200), bytes: z.number().int().nonnegative() });
export type ContentRef = z.infer<typeof ContentRef>;

/** A part of a tool's result, as it may be shown. Binary and large parts are references. */
export const ResultPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), truncated: z.strictObject({ ref: ContentRef, lines: z.number() }).optional() }),
  z.strictObject({ type: z.literal('image'), ref: ContentRef }),
  z.strictObject({ type: z.literal('audio'), ref: ContentRef }),
  z.strictObject({ type: z.literal('blob'), uri: z.string(), ref: ContentRef }),
  z.strictObject({ type: z.literal('resource-link'), uri: z.string(), name: z.string(), title: z.string().optional(), description: z.string().optional(), mimeType: z.string().optional() }),
  z.strictObject({ type: z.literal('resource-text'), uri: z.string(), mimeType: z.string().optional(), text: z.string(), truncated: z.strictObject({ ref: ContentRef, lines: z.number() }).optional() }),
  /** A kind of part that this version does not know, as JSON text. */
  z.strictObject({ type: z.literal('unknown'), json: z.string() }),
]);
export type ResultPart = z.infer<typeof ResultPart>;

export const ToolResult = z.strictObject({
  parts: z.array(ResultPart).readonly(),
  /** Any JSON value, `null`, `false` and `0` included; absent is different from null. Large ones are a reference. */
  structured: z.union([z.strictObject({ json: z.string() }), z.strictObject({ ref: ContentRef })]).optional(),
  /** Set when the structured content does not fit the tool's output schema; the content is kept all the same. */
  schemaMismatch: z.string().optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;
