import type { IssuerAnswer, SeenAtIssuer } from './front-door.ts';
import { jsonAnswer } from './front-door.ts';

/** How an authorization server behaves; a test changes it while the server runs. */
export interface IssuerBehaviour {
  /** Dynamic registration (RFC 7591). `off`: not in the metadata, and 404. `refused`: in the metadata, and 403. */
  registration: 'on' | 'off' | 'refused';
  /** Says that a client id may be the address of a document. */
  documents: boolean;
  /** RFC 7009. */
  revocation: 'on' | 'off' | 'fails';
  /** Redirect addresses have to match to the port, loopback or not. */
  exactRedirects: boolean;
  /** How long access tokens live. */
  tokenSeconds: number;
  /** What token answers say of it, when that is not the truth; `unsaid`: nothing. */
  expiresIn: number | 'unsaid' | 'true';
  /** Each refresh brings a new refresh token; otherwise it brings none and the old one goes on. */
  newRefreshTokens: boolean;
  /** Token requests with a proof need a nonce (RFC 9449, section 8). */
  dpopNonces: boolean;
  /** The issuer that the metadata names, when it is not this one. */
  issuerSays: string | undefined;
  /** The `iss` of redirects (RFC 9207): `true`, `missing`, or another. */
  iss: 'true' | 'missing' | { readonly instead: string };
  /** Changes its metadata. */
  metadata: (said: Record<string, unknown>) => Record<string, unknown>;
  /** Answers before everything else; `drop` breaks the connection. May wait. */
  take: (seen: SeenAtIssuer) => IssuerAnswer | 'drop' | undefined | Promise<IssuerAnswer | 'drop' | undefined>;
}
export const usualBehaviour: IssuerBehaviour = {
  registration: 'on', documents: false, revocation: 'on', exactRedirects: false, tokenSeconds: 300, expiresIn: 'true', newRefreshTokens: true,
  dpopNonces: false, issuerSays: undefined, iss: 'true', metadata: (said) => said, take: () => undefined,
};

export const isMetadata = (path: string): boolean => /\/\.well-known\/(openid-configuration|oauth-authorization-server)/.test(path);

/** What a behaviour makes of an answer of the server behind. */
export function rewriteAnswer(behaviour: IssuerBehaviour, seen: SeenAtIssuer, answer: IssuerAnswer): IssuerAnswer {
  if (isMetadata(seen.path) && answer.status === 200) return withJson(answer, (said) => behaviour.metadata(metadataOf(behaviour, said)));
  if (seen.path === '/token' && answer.status === 200) return withJson(answer, (said) => tokensOf(behaviour, seen, said));
  const location = answer.headers?.['location'];
  if (typeof location === 'string' && behaviour.iss !== 'true' && URL.canParse(location)) {
    const url = new URL(location);
    if (!url.searchParams.has('iss')) return answer;
    if (behaviour.iss === 'missing') url.searchParams.delete('iss');
    else url.searchParams.set('iss', behaviour.iss.instead);
    return { ...answer, headers: { ...answer.headers, location: url.href } };
  }
  return answer;
}

function metadataOf(behaviour: IssuerBehaviour, said: Record<string, unknown>): Record<string, unknown> {
  const metadata = { ...said };
  if (behaviour.registration === 'off') delete metadata['registration_endpoint'];
  if (behaviour.revocation === 'off') delete metadata['revocation_endpoint'];
  if (!behaviour.documents) delete metadata['client_id_metadata_document_supported'];
  if (behaviour.issuerSays !== undefined) metadata['issuer'] = behaviour.issuerSays;
  return metadata;
}

function tokensOf(behaviour: IssuerBehaviour, seen: SeenAtIssuer, said: Record<string, unknown>): Record<string, unknown> {
  const tokens = { ...said };
  if (behaviour.expiresIn === 'unsaid') delete tokens['expires_in'];
  else if (behaviour.expiresIn !== 'true') tokens['expires_in'] = behaviour.expiresIn;
  if (!behaviour.newRefreshTokens && seen.form.get('grant_type') === 'refresh_token') delete tokens['refresh_token'];
  return tokens;
}

function withJson(answer: IssuerAnswer, change: (said: Record<string, unknown>) => Record<string, unknown>): IssuerAnswer {
  return { ...answer, body: JSON.stringify(change(JSON.parse(answer.body ?? '{}'))) };
}

/** An error of a token endpoint (RFC 6749, section 5.2). */
export const tokenError = (error: string, status = 400): IssuerAnswer => jsonAnswer({ error, error_description: `This is ${error}` }, status);
