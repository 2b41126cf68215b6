import { AppError } from '../../shared/errors.ts';
import { ContentId, type ChatId } from '../../shared/ids.ts';
import { characterStart, fittingEnd, type TextCaps } from '../guard/fit-text.ts';
import { defaultCaps, limits } from '../guard/limits.ts';
import type { ContentStore } from '../ports.ts';
import { NoSuchPlace, valueAt, withFields } from './json-pointer.ts';

export interface ReadBackRequest {
  /** The id of a kept result, or of a kept text. */
  readonly ref: string;
  /** JSON Pointer (RFC 6901) into the result; empty, the default, is the whole. */
  readonly path?: string;
  /** Only these fields of the object, or of each object in the list, that `path` names. */
  readonly fields?: readonly string[];
  /** In UTF-16 units of the text that `path` and `fields` make; 0 by default. */
  readonly offset?: number;
  /** The same; 12,000 by default. The page is bounded by the caps all the same. */
  readonly limit?: number;
}
export interface ReadBackPage {
  /** A string as it is, any other value as JSON. */
  readonly text: string;
  /** Where the next page begins; absent at the end. */
  readonly nextOffset?: number;
  /** Of the whole text, in UTF-16 units. */
  readonly length: number;
}
export interface ReadBackDeps {
  readonly contents: Pick<ContentStore, 'read' | 'keeperOf'>;
  /** Only what this keeper keeps can be read. */
  readonly keeper: ChatId;
  /** Absent: the default caps. */
  readonly caps?: TextCaps;
}

/**
 * A page of a result that was kept, without asking its server again (F-124, F-125). A page never splits a character and always moves on. Throws
 * `result/read-failed` for a reference that is unknown, somebody else's or no text, for a path that leads nowhere, and for a senseless range.
 */
export async function readBack(request: ReadBackRequest, { contents, keeper, caps = defaultCaps }: ReadBackDeps, signal: AbortSignal): Promise<ReadBackPage> {
  const { offset = 0, limit = limits.readBackCharacters } = request;
  if (!Number.isSafeInteger(offset) || offset < 0) throw failed('The offset must be a whole number, 0 or more');
  if (!Number.isSafeInteger(limit) || limit < 1) throw failed('The limit must be a whole number, 1 or more');
  const text = textOf(await keptValue(request.ref, contents, keeper, signal), request);
  const from = characterStart(text, Math.min(offset, text.length));
  // One character at least, or a reader would stand still.
  const end = Math.max(fittingEnd(text, from, caps, limit), Math.min(text.length, from + unitsAt(text, from)));
  return { text: text.slice(from, end), length: text.length, ...(end < text.length ? { nextOffset: end } : {}) };
}

async function keptValue(ref: string, contents: ReadBackDeps['contents'], keeper: ChatId, signal: AbortSignal): Promise<unknown> {
  const id = ContentId.safeParse(ref);
  // Whose it is not is told the same as what is not there.
  if (!id.success || (await contents.keeperOf(id.data, signal)) !== keeper) throw failed('There is no kept result with this reference');
  const { bytes, total, mimeType } = await contents.read(id.data, 0, limits.keptBytes, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw failed('The kept result cannot be read', error);
  });
  if (total > bytes.length) throw failed('The kept result is too large to be read back');
  const essence = mimeType.split(';')[0] ?? '';
  if (essence === 'application/json') return parsed(new TextDecoder().decode(bytes));
  if (essence.startsWith('text/')) return new TextDecoder().decode(bytes);
  throw failed(`This is no text but ${essence}: it is kept for the person`);
}

/** A server may have sent something under that type that is no JSON: it is text then. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function textOf(value: unknown, { path = '', fields }: ReadBackRequest): string {
  try {
    const found = valueAt(value, path);
    const chosen = fields === undefined ? found : withFields(found, fields);
    return typeof chosen === 'string' ? chosen : JSON.stringify(chosen);
  } catch (error) {
    throw error instanceof NoSuchPlace ? failed(error.message, error) : error;
  }
}

const unitsAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
const failed = (message: string, cause?: unknown): AppError => new AppError('result/read-failed', message, cause === undefined ? {} : { cause });
