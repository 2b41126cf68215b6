const longest = 8192;

/** The address in the form that may be opened by the system: https, or http on this machine; no user name, no control characters. */
export function externalUrl(text: string): string | undefined {
  if (text.length > longest || /[\p{Cc}\p{Cf}\s]/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return undefined;
  const loopback = url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  return url.protocol === 'https:' || loopback ? url.href : undefined;
}
