import { AppError } from '../../shared/errors.ts';
import { Secret } from '../kernel/secret.ts';

export type ConfiguredHeaders = Readonly<Record<string, string | Secret>>;

/** The protocol's own: a configured header never replaces them. */
const ours = new Set([
  'accept',
  'content-type',
  'content-length',
  'host',
  'connection',
  'transfer-encoding',
  'last-event-id',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
]);

/** Adds what the person configured, on the way out; this is where a secret leaves for its server. Throws `config/invalid`. */
export function addConfigured(headers: Headers, configured: ConfiguredHeaders): void {
  for (const [name, value] of Object.entries(configured)) {
    if (ours.has(name.toLowerCase())) continue;
    try {
      headers.set(name, value instanceof Secret ? value.reveal() : value);
    } catch {
      // The thrown text may quote the value.
      throw new AppError(
        'config/invalid',
        `The header “${name}” cannot be sent: its name or value has characters that HTTP does not allow`,
      );
    }
  }
}

/** Only http and https are dialled. Throws `config/invalid`. */
export function httpUrl(url: string | Secret): URL {
  const text = url instanceof Secret ? url.reveal() : url;
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed;
  throw new AppError('config/invalid', 'Only http:// and https:// addresses can be used');
}
