import type { CatalogPrompt } from '../model/catalog.ts';

/** One word of what follows a prompt's command, quotes and escapes resolved. */
export interface PromptWord {
  readonly text: string;
  /** Set when it is `key=…` with neither quotes nor escapes in the key: where in `text` the `=` is. */
  readonly equals?: number;
  /** Where it stands in what was typed. */
  readonly start: number;
  readonly end: number;
}
export interface PromptWords {
  readonly words: readonly PromptWord[];
  /** A quote that was opened and not closed, or a `\` at the end. */
  readonly open: boolean;
}

/**
 * Splits what a person typed at spaces (F-146). `'…'` and `"…"` hold spaces; `\` makes the next character itself, outside of quotes and in double ones.
 */
export function promptWords(typed: string): PromptWords {
  const words: PromptWord[] = [];
  let word: { text: string; equals?: number; start: number } | undefined;
  let quote: '"' | "'" | undefined;
  let plain = true;
  let at = 0;
  const close = () => {
    if (word) words.push({ ...word, end: at });
    word = undefined;
  };
  for (; at < typed.length; at += 1) {
    const char = typed[at] ?? '';
    if (quote === undefined && /\s/.test(char)) {
      close();
      continue;
    }
    if (!word) {
      word = { text: '', start: at };
      plain = true;
    }
    if (char === '\\' && quote !== "'") {
      plain = false;
      at += 1;
      if (at >= typed.length) {
        close();
        return { words, open: true };
      }
      word.text += typed[at] ?? '';
    } else if (quote === undefined && (char === '"' || char === "'")) {
      quote = char;
      plain = false;
    } else if (char === quote) quote = undefined;
    else {
      if (char === '=' && plain && quote === undefined && word.equals === undefined) word.equals = word.text.length;
      word.text += char;
    }
  }
  close();
  return { words, open: quote !== undefined };
}

export type PromptArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly missing: readonly string[]; readonly problem?: string };

/** What was typed as a prompt's arguments: `key=value` for a key that it has, and the others in its own order. */
export function promptArguments(typed: string, prompt: Pick<CatalogPrompt, 'arguments'>): PromptArguments {
  const { words, open } = promptWords(typed);
  if (open) return { ok: false, missing: [], problem: 'A quote is not closed, or a backslash has nothing after it.' };
  const names = prompt.arguments.map(({ name }) => name);
  const args = new Map<string, string>();
  const rest: string[] = [];
  for (const word of words) {
    const key = word.equals === undefined ? undefined : word.text.slice(0, word.equals);
    if (key === undefined || word.equals === undefined || !names.includes(key)) rest.push(word.text);
    else if (args.has(key)) return { ok: false, missing: [], problem: `“${key}” is given twice.` };
    else args.set(key, word.text.slice(word.equals + 1));
  }
  const free = names.filter((name) => !args.has(name));
  if (rest.length > free.length) return { ok: false, missing: [], problem: names.length === 0 ? 'It takes no arguments.' : 'There are more words than arguments: put quotes around what belongs together.' };
  for (const [index, text] of rest.entries()) {
    const name = free[index];
    if (name !== undefined) args.set(name, text);
  }
  const missing = prompt.arguments.filter(({ name, required }) => required && (args.get(name) ?? '').trim() === '').map(({ name }) => name);
  return missing.length > 0 ? { ok: false, missing } : { ok: true, args: Object.fromEntries(args) };
}

/** `/mcp__server__prompt <title> [tone]`. */
export const promptUsage = (command: string, prompt: Pick<CatalogPrompt, 'arguments'>): string =>
  [command, ...prompt.arguments.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))].join(' ');

/** Which argument is being typed at the end of the text, and what of it there is. */
export function argumentAtEnd(typed: string, prompt: Pick<CatalogPrompt, 'arguments'>): { readonly name: string; readonly value: string; readonly from: number; readonly keyed: boolean } | undefined {
  const { words } = promptWords(typed);
  const last = words.at(-1);
  const isOpen = last !== undefined && last.end === typed.length;
  const before = isOpen ? words.slice(0, -1) : words;
  const names = prompt.arguments.map(({ name }) => name);
  const keyOf = ({ text, equals }: PromptWord) => (equals === undefined ? undefined : names.find((name) => name === text.slice(0, equals)));
  const keyed = before.flatMap((word) => keyOf(word) ?? []);
  const key = isOpen ? keyOf(last) : undefined;
  if (isOpen && key !== undefined) return { name: key, value: last.text.slice((last.equals ?? 0) + 1), from: last.start, keyed: true };
  const free = names.filter((name) => !keyed.includes(name));
  const name = free[before.length - keyed.length];
  return name === undefined ? undefined : { name, value: isOpen ? last.text : '', from: isOpen ? last.start : typed.length, keyed: false };
}

/** A value as it is typed back. */
export const quoted = (value: string): string => (/^[^\s"'\\=]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`);
