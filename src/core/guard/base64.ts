import { AppError } from '../../shared/errors.ts';
import { limits } from './limits.ts';

const piece = 262_144;

/** Base64 in either alphabet, white space allowed; its size is checked before anything is decoded. Throws `tool/result-too-large`. */
export function isBase64(text: string): boolean {
  if (text.length > (limits.resultBytes * 4) / 3 + 4) throw new AppError('tool/result-too-large', `A part of the result is larger than ${limits.resultBytes} bytes`);
  let digits = 0;
  let padding = 0;
  // By hand: a pattern could be made to take its time by what a server sends.
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 61) padding += 1;
    else if (isDigit(code) && padding === 0) digits += 1;
    else if (!isSpace(code)) return false;
  }
  return padding <= 2 && digits % 4 !== 1;
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);
const isDigit = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 43 || code === 47 || code === 45 || code === 95;

/** The bytes that checked base64 holds, piece by piece. */
export function* bytesInBase64(base64: string): Generator<Uint8Array, void> {
  let rest = '';
  for (let at = 0; at < base64.length; at += piece) {
    const characters = rest + base64.slice(at, at + piece).replace(/[\s=]+/g, '').replaceAll('-', '+').replaceAll('_', '/');
    const whole = at + piece < base64.length ? characters.length - (characters.length % 4) : characters.length;
    const binary = atob(characters.slice(0, whole));
    const bytes = new Uint8Array(binary.length);
    for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
    yield bytes;
    rest = characters.slice(whole);
  }
}

/** The text that it holds. */
export function textInBase64(base64: string): string {
  const decoder = new TextDecoder();
  let text = '';
  for (const bytes of bytesInBase64(base64)) text += decoder.decode(bytes, { stream: true });
  return text + decoder.decode();
}
