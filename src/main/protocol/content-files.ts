import type { ContentStore } from '../../core/ports.ts';
import { ContentId } from '../../shared/ids.ts';
import { contentHeaders } from './page-policy.ts';

/** Shown or played in place; nothing else is. SVG is a document that can hold script, so it is not among them. */
const inline = new Set([
  'image/png', 'image/jpeg', 'image/gif', 'image/webp',
  'audio/mpeg', 'audio/mp3', 'audio/wav', 'audio/x-wav', 'audio/wave', 'audio/ogg', 'audio/webm', 'audio/mp4', 'audio/aac', 'audio/flac',
]);
const pieceBytes = 1_048_576;

/** The id that `content://<id>` names. An address with anything more to it names none. */
export function contentIdOf(address: string): ContentId | undefined {
  const url = new URL(address);
  const bare = (url.pathname === '' || url.pathname === '/') && url.search === '' && url.username === '' && url.password === '' && url.port === '';
  const id = ContentId.safeParse(url.hostname);
  return bare && id.success ? id.data : undefined;
}

/** How bytes of this kind are handed out: the type that the page is told, and whether it may show them. */
export function servedAs(mimeType: string): { readonly type: string; readonly inline: boolean } {
  const essence = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  return inline.has(essence) ? { type: essence, inline: true } : { type: 'application/octet-stream', inline: false };
}

/** Both ends included, as in the header; `undefined` when it asks for nothing that is there. */
export function rangeOf(header: string, total: number): { readonly from: number; readonly to: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const last = total - 1;
  const from = match[1] ? Number(match[1]) : Math.max(0, total - Number(match[2]));
  const to = match[1] && match[2] ? Math.min(Number(match[2]), last) : last;
  return from <= to ? { from, to } : undefined;
}

/** Serves what content references point to, piece by piece. */
export function contentFiles(store: Promise<Pick<ContentStore, 'read'>>): (request: Request) => Promise<Response> {
  const refuse = (status: number) => new Response(null, { status, headers: contentHeaders });
  return async (request) => {
    if (request.method !== 'GET') return refuse(405);
    const id = contentIdOf(request.url);
    if (id === undefined) return refuse(404);
    try {
      const contents = await store;
      const { total, mimeType } = await contents.read(id, 0, 1, request.signal);
      const asked = request.headers.get('range');
      const range = asked === null ? { from: 0, to: total - 1 } : rangeOf(asked, total);
      if (!range) return refuse(416);
      const { type, inline: shown } = servedAs(mimeType);
      return new Response(piecesOf(contents, id, range, request.signal), {
        status: asked === null ? 200 : 206,
        headers: {
          ...contentHeaders,
          'content-type': type,
          'content-disposition': shown ? 'inline' : 'attachment',
          'content-length': String(range.to - range.from + 1),
          'accept-ranges': 'bytes',
          ...(asked === null ? {} : { 'content-range': `bytes ${range.from}-${range.to}/${total}` }),
        },
      });
    } catch {
      return refuse(404);
    }
  };
}

function piecesOf(contents: Pick<ContentStore, 'read'>, id: ContentId, range: { readonly from: number; readonly to: number }, signal: AbortSignal) {
  let at = range.from;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const limit = Math.min(pieceBytes, range.to - at + 1);
      if (limit <= 0) {
        controller.close();
        return;
      }
      const { bytes } = await contents.read(id, at, limit, signal);
      if (bytes.length === 0) throw new Error('The content ended early');
      at += bytes.length;
      controller.enqueue(bytes);
    },
  });
}
