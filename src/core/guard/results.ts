import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ContentRef, ResultPart, ToolResult } from '../../shared/model/content.ts';
import { jsonPieces, shortJson } from '../kernel/json-pieces.ts';
import type { ContentSource } from '../ports.ts';
import { fitResult, fits, type CutPart } from './fit-result.ts';
import { fittingHead } from './fit-text.ts';
import { guardPart } from './guard-part.ts';
import { limits } from './limits.ts';
import { masked } from './masked.ts';
import { defaultOutputCaps, type OutputCaps } from './output-caps.ts';
import { resultSummary, smallJson } from './result-details.ts';

export interface ResultGuardDeps {
  /** Keeps content beside the chat and gives a reference. */
  readonly keep: (source: ContentSource, mimeType: string) => Promise<ContentRef>;
  /** Takes known secret values out of text. */
  readonly mask: (text: string) => string;
  /** Absent: the default ones. */
  readonly caps?: OutputCaps;
}
/** What is to be said beside the server's own words, and must find room with them. */
export interface ResultRemarks {
  readonly schemaMismatch?: string | undefined;
  readonly expected?: string | undefined;
}

/**
 * What a server returned, as it may be shown and sent on: secrets taken out, text that is too long cut over all of its parts together, the whole and binary
 * parts kept by reference. Content that cannot be understood is kept as JSON, never dropped, and a full disk loses nothing of what is shown (F-116 to F-121).
 * `raw` is the whole result object. Throws `tool/result-too-large`.
 */
export async function guardResult(raw: JsonObject, deps: ResultGuardDeps, remarks: ResultRemarks = {}): Promise<ToolResult> {
  const caps = deps.caps ?? defaultOutputCaps;
  const clean = asObject(masked(raw, deps.mask));
  const isError = raw['isError'] === true;
  const tryKeep = keeping(deps.keep);
  const parts = await guardParts(raw, clean, { tryKeep, mask: deps.mask });
  const structured = await guardStructured(clean, parts, caps, tryKeep);
  const whole: ToolResult = {
    parts: parts.slice(0, limits.parts),
    ...(structured === undefined ? {} : { structured }),
    ...(remarks.schemaMismatch === undefined ? {} : { schemaMismatch: fittingHead(deps.mask(remarks.schemaMismatch), { maxBytes: 1_000, maxLines: 5 }) }),
    ...(remarks.expected === undefined ? {} : { expected: remarks.expected }),
  };
  const tooLong = parts.length > limits.parts || !fits(whole, isError, caps);
  if (!tooLong && isPlainText(raw)) return whole;
  const json = smallJson(clean, caps.detailsMaxBytes);
  const reference = await tryKeep({ text: jsonPieces(clean), spare: json !== undefined }, 'application/json');
  const saved = typeof reference === 'string' ? { unsaved: reference } : { reference };
  const details = json === undefined ? { summary: resultSummary(clean, caps.detailsMaxBytes, saved.reference?.bytes) } : { json };
  const kept: ToolResult = { ...whole, ...saved, details };
  // With the line about the whole it may be too long now.
  if (!tooLong && fits(kept, isError, caps)) return kept;
  const { result, cutParts } = fitResult(kept, isError, caps);
  return { ...result, parts: await withWholes(result.parts, cutParts, tryKeep) };
}

type TryKeep = (source: ContentSource, mimeType: string) => Promise<ContentRef | string>;

async function guardParts(raw: JsonObject, clean: JsonObject, deps: Parameters<typeof guardPart>[2]): Promise<readonly ResultPart[]> {
  const [sent, safe] = [listOf(raw['content']), listOf(clean['content'])];
  const parts: ResultPart[] = [];
  // One more than are shown says that there are more; the rest is in the whole.
  for (const [index, part] of sent.slice(0, limits.parts).entries()) parts.push(await guardPart(part, safe[index], deps));
  if (sent.length > limits.parts) parts.push({ type: 'text', text: '' });
  return parts;
}

