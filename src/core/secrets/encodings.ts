/** A way in which a value may turn up in text. `base64` ones may be the middle of a longer run, whose ends hold bits of the value too. */
export interface Form {
  readonly text: string;
  readonly base64: boolean;
}

/** The parts of a configured value that are secret by themselves: without its scheme, line by line, the password of an address. */
export function secretParts(value: string): readonly string[] {
  const parts = new Set([value, value.trim()]);
  const [, scheme, credential] = /^(Bearer|Basic|Token|Bot|ApiKey|DPoP)\s+(\S.*)$/is.exec(value.trim()) ?? [];
  if (credential !== undefined) {
    parts.add(credential);
    const pair = scheme?.toLowerCase() === 'basic' ? decoded(credential) : undefined;
    if (pair?.includes(':')) parts.add(pair).add(pair.slice(pair.indexOf(':') + 1));
  }
  const lines = value.split(/\r?\n/);
  if (lines.length > 1) for (const line of lines) if (line.trim().length >= 16 && !line.startsWith('-----')) parts.add(line.trim());
  const password = passwordOf(value);
  if (password !== undefined) for (const form of password) if (form.length >= 6) parts.add(form);
  parts.delete('');
  return [...parts];
}

/** Every form in which a part may appear: as it is, and encoded for addresses, JSON, JSON within JSON, base64 at any offset, and hexadecimal. */
export function formsOf(part: string): readonly Form[] {
  const inJson = JSON.stringify(part).slice(1, -1);
  const ascii = inJson.replace(/[\u007f-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const plain = [part, inJson, inJson.replaceAll('/', '\\/'), ascii, ascii.replaceAll('/', '\\/'), JSON.stringify(inJson).slice(1, -1), ...inAddresses(part)];
  const bytes = new TextEncoder().encode(part);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const base64 = bytes.length < 6 ? [] : [0, 1, 2].flatMap((offset) => alphabets(base64Core(bytes, offset)));
  return [
    ...[...new Set([...plain, ...(bytes.length < 4 ? [] : [hex, hex.toUpperCase()])])].map((text) => ({ text, base64: false })),
    ...[...new Set(base64)].map((text) => ({ text, base64: true })),
  ];
}

function inAddresses(part: string): readonly string[] {
  // Half a surrogate pair cannot be encoded.
  if (/\p{Cs}/u.test(part)) return [];
  const component = encodeURIComponent(part);
  const inForm = new URLSearchParams({ v: part }).toString().slice(2);
  const strict = component.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const all = [component, inForm, strict, encodeURI(part)];
  return [...all, ...all.map((text) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** The characters that depend on `bytes` alone when `offset` (0 to 2, modulo 3) other bytes stand before it: they are the same in every longer run. */
function base64Core(bytes: Uint8Array, offset: number): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(offset)) + [...bytes].map((byte) => String.fromCharCode(byte)).join(''));
  return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
}
const alphabets = (core: string): readonly string[] => [core, core.replaceAll('+', '-').replaceAll('/', '_')];

function decoded(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}

function passwordOf(value: string): readonly string[] | undefined {
  const [, raw] = /^[a-z][a-z0-9+.-]*:\/\/[^\s/@:]*:([^\s/@]+)@/i.exec(value.trim()) ?? [];
  if (raw === undefined) return undefined;
  try {
    return [raw, decodeURIComponent(raw)];
  } catch {
    return [raw];
  }
}
