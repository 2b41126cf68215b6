import type { OAuthClientInformationMixed } from '@modelcontextprotocol/client';
import * as z from 'zod';
import { loadSdk } from '../kernel/sdk.ts';
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

/**
 * Gives tokens back (RFC 7009): the refresh token first, with which a provider ends the whole grant. `false` where there is no place to give them back to, or none of them is
 * taken. Throws what `fetch` throws, and for an answer that is neither.
 */
export async function revoke(revocation: Revocation, signal: AbortSignal): Promise<boolean> {
  const { at, tokens } = revocation;
  const endpoint = RevocationPlace.safeParse(at.metadata ?? {}).data?.revocation_endpoint;
  if (endpoint === undefined) return false;
  const kinds = [['refresh_token', tokens.refreshToken], ['access_token', tokens.accessToken]] as const;
  let taken = false;
  for (const [hint, token] of kinds) if (token !== undefined && (await giveBack(revocation, new URL(endpoint), { token, token_type_hint: hint }, signal))) taken = true;
  return taken;
}

/** `false` for a kind of token that the provider does not take back (RFC 7009, section 2.2.1). */
async function giveBack({ target, at, client, fetch: send, redactor }: Revocation, url: URL, what: Readonly<Record<string, string>>, signal: AbortSignal): Promise<boolean> {
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' });
  const params = new URLSearchParams(what);
  const own = RevocationPlace.safeParse(at.metadata ?? {}).data?.revocation_endpoint_auth_methods_supported;
  const metadata = at.metadata && own ? { ...at.metadata, token_endpoint_auth_methods_supported: own } : at.metadata;
  await clientAuthentication(target, client, redactor, signal)(headers, params, url, metadata);
  const response = await send(url, { method: 'POST', headers, body: params, signal });
  if (response.ok) return true;
  const { parseErrorResponse } = await loadSdk();
  const said = await parseErrorResponse(response);
  if (said.code === 'unsupported_token_type') return false;
  throw said;
}
