/** A word of a command line, and where it starts in the text. */
export interface Word {
  readonly text: string;
  readonly offset: number;
}
export type WordLines =
  /** `substitution`: it holds `$(…)` or backticks, which stay as text. */
  | { readonly ok: true; readonly lines: readonly (readonly Word[])[]; readonly substitution: boolean }
  | { readonly ok: false; readonly message: string; readonly offset: number };

/**
 * Splits command lines as a POSIX shell does, and runs or expands nothing: `$VAR` becomes the template `${VAR}`. Lines may go on after `\`, `^` (cmd)
 * or a backtick (PowerShell). Backslashes of a Windows path stay. What would start a second command or redirect is refused.
 */
export function shellWords(text: string): WordLines {
  const lines: Word[][] = [];
  let line: Word[] = [];
  let word: string | undefined;
  let start = 0;
  let substitution = false;
  // Where one path of Windows stands, no backslash quotes.
  const windows = /(?:^|[\s"'=])(?:[A-Za-z]:\\|\\\\[\w.])/.test(text);
  const end = () => {
    if (word !== undefined) line.push({ text: word, offset: start });
    word = undefined;
  };
  const endLine = () => {
    end();
    if (line.length > 0) lines.push(line);
    line = [];
  };
  const add = (part: string, at: number) => {
    if (word === undefined) start = at;
    word = (word ?? '') + part;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    const goesOn = /^[\\^`][ \t]*\r?\n/.exec(text.slice(at, at + 20))?.[0];
    if (goesOn !== undefined) {
      end();
      at += goesOn.length - 1;
    } else if (character === '\n') endLine();
    else if (/\s/.test(character)) end();
    else if (character === '#' && word === undefined) {
      const stop = text.indexOf('\n', at);
      at = (stop === -1 ? text.length : stop) - 1;
    } else if (character === "'") {
      const stop = text.indexOf("'", at + 1);
      if (stop === -1) return { ok: false, message: 'A quote is never closed', offset: at };
      add(text.slice(at + 1, stop), at);
      at = stop;
    } else if (character === '"') {
      const quoted = doubleQuoted(text, at);
      if (!quoted) return { ok: false, message: 'A quote is never closed', offset: at };
      substitution ||= quoted.substitution;
      add(quoted.text, at);
      at = quoted.stop;
    } else if (character === '\\') {
      if (windows) add('\\', at);
      else add(text[++at] ?? '', at - 1);
    } else if (character === '$') {
      const name = variableAt(text, at);
      if (name) {
        add(name.text, at);
        at += name.length - 1;
      } else {
        substitution ||= text[at + 1] === '(';
        add('$', at);
        if (text[at + 1] === '(') {
          const stop = text.indexOf(')', at);
          add(text.slice(at + 1, stop === -1 ? text.length : stop + 1), at);
          at = stop === -1 ? text.length : stop;
        }
      }
    } else if (character === '`') {
      substitution = true;
      add(character, at);
    } else if (/[|;&<>]/.test(character)) {
      return { ok: false, message: `“${character}” would start something else; give one command on each line`, offset: at };
    } else add(character, at);
  }
  endLine();
  return { ok: true, lines, substitution };
}

function doubleQuoted(text: string, from: number): { readonly text: string; readonly stop: number; readonly substitution: boolean } | undefined {
  let inside = '';
  let substitution = false;
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character === '"') return { text: inside, stop: at, substitution };
    const next = text[at + 1] ?? '';
    if (character === '\\' && (next === '\n' || /["\\$`]/.test(next))) {
      if (next !== '\n') inside += next;
      at++;
      continue;
    }
    const name = character === '$' ? variableAt(text, at) : undefined;
    if (name) {
      inside += name.text;
      at += name.length - 1;
      continue;
    }
    if (character === '`' || (character === '$' && next === '(')) substitution = true;
    inside += character;
  }
  return undefined;
}

/** `$NAME`, `${NAME}` and `${NAME:-default}`, as templates; `$env:NAME` is one already. */
function variableAt(text: string, at: number): { readonly text: string; readonly length: number } | undefined {
  const rest = text.slice(at, at + 4096);
  const template = /^(?:\$\{[^{}\n]*\}|\$env:\w+)/.exec(rest)?.[0];
  if (template !== undefined) return { text: template, length: template.length };
  const name = /^\$([A-Za-z_]\w*)/.exec(rest)?.[1];
  return name === undefined ? undefined : { text: `\${${name}}`, length: name.length + 1 };
}
