import * as z from 'zod';
import type { ContentRef, ResultPart } from '../../shared/model/content.ts';
import type { ContentSource } from '../ports.ts';
import { isBase64, textInBase64 } from './base64.ts';
import { shortJson } from '../kernel/json-pieces.ts';
import { fittingHead } from './fit-text.ts';
import { limits } from './limits.ts';

export interface GuardPartDeps {
  /** Keeps content beside the chat; or why it could not be saved, in words. */
  readonly tryKeep: (source: ContentSource, mimeType: string) => Promise<ContentRef | string>;
  readonly mask: (text: string) => string;
}

const Part = z.looseObject({ type: z.string() });
const mime = z.string().max(200).optional().catch(undefined);
const Text = z.object({ text: z.string() });
const Media = z.object({ data: z.string(), mimeType: mime });
const Link = z.object({ uri: z.string(), name: z.string().catch(''), title: z.string().optional().catch(undefined), description: z.string().optional().catch(undefined), mimeType: mime });
const Embedded = z.object({ resource: z.object({ uri: z.string(), mimeType: mime, text: z.string().optional(), blob: z.string().optional() }) });

/** One part as it may be shown, its text whole. `sent` is the server's, `clean` the same with secrets taken out; bytes come from the first. */
export async function guardPart(sent: unknown, clean: unknown, deps: GuardPartDeps): Promise<ResultPart> {
  const part = Part.safeParse(sent);
  return (part.success ? await guardKnownPart(part.data.type, sent, clean, deps) : undefined) ?? { type: 'unknown', json: unknownJson(clean) };
}

/** What we do not know may hold anything, base64 included: a beginning of it is enough. */
const unknownJson = (value: unknown): string => shortJson(value, limits.detailBytes) ?? `${fittingHead(firstJson(value), { maxBytes: limits.detailBytes, maxLines: limits.textLines })}…`;
const firstJson = (value: unknown): string => JSON.stringify(value, (_key, item: unknown) => (typeof item === 'string' && item.length > limits.detailBytes ? item.slice(0, limits.detailBytes) : item)) ?? 'null';

async function guardKnownPart(type: string, sent: unknown, clean: unknown, deps: GuardPartDeps): Promise<ResultPart | undefined> {
  switch (type) {
    case 'text': {
      const text = Text.safeParse(clean);
      return text.success ? { type: 'text', text: text.data.text } : undefined;
    }
    case 'image':
    case 'audio':
      return mediaPart(type, sent, deps);
    case 'resource_link': {
      const link = Link.safeParse(clean);
      if (!link.success) return undefined;
      const { uri, name, title, description, mimeType } = link.data;
      return { type: 'resource-link', uri, name, ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }), ...(mimeType === undefined ? {} : { mimeType }) };
    }
    case 'resource':
      return resourcePart(sent, clean, deps);
    default:
      return undefined;
  }
}

async function mediaPart(type: 'image' | 'audio', sent: unknown, { tryKeep }: GuardPartDeps): Promise<ResultPart | undefined> {
  const media = Media.safeParse(sent);
  if (!media.success || !isBase64(media.data.data)) return undefined;
  const mimeType = media.data.mimeType ?? (type === 'image' ? 'image/png' : 'application/octet-stream');
  const ref = await tryKeep({ base64: media.data.data }, mimeType);
  return typeof ref === 'string' ? { type: 'unsaved', was: type, mimeType, why: ref } : { type, ref };
}

async function resourcePart(sent: unknown, clean: unknown, { tryKeep, mask }: GuardPartDeps): Promise<ResultPart | undefined> {
  const [raw, safe] = [Embedded.safeParse(sent), Embedded.safeParse(clean)];
  if (!raw.success || !safe.success) return undefined;
  const { uri, mimeType, text } = safe.data.resource;
  const { blob } = raw.data.resource;
  const asText = (said: string): ResultPart => ({ type: 'resource-text', uri, ...(mimeType === undefined ? {} : { mimeType }), text: said });
  if (text !== undefined) return asText(text);
  if (blob === undefined || !isBase64(blob)) return undefined;
  // Text sent as base64 is text all the same.
  if (mimeType !== undefined && isText(mimeType)) return asText(mask(textInBase64(blob)));
  const type = mimeType ?? 'application/octet-stream';
  const ref = await tryKeep({ base64: blob }, type);
  return typeof ref === 'string' ? { type: 'unsaved', was: 'blob', uri, mimeType: type, why: ref } : { type: 'blob', uri, ref };
}

const isText = (mimeType: string) => /^text\/|^application\/(json|xml|javascript|x-yaml|yaml|toml|sql)\b|\+(json|xml)\b/.test(mimeType);
