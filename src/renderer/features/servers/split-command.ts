export interface CommandLine {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * A command line as a person copies it from a page: quotes and backslashes as a shell reads them, `NAME=value` before the command, a
 * `$ ` prompt and line ends after a backslash. Nothing is expanded: `$HOME` stays `$HOME`. `undefined` when a quote is left open.
 */
export function splitCommandLine(text: string): CommandLine | undefined {
  const words = wordsOf(
    text
      .trim()
      .replace(/^[$>#]\s+/, '')
      .replace(/\\\r?\n/g, ' '),
  );
  if (!words) return undefined;
  if (!/["']/.test(text) && startsPath.test(words[0] ?? '')) {
    const [command = '', ...args] = joinedPath(words);
    return { env: [], command, args };
  }
  const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*=/.test(word);
  const first = words.findIndex((word) => !isAssignment(word));
  if (first < 0) return undefined;
  const env = words.slice(0, first).map((word) => ({ name: word.slice(0, word.indexOf('=')), value: word.slice(word.indexOf('=') + 1) }));
  return { env, command: words[first] ?? '', args: words.slice(first + 1) };
}

const startsPath = /^(?:~|\.{1,2})?[\\/]|^[A-Za-z]:[\\/]/;
const endsProgram = /(?:^|[\\/])(?:npx|node|bunx?|deno|uvx?|python[\d.]*|pipx|ruby|java|docker|podman|env|bash|zsh|sh)$|\.(?:exe|cmd|bat|com|[cm]?js|py|rb|sh|jar)$/i;
const goesOn = (word: string): boolean => !/^[-@]/.test(word) && !startsPath.test(word) && !word.includes('://') && !word.includes('=');

/** A path that holds spaces and was not quoted is one program: `/Applications/My App/bin` does not run `/Applications/My` (S16). */
function joinedPath(words: readonly string[]): readonly string[] {
  let end = 0;
  for (let at = 1; at < words.length && goesOn(words[at] ?? ''); at += 1) {
    if (endsProgram.test(words.slice(0, end + 1).join(' '))) break;
    if (/[\\/]/.test(words[at] ?? '')) end = at;
  }
  return [words.slice(0, end + 1).join(' '), ...words.slice(end + 1)];
}

function wordsOf(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    const next = text[at + 1];
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (character === '\\' && quote === '"' && next !== undefined && '"\\$`'.includes(next)) word = (word ?? '') + text[(at += 1)];
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && next !== undefined && isEscapable(next)) word = (word ?? '') + text[(at += 1)];
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}

/** A backslash before a letter is a Windows path, not an escape. */
const isEscapable = (character: string): boolean => /[\s"'\\$&|;()<>*?#~`]/.test(character);