async function guardStructured(clean: JsonObject, parts: readonly ResultPart[], caps: OutputCaps, tryKeep: TryKeep): Promise<ToolResult['structured']> {
  const value = clean['structuredContent'];
  if (value === undefined) return undefined;
  const json = shortJson(value, Math.min(caps.detailsMaxBytes, limits.detailBytes));
  // Data that the text already is goes to the model once.
  const repeated = parts.some((part) => part.type === 'text' && sameJson(part.text, value));
  if (json !== undefined) return { json, ...(repeated ? { preview: '' } : {}) };
  const ref = await tryKeep({ text: jsonPieces(value) }, 'application/json');
  const preview = repeated ? '' : headOfJson(value, caps);
  return typeof ref === 'string' ? { preview, bytes: 0 } : { ref, preview, bytes: ref.bytes };
}

/** Enough of it to fill the caps; the cut to what fits comes later. */
function headOfJson(value: unknown, { maxBytes }: OutputCaps): string {
  let head = '';
  for (const piece of jsonPieces(value)) {
    head += piece;
    if (head.length > maxBytes) break;
  }
  return head;
}

/** Comparing needs both in memory once more: larger ones are different enough. */
const comparedUnits = 4_194_304;
function sameJson(text: string, value: unknown): boolean {
  if (text.length > comparedUnits || !/^\s*["[{\dtfn-]/.test(text)) return false;
  try {
    return JSON.stringify(JSON.parse(text)) === shortJson(value, comparedUnits);
  } catch {
    return false; // plain text, so not the same
  }
}

async function withWholes(parts: readonly ResultPart[], cutParts: readonly CutPart[], tryKeep: TryKeep): Promise<readonly ResultPart[]> {
  const refs = new Map<number, ContentRef>();
  for (const { index, whole } of cutParts) {
    const part = parts[index];
    const ref = await tryKeep({ text: [whole] }, part?.type === 'unknown' ? 'application/json' : 'text/plain');
    if (typeof ref !== 'string') refs.set(index, ref);
  }
  return parts.map((part, index) => {
    const ref = refs.get(index);
    return ref && 'truncated' in part && part.truncated ? { ...part, truncated: { ...part.truncated, ref } } : part;
  });
}

/** A call that has been made is not lost because the disk is full: what could not be saved is said instead. */
function keeping(keep: ResultGuardDeps['keep']): TryKeep {
  return async (source, mimeType) => {
    try {
      return await keep(source, mimeType);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage/failed') throw error;
      return whyUnsaved(error);
    }
  };
}

function whyUnsaved({ data }: AppError): string {
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : undefined;
  if (reason === 'ENOSPC' || reason === 'EDQUOT') return 'the disk is full';
  if (reason === 'EACCES' || reason === 'EPERM' || reason === 'EROFS') return 'the folder of the home may not be written to';
  return typeof reason === 'string' ? `the disk refused it (${reason})` : 'the disk refused it';
}

/** What the protocol itself adds to every result says nothing of the tool. */
const bookkeeping = new Set(['content', 'isError', 'resultType', 'ttlMs', 'cacheScope']);
function isPlainText(raw: JsonObject): boolean {
  const known = Object.entries(raw).every(([key, value]) => bookkeeping.has(key) || (key === '_meta' && keysOf(value).every((name) => name === 'io.modelcontextprotocol/serverInfo')));
  const content = raw['content'];
  return known && (content === undefined || (Array.isArray(content) && content.every((part: unknown) => isTextBlock(part))));
}
const isTextBlock = (part: unknown): boolean => keysOf(part).every((key) => key === 'type' || key === 'text') && typeof part === 'object' && part !== null && 'type' in part && part.type === 'text' && 'text' in part && typeof part.text === 'string';

const keysOf = (value: unknown): readonly string[] => (typeof value === 'object' && value !== null ? Object.keys(value) : []);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const asObject = (value: unknown): JsonObject => (typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {});
