import { win32 } from 'node:path';
import { AppError } from '../../shared/errors.ts';

export interface SpawnLine {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are quoted already: Node must hand them on as they stand. */
  readonly verbatim: boolean;
}

/** A batch file that hands its arguments on has cmd.exe read them twice. */
export function isPassThroughBatch(file: string, content: string): boolean {
  return /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file) || content.includes('%*');
}

export function isBatchFile(file: string): boolean {
  return /\.(cmd|bat)$/i.test(file);
}

/** How Windows starts a resolved file: programs as they are, batch files through cmd.exe with each argument quoted for it. [O2] */
export function windowsCommandLine(
  file: string, args: readonly string[], options: { readonly comspec: string; readonly passThrough: boolean },
): SpawnLine {
  if (!isBatchFile(file)) return { file, args, verbatim: false };
  // cmd.exe ends its command at a line break, whatever the quotes: the rest would be lost, or be a command.
  if (args.some((arg) => /[\r\n\0]/.test(arg))) {
    throw new AppError('launch/not-permitted', 'A batch file cannot be given an argument with a line break', { data: { command: file } });
  }
  const line = [escapeForCmd(win32.normalize(file)), ...args.map((arg) => quoteForCmd(arg, options.passThrough))].join(' ');
  return { file: options.comspec, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true };
}

function escapeForCmd(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

/** First for the program's own reading of its command line (backslashes count only before a quote), then for cmd.exe's. */
function quoteForCmd(arg: string, twice: boolean): string {
  const quoted = `"${arg.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\*)$/, '$1$1')}"`;
  const escaped = escapeForCmd(quoted);
  return twice ? escapeForCmd(escaped) : escaped;
}
