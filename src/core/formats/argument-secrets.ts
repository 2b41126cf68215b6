import { looksSecret } from '../../shared/text/looks-secret.ts';
import { isVariable, secretSpans, withoutVariables, type SecretSpan } from './secret-text.ts';

/** Secret parts of a command line: at most one for each argument, from the first secret character to the last. */
export function argumentSpans(args: readonly string[]): readonly (readonly [index: number, span: SecretSpan])[] {
  return args.flatMap((arg, index) => {
    const span = named(arg, args[index - 1]) ?? defaulted(arg) ?? joined(secretSpans(withoutVariables(arg)));
    return span && span.end > span.start ? [[index, span] as const] : [];
  });
}

/** `--api-key X`, `--token=X`, `API_KEY=X`, `-e API_KEY=X`, `-H "Authorization: X"`. */
function named(arg: string, before: string | undefined): SecretSpan | undefined {
  const pair = /^(-{0,2}[A-Za-z][\w.-]*)=([\s\S]+)$/.exec(arg);
  if (pair?.[1] !== undefined && pair[2] !== undefined) return isSecretFlag(pair[1], pair[2]) ? whole(arg, pair[2], pair[1].replace(/^-+/, '')) : undefined;
  const header = /^([A-Za-z][\w-]*):\s*(\S[\s\S]*)$/.exec(arg);
  if (header?.[1] !== undefined && header[2] !== undefined && !header[2].startsWith('//')) return isSecretFlag(header[1], header[2]) ? whole(arg, header[2], header[1]) : undefined;
  if (before === undefined || !/^--?[A-Za-z][\w.-]*$/.test(before) || arg.startsWith('-')) return undefined;
  return isSecretFlag(before, arg) ? whole(arg, arg, before.replace(/^-+/, '')) : undefined;
}

/** A flag that names a file, a variable or a number says where a secret is, or nothing of one. */
function isSecretFlag(flag: string, value: string): boolean {
  if (!looksSecret(flag) || isVariable(value) || value.trim() === '' || isVariable(value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''))) return false;
  if (/(?:file|path|dir|folder|name|url|type|env|var|ttl|size|length|limit|count|budget|mode)s?$/i.test(flag)) return false;
  return !/^(?:true|false|none|\d{1,7})$/i.test(value) || /pass|pwd|pin/i.test(flag);
}

const whole = (arg: string, value: string, key: string): SecretSpan => ({ start: arg.length - value.length, end: arg.length, key });

/** `${TOKEN:-secret}` */
function defaulted(arg: string): SecretSpan | undefined {
  for (const match of arg.matchAll(/\$\{(?:env:)?([A-Za-z_][\w.-]*):-([^{}]+)\}/g)) {
    const [all, name = '', value = ''] = match;
    const end = match.index + all.length - 1;
    if (looksSecret(name) || secretSpans(value).length > 0) return { start: end - value.length, end, key: name };
  }
  return undefined;
}

function joined(spans: readonly SecretSpan[]): SecretSpan | undefined {
  const [first] = spans;
  const last = spans.at(-1);
  return first && last ? { start: first.start, end: last.end, key: first.key } : undefined;
}
