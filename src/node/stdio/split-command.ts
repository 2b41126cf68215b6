import type { Platform } from './environment.ts';

export interface CommandParts {
  readonly command: string;
  readonly args: readonly string[];
}
interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/**
 * A whole command line typed where a command belongs. What can be found is the command as it stands, spaces and all; else it is split as a
 * shell would, quotes honoured, and words that together are the path of a file are one word: `node /my tools/server.js`. [S16]
 */
export async function splitCommand(typed: string, isFile: (path: string) => Promise<boolean>, platform: Platform): Promise<CommandParts> {
  const whole = typed.trim();
  if (!/\s/.test(whole) || (await isFile(whole))) return { command: whole, args: [] };
  const [command, ...args] = await joinPaths(whole, tokens(whole, platform), isFile);
  return { command: command ?? whole, args };
}

async function joinPaths(line: string, words: readonly Token[], isFile: (path: string) => Promise<boolean>): Promise<readonly string[]> {
  const joined: string[] = [];
  for (let at = 0; at < words.length; ) {
    const word = words[at]!;
    let next = at + 1;
    let text = word.text;
    // Only what looks like a path, and not if the first word is one by itself.
    if (!word.quoted && /[\\/]/.test(word.text) && !(await isFile(word.text))) {
      for (let last = words.length - 1; last > at; last -= 1) {
        const candidate = line.slice(word.start, words[last]!.end);
        if (words.slice(at, last + 1).some((each) => each.quoted) || !(await isFile(candidate))) continue;
        text = candidate;
        next = last + 1;
        break;
      }
    }
    joined.push(text);
    at = next;
  }
  return joined;
}

/** Whether a backslash says that the next character stands for itself. */
function escapes(quote: string | undefined, next: string | undefined): boolean {
  if (next === undefined || quote === "'") return false;
  return quote === undefined || /["\\$`]/.test(next);
}

/** Quotes as in a POSIX shell; on Windows a backslash is part of a path and only double quotes count. */
function tokens(line: string, platform: Platform): readonly Token[] {
  const windows = platform === 'win32';
  const found: Token[] = [];
  let text = '';
  let start = -1;
  let quoted = false;
  let quote: string | undefined;
  const finish = (end: number): void => {
    if (start >= 0) found.push({ text, start, end, quoted });
    text = '';
    start = -1;
    quoted = false;
  };
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (quote === undefined && /\s/.test(character)) {
      finish(at);
      continue;
    }
    if (start < 0) start = at;
    if (character === quote) quote = undefined;
    else if (quote === undefined && (character === '"' || (character === "'" && !windows))) {
      quote = character;
      quoted = true;
    } else if (character === '\\' && !windows && escapes(quote, line[at + 1])) {
      at += 1;
      text += line[at]!;
      quoted = true;
    } else text += character;
  }
  finish(line.length);
  return found;
}
