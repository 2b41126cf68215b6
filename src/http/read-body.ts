import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly kind: 'whole'; readonly text: string }
  | { readonly kind: 'too-large' }
  /** The other side went away, or took too long. */
  | { readonly kind: 'cut' };

/** At most `most` bytes are held, whatever the request says of its length. */
export async function readBody(request: IncomingMessage, most: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > most) return { kind: 'too-large' };
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > most) {
        request.pause();
        resolve({ kind: 'too-large' });
      } else chunks.push(chunk);
    });
    request.once('end', () => resolve({ kind: 'whole', text: Buffer.concat(chunks).toString('utf8') }));
    request.once('close', () => resolve({ kind: 'cut' }));
    request.once('error', () => resolve({ kind: 'cut' }));
  });
}
