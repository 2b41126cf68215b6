import { readFileSync } from 'node:fs';

/** The document that comes with the app, as whoever hosts it at `url` writes its address into it. */
export function documentAt(url: string): Record<string, unknown> {
  const file: Record<string, unknown> = JSON.parse(readFileSync(new URL('../../resources/client-metadata.json', import.meta.url), 'utf8'));
  return { ...file, client_id: url };
}
