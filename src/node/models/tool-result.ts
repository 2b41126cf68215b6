import type { ToolResultPart, UserContent } from 'ai';
import type { ModelToolResult } from '../../core/ports.ts';
import type { ProviderKind } from '../../shared/model/settings.ts';
import { wellFormed } from './well-formed.ts';

type ToolResultOutput = ToolResultPart['output'];
type UserPart = Exclude<UserContent, string>[number];
type Image = ModelToolResult['images'][number];

/** How images reach the model: inside the result, in a message after it, or not at all (the model takes none). */
export type ImageWay = 'in-result' | 'in-message' | 'none';

export function imageWay(kind: ProviderKind, model: string): ImageWay {
  switch (kind) {
    case 'anthropic':
    case 'openai':
      return 'in-result';
    case 'google':
      return /^(models\/)?gemini-([3-9]|\d\d)/.test(model) ? 'in-result' : 'in-message';
    case 'openai-compatible':
      return 'in-message';
  }
}

const imageLimit = 5 * 1024 * 1024;
/** Anthropic counts the base64 form against its 5 MiB. */
const anthropicImageLimit = (imageLimit / 4) * 3;

/**
 * What a result becomes, and what must follow it in a message of its own. Image bytes never become text: they would be read as a million
 * tokens.
 */
export function toolResultOutput(
  result: ModelToolResult,
  kind: ProviderKind,
  way: ImageWay,
): { readonly output: ToolResultOutput; readonly after: readonly UserPart[] } {
  const text = wellFormed(result.text);
  if (result.images.length === 0) return { output: textOutput(text, result.isError), after: [] };
  const { files, notes } = shownImages(result.images, kind, way);
  if (files.length === 0) return { output: textOutput(lines(text, ...notes), result.isError), after: [] };
  if (way === 'in-result') {
    const shown = lines(result.isError ? 'The tool reported an error.' : '', text, ...notes);
    return { output: { type: 'content', value: [...(shown === '' ? [] : [{ type: 'text' as const, text: shown }]), ...files] }, after: [] };
  }
  const count = files.length === 1 ? '1 image' : `${files.length} images`;
  return {
    output: textOutput(lines(text, ...notes, `[${count}: in the message after the results]`), result.isError),
    after: [{ type: 'text', text: `[${count} from the result of ${result.name}]` }, ...files],
  };
}

/** Images as this provider takes them, and what is said of those that it is not given. */
export function shownImages(images: readonly Image[], kind: ProviderKind, way: ImageWay): { readonly files: readonly FilePart[]; readonly notes: readonly string[] } {
  const judged = images.map((image) => judge(image, kind === 'anthropic' ? anthropicImageLimit : imageLimit, way));
  return { notes: judged.flatMap((image) => (image.kind === 'note' ? [image.note] : [])), files: judged.flatMap((image) => (image.kind === 'image' ? [image.file] : [])) };
}

type FilePart = { type: 'file'; mediaType: string; data: { type: 'data'; data: string } };

function judge(image: Image, limit: number, way: ImageWay): { kind: 'image'; file: FilePart } | { kind: 'note'; note: string } {
  const size = `${Math.ceil(image.bytes.byteLength / 1024)} KiB`;
  if (way === 'none') return { kind: 'note', note: `[image left out: ${image.mimeType}, ${size}; this model takes no images]` };
  const mediaType = imageType(image.bytes);
  if (mediaType === undefined)
    return { kind: 'note', note: `[image left out: ${image.mimeType}, ${size}; only PNG, JPEG, GIF and WebP can be shown]` };
  if (image.bytes.byteLength > limit) return { kind: 'note', note: `[image left out: ${mediaType}, ${size}; too large to show]` };
  return { kind: 'image', file: { type: 'file', mediaType, data: { type: 'data', data: Buffer.from(image.bytes).toString('base64') } } };
}

/** By the bytes, not by what the server says of them: a wrong type would make the provider refuse this request and every later one. */
function imageType(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF87a') || head.startsWith('GIF89a')) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8) === 'WEBP') return 'image/webp';
  return undefined;
}

function textOutput(text: string, isError: boolean): ToolResultOutput {
  // Empty text blocks are refused by some providers.
  const value = text.trim() === '' ? '(no output)' : text;
  return isError ? { type: 'error-text', value } : { type: 'text', value };
}

function lines(...parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n');
}
