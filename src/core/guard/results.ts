import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { ContentRef, ResultPart, ToolResult } from '../../shared/model/content.ts';
import { limits } from './limits.ts';

export interface ResultGuardDeps {
  /** Keeps bytes beside the chat and gives a reference. */
  readonly keep: (bytes: Uint8Array, mimeType: string) => Promise<ContentRef>;
  /** Takes known secret values out of text. */
  readonly mask: (text: string) => string;
}

const Part = z.looseObject({ type: z.string() });
const mime = z.string().max(200).optional().catch(undefined);
const Text = z.object({ text: z.string() });
const Media = z.object({ data: z.string(), mimeType: z.string().max(200) });
const Link = z.object({ uri: z.string(), name: z.string().catch(''), title: z.string().optional().catch(undefined), description: z.string().optional().catch(undefined), mimeType: mime });
const Embedded = z.object({ resource: z.object({ uri: z.string(), mimeType: mime, text: z.string().optional(), blob: z.string().optional() }) });

/**
 * What a server returned, as it may be shown and sent on: secrets taken out, long text cut with the whole kept by reference, binary parts
 * by reference. Content that cannot be understood is kept as JSON, never dropped. Throws `tool/result-too-large`.
 */
export async function guardResult(raw: { readonly content?: unknown; readonly structuredContent?: unknown }, deps: ResultGuardDeps): Promise<ToolResult> {
  const content = Array.isArray(raw.content) ? raw.content : raw.content === undefined ? [] : [raw.content];
  const kept = content.slice(0, limits.parts);
  const parts: ResultPart[] = [];
  for (const part of kept) parts.push(await guardPart(part, deps));
  if (content.length > kept.length) parts.push({ type: 'text', text: `[${content.length - kept.length} more parts are left out]` });
  if (raw.structuredContent === undefined) return { parts };
  const json = JSON.stringify(masked(raw.structuredContent, deps.mask));
  const bytes = new TextEncoder().encode(json);
  return { parts, structured: bytes.length <= limits.detailBytes ? { json } : { ref: await deps.keep(bytes, 'application/json') } };
}

/** Masks each string, number and key on its own, so that what is left is JSON still. */
function masked(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') return mask(String(value)) === String(value) ? value : mask(String(value));
  if (Array.isArray(value)) return value.map((item) => masked(item, mask));
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, item]) => [mask(key), masked(item, mask)]));
  return value;
}

async function guardPart(value: unknown, deps: ResultGuardDeps): Promise<ResultPart> {
  const part = Part.safeParse(value);
  const known = part.success ? await guardKnownPart(part.data.type, value, deps) : undefined;
  return known ?? { type: 'unknown', json: (JSON.stringify(masked(value, deps.mask)) ?? 'null').slice(0, limits.detailBytes) };
}

async function guardKnownPart(type: string, value: unknown, deps: ResultGuardDeps): Promise<ResultPart | undefined> {
  if (type === 'text') {
    const parsed = Text.safeParse(value);
    return parsed.success ? { type: 'text', ...(await fold(parsed.data.text, 'text/plain', deps)) } : undefined;
  }
  if (type === 'image' || type === 'audio') {
    const parsed = Media.safeParse(value);
    const bytes = parsed.success ? decode(parsed.data.data) : undefined;
    return parsed.success && bytes ? { type, ref: await deps.keep(bytes, parsed.data.mimeType) } : undefined;
  }
  if (type === 'resource_link') {
    const parsed = Link.safeParse(value);
    if (!parsed.success) return undefined;
    const { uri, name, title, description, mimeType } = parsed.data;
    return { type: 'resource-link', uri: deps.mask(uri), name, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }), ...(mimeType === undefined ? {} : { mimeType }) };
  }
  if (type === 'resource') {
    const parsed = Embedded.safeParse(value);
    if (!parsed.success) return undefined;
    const { uri, mimeType, text, blob } = parsed.data.resource;
    if (text !== undefined) return { type: 'resource-text', uri, ...(mimeType === undefined ? {} : { mimeType }), ...(await fold(text, mimeType ?? 'text/plain', deps)) };
    const bytes = blob === undefined ? undefined : decode(blob);
    if (!bytes) return undefined;
    // Text sent as base64 is text all the same.
    if (mimeType !== undefined && isText(mimeType)) return { type: 'resource-text', uri, mimeType, ...(await fold(new TextDecoder().decode(bytes), mimeType, deps)) };
    return { type: 'blob', uri, ref: await deps.keep(bytes, mimeType ?? 'application/octet-stream') };
  }
  return undefined;
}

async function fold(text: string, mimeType: string, deps: ResultGuardDeps): Promise<{ text: string; truncated?: { ref: ContentRef; lines: number } }> {
  const masked = deps.mask(text);
  const lines = countLines(masked);
  const bytes = new TextEncoder().encode(masked);
  if (bytes.length <= limits.textBytes && lines <= limits.textLines) return { text: masked };
  const ref = await deps.keep(bytes, mimeType);
  return { text: cut(masked, bytes), truncated: { ref, lines } };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** The beginning that fits both limits; never half a character. */
function cut(text: string, bytes: Uint8Array): string {
  const head = bytes.length <= limits.textBytes ? text : new TextDecoder('utf-8').decode(bytes.subarray(0, limits.textBytes)).replace(/\uFFFD+$/, '');
  let at = -1;
  for (let line = 0; line < limits.textLines; line += 1) {
    at = head.indexOf('\n', at + 1);
    if (at < 0) return head;
  }
  return head.slice(0, at);
}

const isText = (mimeType: string) => /^text\/|^application\/(json|xml|javascript|x-yaml|yaml|toml|sql)\b|\+(json|xml)\b/.test(mimeType);

/** The size is checked before anything is decoded. */
function decode(base64: string): Uint8Array | undefined {
  if (base64.length > (limits.resultBytes * 4) / 3 + 4) throw new AppError('tool/result-too-large', `A part of the result is larger than ${limits.resultBytes} bytes`);
  try {
    return Uint8Array.from(atob(base64.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  } catch {
    return undefined; // not base64: kept as JSON by the caller
  }
}
