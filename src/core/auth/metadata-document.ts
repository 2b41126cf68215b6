import { documentProblem } from '../../shared/text/document-address.ts';
import type { SignInTarget } from './sign-in-target.ts';

/**
 * The parts of the app's own document (`resources/client-metadata.json`, F-162) that a server's settings must not contradict, and where it is meant to stand: a public native
 * app, whose loopback port may be any (RFC 8252, section 7.3).
 */
export const appDocument = {
  url: 'https://gatehouse.example.invalid/oauth/client-metadata.json',
  clientName: 'Gatehouse',
  clientUri: 'https://gatehouse.example.invalid/',
  redirectUris: ['http://localhost:19876/callback', 'http://127.0.0.1:19876/callback', 'http://[::1]:19876/callback'],
} as const;

/**
 * The address of the metadata document by which a provider may come to know this client: the server's own option before the app's setting; `undefined` where the person
 * opted out, and where the app's shared document would not tell the truth: another name, page or callback (F-163), or a machine that signs in by itself (F-201).
 */
export function documentFor({ way, settings }: Pick<SignInTarget, 'way' | 'settings'>, appUrl: string | false | undefined): string | undefined {
  const { clientMetadataUrl: own, clientName, clientUri, redirectUri, hasSecret } = settings;
  if (own !== undefined) return own === false ? undefined : own;
  if (appUrl === undefined || appUrl === false || documentProblem(appUrl) !== undefined) return undefined;
  if (way !== 'browser' || hasSecret) return undefined;
  if (clientName !== undefined && clientName !== appDocument.clientName) return undefined;
  if (clientUri !== undefined && clientUri !== appDocument.clientUri) return undefined;
  if (redirectUri !== undefined && !appDocument.redirectUris.some((known) => toleratesRedirect(known, redirectUri))) return undefined;
  return appUrl;
}

/** F-200: what was registered with one loopback port holds for every other, and for nothing else that differs. */
export function toleratesRedirect(saved: string | undefined, now: string): boolean {
  if (saved === undefined) return false;
  if (saved === now) return true;
  const [before, after] = [withoutPort(saved), withoutPort(now)];
  return before !== undefined && before === after;
}

function withoutPort(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)) return undefined;
  url.port = '';
  return url.href;
}
