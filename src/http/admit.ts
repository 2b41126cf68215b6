import type { IncomingHttpHeaders } from 'node:http';
import { sameToken } from './door-place.ts';

/** What decides whether a request may come in. */
export interface Knock {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}
export type Admission =
  | { readonly kind: 'request' }
  | { readonly kind: 'follow'; readonly topic: string }
  | { readonly kind: 'refused'; readonly status: 400 | 401 | 403 | 404 | 405 | 415 | 421; readonly allow?: string };

/** The Host that a client of the owner door sends: no web address leads here. */
export const ownerHost = 'gatehouse';

const refused = (status: Extract<Admission, { kind: 'refused' }>['status'], allow?: string): Admission =>
  allow === undefined ? { kind: 'refused', status } : { kind: 'refused', status, allow };

/** Who does not have the token learns nothing else, not even which paths there are. */
export function admit({ method, url, headers }: Knock, token: string): Admission {
  const bearer = /^Bearer ([\w-]{1,200})$/.exec(headers.authorization ?? '')?.[1];
  if (bearer === undefined || !sameToken(bearer, token)) return refused(401);
  // Every browser sends it with what a page asks for.
  if (headers.origin !== undefined) return refused(403);
  if (headers.host !== ownerHost) return refused(421);
  const target = URL.canParse(url, 'http://gatehouse') ? new URL(url, 'http://gatehouse') : undefined;
  switch (target?.pathname) {
    case '/request':
      if (method !== 'POST') return refused(405, 'POST');
      return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '') ? { kind: 'request' } : refused(415);
    case '/follow': {
      if (method !== 'GET') return refused(405, 'GET');
      const topic = target.searchParams.get('topic');
      return topic === null || topic === '' || topic.length > 300 ? refused(400) : { kind: 'follow', topic };
    }
    default:
      return refused(404);
  }
}
