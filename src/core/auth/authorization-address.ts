import { ownParameters } from '../formats/oauth-rules.ts';

export interface AddressExtras {
  readonly params: Readonly<Record<string, string>> | undefined;
  readonly otherAccount: boolean;
}

/** The authorization address with what the settings add for their provider, and the wish to choose an account (OpenID Connect Core, `prompt`). */
export function withExtras(address: URL, { params, otherAccount }: AddressExtras): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params ?? {})) if (!ownParameters.has(name.toLowerCase())) url.searchParams.set(name, value);
  if (otherAccount) url.searchParams.set('prompt', [...new Set([...(url.searchParams.get('prompt') ?? '').split(' '), 'select_account'])].join(' ').trim());
  return url;
}
