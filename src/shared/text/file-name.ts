const endings: Readonly<Record<string, string>> = {
  'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp', 'image/svg+xml': 'svg', 'audio/wav': 'wav', 'audio/x-wav': 'wav', 'audio/mpeg': 'mp3', 'audio/ogg': 'ogg',
  'application/pdf': 'pdf', 'application/json': 'json', 'application/zip': 'zip', 'text/plain': 'txt', 'text/html': 'html', 'text/csv': 'csv', 'text/markdown': 'md',
};
const mostCharacters = 100;
/** Names that Windows keeps for its devices, whatever their ending. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/**
 * A name for a new file, made of a server's name or address for it: the last part of a path, without what a file system, a terminal or an eye would trip over.
 * It never leads to another folder, begins with no dot, and has an ending.
 */
export function fileNameOf(source: string, mimeType: string): string {
  const last = decoded(source.split(/[?#]/)[0] ?? '').split(/[/\\]/).findLast((part) => /[^.\s]/u.test(part)) ?? '';
  const plain = last.replaceAll(/[\p{C}<>:"|*?]/gu, '').replaceAll(/\s+/g, ' ').replace(/^[.\s-]+|[.\s]+$/g, '');
  const safe = (plain.length > mostCharacters ? plain.slice(0, mostCharacters - 12) + plain.slice(-12) : plain).replaceAll(/\p{Cs}/gu, '');
  const named = safe === '' ? 'file' : devices.test(safe) ? `_${safe}` : safe;
  const ending = endings[mimeType.split(';')[0]?.trim().toLowerCase() ?? ''];
  return /\.[A-Za-z0-9]{1,8}$/.test(named) || ending === undefined ? named : `${named}.${ending}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that stands for itself
  }
}
