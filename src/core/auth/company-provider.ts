import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';

/** The two fields that an exchange needs; companies' providers leave out others that RFC 8414 and OpenID Connect ask for. */
const Description = z.object({ issuer: z.url(), token_endpoint: z.url() });

/**
 * Where a company's provider exchanges tokens (RFC 8693): as RFC 8414 or OpenID Connect Discovery describe it below its address. Throws `auth/discovery-failed`,
 * `auth/issuer-mismatch` when the description is another's, and what the fetch throws.
 */
export async function exchangeEndpointOf(idpUrl: string, fetchFn: typeof fetch): Promise<string> {
  for (const address of descriptionsOf(new URL(idpUrl))) {
    const answer = await fetchFn(address, { headers: { accept: 'application/json' } });
    if (!answer.ok) continue;
    const described = Description.safeParse(await answer.json().catch(() => undefined));
    if (!described.success) continue;
    const { issuer, token_endpoint } = described.data;
    if (bare(issuer) !== bare(idpUrl)) throw new AppError('auth/issuer-mismatch', `The description below ${idpUrl} is of another provider`, { data: { expected: idpUrl, received: issuer } });
    return token_endpoint;
  }
  throw new AppError('auth/discovery-failed', `${new URL(idpUrl).host} does not describe how to sign in there`, { data: { idpUrl } });
}

function descriptionsOf({ origin, pathname }: URL): readonly string[] {
  const path = bare(pathname);
  const [oauth, openId] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  return path === '' ? [`${origin}${oauth}`, `${origin}${openId}`] : [`${origin}${oauth}${path}`, `${origin}${openId}${path}`, `${origin}${path}${openId}`];
}

/** A person writes the address with a slash at its end or without. */
const bare = (text: string): string => text.replace(/\/$/, '');
