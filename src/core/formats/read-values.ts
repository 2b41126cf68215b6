import * as z from 'zod';
import { SecretReference } from '../../shared/model/config-value.ts';
import { plainOf, type DocNode } from './document.ts';
import { joinPath, type Say } from './issues.ts';
import type { RawValue, RawValues } from './raw-entry.ts';

export const RawValueShape = z.union([z.string(), z.strictObject({ plain: z.string() }), SecretReference]);
export interface ReadContext {
  readonly say: Say;
  /** Files of other programs: numbers and truth values become text, and options that make no sense are left out. */
  readonly lenient: boolean;
  /** Gemini CLI's `$VAR`. */
  readonly dollar: boolean;
  readonly windows: boolean;
}

/** `env` or `headers`. What stands there twice counts once; the case of a header's name makes no difference. */
export function readValues(node: DocNode, path: string, kind: 'env' | 'headers', { say, lenient, dollar, windows }: ReadContext): RawValues | undefined {
  if (node.kind !== 'object') {
    say({ code: 'invalid-sensitive-map', path, message: `${kind} must be an object of names and values`, offset: node.offset });
    return undefined;
  }
  const values = new Map<string, RawValue>();
  const seen = new Set<string>();
  let bad = false;
  for (const { key, offset, value } of node.members) {
    const at = joinPath(path, key);
    const identity = kind === 'headers' || windows ? key.toLowerCase() : key;
    const refuse = (message: string) => {
      bad = true;
      say({ code: 'invalid-sensitive-map', path: at, message, offset });
    };
    if (!nameFits(kind, key)) refuse(kind === 'env' ? 'This is no name of an environment variable' : 'This is no name of a header');
    else if (seen.has(identity)) {
      say({ code: 'invalid-sensitive-map', severity: 'warning', path: at, message: 'It stands there twice; this one does not count', offset });
    } else if (lenient && value.kind === 'scalar' && (typeof value.value === 'number' || typeof value.value === 'boolean')) {
      say({ code: 'invalid-sensitive-map', severity: 'warning', path: at, message: `A ${typeof value.value} is read as text`, offset: value.offset });
      values.set(key, String(value.value));
    } else {
      const parsed = RawValueShape.safeParse(plainOf(value));
      if (!parsed.success) refuse('A value must be text, { secretRef, scope } or { plain }');
      else if (kind === 'headers' && /[\r\n\0]/.test(textIn(parsed.data))) refuse('A header must stand on one line');
      else if (kind === 'env' && textIn(parsed.data).includes('\0')) refuse('A value cannot hold a NUL');
      else values.set(key, typeof parsed.data === 'string' && dollar ? ownVariables(parsed.data) : parsed.data);
    }
    seen.add(identity);
  }
  return bad ? undefined : Object.fromEntries(values);
}

const nameFits = (kind: 'env' | 'headers', name: string): boolean =>
  name.length <= 1000 && (kind === 'env' ? /^[^\0=\r\n]+$/.test(name) && name.trim() !== '' : /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name));
const textIn = (value: RawValue): string => (typeof value === 'string' ? value : 'plain' in value ? value.plain : '');

/** `$NAME` as `${NAME}`; `$$`, `$5`, `$env:NAME` and what has braces already stay. */
export const ownVariables = (text: string): string => text.replace(/(?<![$\\])\$(?!env:)([A-Za-z_]\w*)/g, '${$1}');
