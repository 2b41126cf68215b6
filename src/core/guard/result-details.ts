import type { ResultSummary } from '../../shared/model/content.ts';
import { jsonPieces, shortJson } from '../kernel/json-pieces.ts';
import { characterStart, textSize } from './fit-text.ts';

const most = 20;
const keyCharacters = 120;

/** The raw result's JSON where it is small enough for the chat's record (F-119). */
export function smallJson(raw: Readonly<Record<string, unknown>>, maxBytes: number): string | undefined {
  const json = shortJson(raw, maxBytes);
  return json !== undefined && textSize(json).bytes <= maxBytes ? json : undefined;
}

/** What was in a raw result that is not (F-119). `bytes` is the size of its JSON, where it is known. */
export function resultSummary(raw: Readonly<Record<string, unknown>>, maxBytes: number, bytes: number | undefined): ResultSummary {
  const blocks: readonly unknown[] = Array.isArray(raw['content']) ? raw['content'] : [];
  const structured = raw['structuredContent'];
  return {
    omitted: true,
    reason: `The result is larger than ${maxBytes} bytes of JSON`,
    isError: raw['isError'] === true,
    bytes: bytes ?? jsonBytes(raw),
    blockCount: blocks.length,
    blocks: blocks.slice(0, most).map((block) => {
      const mimeType = fieldOf(block, 'mimeType') ?? fieldOf(fieldOfAny(block, 'resource'), 'mimeType');
      return { type: cut(fieldOf(block, 'type') ?? 'unknown'), bytes: jsonBytes(block), ...(mimeType === undefined ? {} : { mimeType: cut(mimeType) }) };
    }),
    keys: isObject(structured) ? Object.entries(structured).slice(0, most).map(([key, value]) => ({ key: cut(key), bytes: jsonBytes(value) })) : [],
  };
}

function jsonBytes(value: unknown): number {
  let bytes = 0;
  for (const piece of jsonPieces(value)) bytes += textSize(piece).bytes;
  return bytes;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldOfAny = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);
function fieldOf(value: unknown, key: string): string | undefined {
  const field = fieldOfAny(value, key);
  return typeof field === 'string' ? field : undefined;
}
const cut = (text: string): string => text.slice(0, characterStart(text, keyCharacters));
