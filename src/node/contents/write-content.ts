import { open } from 'node:fs/promises';
import type { ContentSource } from '../../core/ports.ts';

/** Characters that are turned into bytes at once. */
const sliceUnits = 262_144;

/** Writes a new file of mode 0600, piece by piece, and answers its size; on the disk when this resolves, unless it is a spare. */
export async function writeContent(file: string, source: ContentSource, signal: AbortSignal): Promise<number> {
  await using handle = await open(file, 'wx', 0o600);
  let bytes = 0;
  for (const piece of piecesOf(source)) {
    signal.throwIfAborted();
    await handle.writeFile(piece);
    bytes += piece.length;
  }
  if (!isSpare(source)) await handle.sync();
  return bytes;
}

export const isSpare = (source: ContentSource): boolean => 'text' in source && source.spare === true;

function piecesOf(source: ContentSource): Iterable<Uint8Array> {
  if (source instanceof Uint8Array) return [source];
  return 'text' in source ? encoded(source.text) : decoded(source.base64);
}

/** Large pieces are cut, never within a character. */
function* encoded(pieces: Iterable<string>): Generator<Uint8Array> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const code = piece.charCodeAt(at + sliceUnits - 1);
      const end = code >= 0xd800 && code < 0xdc00 ? at + sliceUnits + 1 : at + sliceUnits;
      yield Buffer.from(piece.slice(at, end), 'utf8');
      at = end;
    }
  }
}

/** Four characters are three bytes: each slice is a multiple of that, white space set aside. */
function* decoded(base64: string): Generator<Uint8Array> {
  let rest = '';
  for (let at = 0; at < base64.length; at += sliceUnits) {
    const characters = rest + base64.slice(at, at + sliceUnits).replace(/\s+/g, '');
    const whole = at + sliceUnits < base64.length ? characters.length - (characters.length % 4) : characters.length;
    yield Buffer.from(characters.slice(0, whole), 'base64');
    rest = characters.slice(whole);
  }
}
