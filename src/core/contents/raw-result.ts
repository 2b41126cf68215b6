import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import { limits } from '../guard/limits.ts';
import type { ContentStore } from '../ports.ts';

/**
 * The result as its server sent it, known secrets masked: for scripts and programs. A short plain text was not kept whole and is made again from
 * its parts; whether it was an error is the outcome's to say. `undefined` when it is larger than 4 MiB of JSON or was lost: the reference stands
 * in its place. Throws `storage/failed`, and `request/invalid` for content that is gone.
 */
export async function rawResult(result: ToolResult, { contents }: { readonly contents: Pick<ContentStore, 'read'> }, signal: AbortSignal): Promise<JsonObject | undefined> {
  if (result.details && 'json' in result.details) return asObject(result.details.json);
  const { reference } = result;
  if (reference === undefined) return result.unsaved === undefined ? plainText(result) : undefined;
  if (reference.bytes > limits.valueBytes) return undefined;
  const { bytes } = await contents.read(reference.id, 0, reference.bytes, signal);
  return asObject(new TextDecoder().decode(bytes));
}

const plainText = ({ parts }: ToolResult): JsonObject => ({ content: parts.flatMap((part) => (part.type === 'text' ? [{ type: 'text', text: part.text }] : [])) });

function asObject(json: string): JsonObject {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new AppError('storage/failed', 'The kept result is no result');
  return { ...value };
}
