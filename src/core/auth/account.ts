import type { OAuthTokens } from '@modelcontextprotocol/client';
import * as z from 'zod';

const Claims = z.object({
  email: z.string().max(300).optional().catch(undefined), preferred_username: z.string().max(300).optional().catch(undefined),
  name: z.string().max(300).optional().catch(undefined), sub: z.string().max(300).optional().catch(undefined),
});

/** Whose tokens these say they are: from the ID token, else from an access token that is a JWT. Nothing is verified: it is for people to read, and decides nothing. */
export function accountOf({ id_token: idToken, access_token: accessToken }: OAuthTokens): string | undefined {
  for (const token of [idToken, accessToken]) {
    const claims = token === undefined ? undefined : Claims.safeParse(claimsOf(token)).data;
    const account = claims?.email ?? claims?.preferred_username ?? claims?.name ?? claims?.sub;
    if (account !== undefined && account !== '') return account;
  }
  return undefined;
}

function claimsOf(token: string): unknown {
  const [, payload] = token.split('.');
  if (payload === undefined || payload.length > 65_536) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined; // Opaque to us, as it may be.
  }
}
