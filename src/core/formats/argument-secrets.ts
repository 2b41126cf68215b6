import { looksSecret } from '../../shared/text/looks-secret.ts';
import { defaultSpans, isVariable, secretSpans, withoutVariables, type SecretSpan } from './secret-text.ts';

/** Secret parts of a command line: at most one for each argument, from the first secret character to the last. */
export function argumentSpans(args: readonly string[]): readonly (readonly [index: number, span: SecretSpan])[] {
  return args.flatMap((arg, index) => {
    const before = args[index - 1] ?? '';
    const flagged = /^--?[A-Za-z][\w.-]*$/.test(before) && isSecretFlag(before, 'x');
    const span = named(arg, before) ?? joined([...secretSpans(withoutVariables(arg)), ...defaultSpans(arg, flagged)].toSorted((a, b) => a.start - b.start));
    return span && span.end > span.start ? [[index, span] as const] : [];
  });
}

/** `--api-key X`, `--token=X`, `API_KEY=X`, `-e API_KEY=X`, `-H "Authorization: X"`. */
function named(arg: string, before: string): SecretSpan | undefined {
  // `https://…` is neither.
  const [, name, value] = /^(-{0,2}[A-Za-z][\w.-]*)(?:=|:\s*(?!\/\/))(\S[\s\S]*)$/.exec(arg) ?? [];
  if (name !== undefined && value !== undefined) return isSecretFlag(name, value) ? whole(arg, value, name) : undefined;
  return /^--?[A-Za-z][\w.-]*$/.test(before) && !arg.startsWith('-') && isSecretFlag(before, arg) ? whole(arg, arg, before) : undefined;
}

const ways = /^(?:true|false|none|auto|basic|bearer|oauth2?|token|api-?key|\d{1,7})$/i;
const path = /^(?:\.{0,2}\/|~\/|[A-Za-z]:[\\/])/;
/** A flag that names a file, a variable, a way or a number says where a secret is, or nothing of one. */
function isSecretFlag(flag: string, value: string): boolean {
  if (!looksSecret(flag) || isVariable(value) || value.trim() === '' || isVariable(value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''))) return false;
  if (/(?:file|path|dir|folder|name|url|type|env|var|ttl|size|length|limit|count|budget|mode)s?$/i.test(flag)) return false;
  return !(ways.test(value) || path.test(value)) || /pass|pwd|pin/i.test(flag);
}

const whole = (arg: string, value: string, flag: string): SecretSpan => ({ start: arg.length - value.length, end: arg.length, key: flag.replace(/^-+/, '') });

function joined(spans: readonly SecretSpan[]): SecretSpan | undefined {
  const [first] = spans;
  const last = spans.at(-1);
  return first && last ? { start: first.start, end: last.end, key: first.key } : undefined;
}
