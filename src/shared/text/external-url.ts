const longest = 8192;
/** What a shell or a launcher on the way to the browser could take for more than text. In an address each means the same when it is encoded. */
const metacharacters = /["'`$(){}|;<>^!]/g;

/**
 * The address in the form that may be opened by the system: https, or http on this machine; no user name, no backslash, nothing that is not seen, a host of letters, digits
 * and dots (other scripts as punycode). `undefined` for every other. For links and for the pages of signing in alike.
 */
export function externalUrl(text: string): string | undefined {
  if (text.length > longest || /[\p{Cc}\p{Cf}\s\\\u2065]/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return undefined;
  const loopback = url.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !loopback) return undefined;
  if (!/^(?:[a-z\d._-]+|\[[\da-f:]+\])$/.test(url.hostname)) return undefined;
  return url.href.replace(metacharacters, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
