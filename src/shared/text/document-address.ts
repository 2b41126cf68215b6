/**
 * Why an address cannot be a client metadata document's (F-162; draft-ietf-oauth-client-id-metadata-document, section 3); `undefined` when it can. It is looked at as it is
 * written: it is the client id, and compared letter for letter.
 */
export function documentProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return 'must be an https address';
  const { protocol, pathname, username, password } = new URL(url);
  const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? '';
  if (protocol !== 'https:') return 'must be an https address';
  if (username !== '' || password !== '' || /^[a-z]+:\/\/[^/?#]*@/i.test(url)) return 'must not hold a user name';
  if (url.includes('#')) return 'must not hold a fragment';
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)) || url.includes('\\')) return 'must not hold dot segments';
  return pathname === '/' ? 'must have a path' : undefined;
}
