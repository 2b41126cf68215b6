/**
 * An address in the one form in which two spellings of the same file are alike (RFC 3986, 6.2.2): no dot segments, nothing escaped, no fragment, scheme and authority in small
 * letters. What is no address stays as it is. Only for comparing: a server is asked by its own spelling.
 */
export function fileAddress(uri: string): string {
  if (!URL.canParse(uri)) return uri;
  const { protocol, host, pathname, search } = new URL(uri);
  return unescaped(`${protocol}//${host.toLowerCase()}${pathname}${search}`);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that escapes nothing
  }
}
