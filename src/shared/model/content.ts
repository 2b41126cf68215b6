import * as z from 'zod';
import { ContentId } from '../ids.ts';
import { ScriptDetails } from './script.ts';

/** A pointer to bytes kept outside state. Read through `content://<id>` or `contents.read`. */
export const ContentRef = z.strictObject({ id: ContentId, mimeType: z.string().max(200), bytes: z.number().int().nonnegative() });
export type ContentRef = z.infer<typeof ContentRef>;

/** The text is a beginning; of how much. Without a reference the whole could not be saved. */
const Truncated = z.strictObject({ ref: ContentRef.optional(), lines: z.number(), bytes: z.number() });
export type Truncated = z.infer<typeof Truncated>;

/** A part of a tool's result, as it may be shown. Binary and large parts are references. */
export const ResultPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), truncated: Truncated.optional() }),
  z.strictObject({ type: z.literal('image'), ref: ContentRef }),
  z.strictObject({ type: z.literal('audio'), ref: ContentRef }),
  z.strictObject({ type: z.literal('blob'), uri: z.string(), ref: ContentRef }),
  z.strictObject({ type: z.literal('resource-link'), uri: z.string(), name: z.string(), title: z.string().optional(), description: z.string().optional(), mimeType: z.string().optional() }),
  z.strictObject({ type: z.literal('resource-text'), uri: z.string(), mimeType: z.string().optional(), text: z.string(), truncated: Truncated.optional() }),
  /** A kind of part that this version does not know, as JSON text. */
  z.strictObject({ type: z.literal('unknown'), json: z.string(), truncated: Truncated.optional() }),
  /** A binary part that arrived and could not be saved; `why` is in words. */
  z.strictObject({ type: z.literal('unsaved'), was: z.enum(['image', 'audio', 'blob']), mimeType: z.string(), uri: z.string().optional(), why: z.string() }),
]);
export type ResultPart = z.infer<typeof ResultPart>;

/** What there is in a result that is too large to be shown as it came (F-119). Counts are in bytes of UTF-8 JSON. */
export const ResultSummary = z.strictObject({
  omitted: z.literal(true),
  reason: z.string(),
  isError: z.boolean(),
  bytes: z.number(),
  blockCount: z.number(),
  /** The first 20. */
  blocks: z.array(z.strictObject({ type: z.string(), bytes: z.number(), mimeType: z.string().optional() })).readonly(),
  /** The first 20 keys of the structured content, each cut to 120 characters, with the size of its value. */
  keys: z.array(z.strictObject({ key: z.string(), bytes: z.number() })).readonly(),
});
export type ResultSummary = z.infer<typeof ResultSummary>;

export const ToolResult = z.strictObject({
  parts: z.array(ResultPart).readonly(),
  /**
   * Any JSON value, `null`, `false` and `0` included; absent is different from null. Large ones are a reference. `preview` is what a model reads
   * in its place: the beginning of a large one, nothing when the text says the same already.
   */
  structured: z
    .union([z.strictObject({ json: z.string(), preview: z.string().optional() }), z.strictObject({ ref: ContentRef.optional(), preview: z.string(), bytes: z.number() })])
    .optional(),
  /** Set when the structured content does not fit the tool's output schema, or is missing; the content is kept all the same. */
  schemaMismatch: z.string().optional(),
  /** What the tool takes, in words, beside an error of it (F-128). */
  expected: z.string().optional(),
  /** The whole result as the server sent it, known secrets masked, as JSON (F-120); absent for short plain text. */
  reference: ContentRef.optional(),
  /** The result was larger than what is shown. Of how much text, and how many of the parts a model is told of. */
  cut: z.strictObject({ lines: z.number(), bytes: z.number(), told: z.number() }).optional(),
  /** Why the whole could not be saved, in words. */
  unsaved: z.string().optional(),
  /** The whole result where it is small, else what was in it (F-119); absent for short plain text, which `parts` says whole. */
  details: z.union([z.strictObject({ json: z.string() }), z.strictObject({ summary: ResultSummary })]).optional(),
  /** How a script went that gave this result. */
  script: ScriptDetails.optional(),
});
export type ToolResult = z.infer<typeof ToolResult>;
