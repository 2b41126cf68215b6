import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { Redactor } from '../secrets/redactor.ts';
import { clientAuthentication } from './client-authentication.ts';
import type { Discovered } from './discover.ts';
import type { StoredTokens } from './sign-in-record.ts';
import type { SignInTarget } from './sign-in-target.ts';

/** RFC 8414, section 2. */
const RevocationPlace = z.object({ revocation_endpoint: z.string().optional(), revocation_endpoint_auth_methods_supported: z.array(z.string()).optional() });

export interface Revocation {
  readonly target: SignInTarget;
  readonly at: Discovered;
  readonly client: OAuthClientInformationMixed;
  readonly tokens: StoredTokens;
  readonly fetch: typeof fetch;
  readonly redactor: Redactor;
}

/** Gives tokens back (RFC 7009): the refresh token first, with which a provider ends the whole grant. `false` where there is no place to give them back to. Throws what `fetch` throws. */
export async function revoke(revocation: Revocation, signal: AbortSignal): Promise<boolean> {
  const { at, tokens } = revocation;
  const endpoint = RevocationPlace.safeParse(at.metadata ?? {}).data?.revocation_endpoint;
  if (endpoint === undefined) return false;
  const kinds = [['refresh_token', tokens.refreshToken], ['access_token', tokens.accessToken]] as const;
  for (const [hint, token] of kinds) if (token !== undefined) await giveBack(revocation, new URL(endpoint), { token, token_type_hint: hint }, signal);
  return true;
}

async function giveBack({ target, at, client, fetch: send, redactor }: Revocation, url: URL, what: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void> {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' });
  const params = new URLSearchParams(what);
  const own = RevocationPlace.safeParse(at.metadata ?? {}).data?.revocation_endpoint_auth_methods_supported;
  const metadata = at.metadata && own ? { ...at.metadata, token_endpoint_auth_methods_supported: own } : at.metadata;
  await clientAuthentication(target, client, redactor, signal)(headers, params, url, metadata);
  const response = await send(url, { method: 'POST', headers, body: params, signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
}
