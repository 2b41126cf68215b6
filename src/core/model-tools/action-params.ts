import * as z from 'zod';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { refused, type Refusal } from './action-answer.ts';

/** How many items of a list are given at once (F-85). */
export const pageLimits = { usual: 12, most: 100 } as const;

const Name = z.string().trim().min(1).max(1000);
/** More than the most is the most: a model that asks for 500 wants as many as it can get. */
const Limit = z.number().int().min(1).transform((limit) => Math.min(limit, pageLimits.most));
const Offset = z.number().int().min(0);
const page = { limit: Limit.default(pageLimits.usual), offset: Offset.default(0) };
/** Arguments are an object. Stored calls of older hosts hold them as JSON text, and some models write them so (F-83, S7); nothing at all is none. */
const Args = z.unknown().optional().transform((value, context): JsonObject => {
  const found = value === undefined || value === null || value === '' ? {} : typeof value === 'string' ? parsedText(value) : value;
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) return { ...found };
  context.addIssue({ code: 'custom', message: 'must be an object' });
  return z.NEVER;
});

/** What each action takes (F-82). Anything else is refused. */
export const actionParams = {
  status: z.strictObject({}),
  search: z.strictObject({ query: z.string().max(2000).default(''), server: Name.optional(), includeSchemas: z.boolean().default(true), ...page }),
  list: z.strictObject({ server: Name, ...page }),
  describe: z.strictObject({ tool: Name, server: Name.optional() }),
  call: z.strictObject({ tool: Name, server: Name.optional(), args: Args }),
  connect: z.strictObject({ server: Name, ...page }),
  instructions: z.strictObject({ server: Name }),
  resources: z.strictObject({ server: Name, ...page }),
  readResource: z.strictObject({ server: Name, uri: z.string().min(1).max(8192) }),
  readResult: z.strictObject({
    ref: z.string().min(1).max(1000), path: z.string().max(8192).optional(), fields: z.array(z.string().max(1000)).max(200).optional(),
    offset: Offset.optional(), limit: z.number().int().min(1).optional(),
  }),
  authStart: z.strictObject({ server: Name }),
  authComplete: z.strictObject({ server: Name, args: Args }),
  uiMessages: z.strictObject({ server: Name.optional() }),
} as const;

/** Where the browser was sent to, or its code alone; neither, when the answer came by itself (F-167). */
export const CompleteArgs = z.strictObject({ redirectUrl: z.string().trim().min(1).max(16_384).optional(), code: z.string().trim().min(1).max(8_192).optional() });

/** Parsed, or why not in words that help a model to do better. */
export function parsedParams<S extends z.ZodType>(schema: S, params: unknown): { readonly ok: true; readonly value: z.infer<S> } | Refusal {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.slice(0, 5);
  const said = issues.map((issue) => {
    if (issue.code === 'unrecognized_keys') return `unknown: ${issue.keys.slice(0, 10).join(', ')} (a tool's own arguments belong into args)`;
    const place = issue.path.join('.') || 'parameters';
    return issue.code === 'invalid_type' && issue.input === undefined ? `${place} is missing` : `${place}: ${issue.message}`;
  });
  return refused('invalid_arguments', said.join('; '));
}

/** The text's value if it is JSON, once and no deeper; else the text. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
