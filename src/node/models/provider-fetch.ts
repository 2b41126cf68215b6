import { AppError } from '../../shared/errors.ts';

/**
 * The only way out for a provider's requests: to its own origin, without following redirects (a key would travel along in a header that
 * `fetch` does not know to be one), and without a made-up key for servers that want none.
 */
export function providerFetch(send: typeof fetch, address: string, hasKey: boolean): typeof fetch {
  const { origin } = new URL(address);
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin) throw new AppError('internal/bug', `A model request was to leave for ${url.origin} instead of ${origin}`);
    const headers = new Headers(init?.headers);
    if (!hasKey) for (const name of keyHeaders) headers.delete(name);
    const response = await send(input, { ...init, headers, redirect: 'manual' });
    if (response.ok && /^text\/html\b/.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      throw new AppError('model/failed', `${url.host} answered with a web page, not as a model provider`);
    }
    return response;
  };
}

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'] as const;

/**
 * A key as it goes into a header. Spaces around it are a slip of the clipboard; anything that a header cannot carry is refused before it
 * is sent.
 */
export function headerKey(revealed: string): string {
  const key = revealed.trim();
  if (/[^\x21-\x7e]/.test(key)) throw new AppError('model/key-refused', 'The key has spaces or characters that no key has');
  return key;
}
