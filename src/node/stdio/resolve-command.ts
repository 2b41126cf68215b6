import { posix, win32 } from 'node:path';
import { pathSeparator, variable, type Environment, type Platform } from './environment.ts';

export type FileKind = 'none' | 'file' | 'program';
export interface CommandSearch {
  readonly command: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly platform: Platform;
  /** What stands at a path: nothing to run, a file that may not be run, or a program. */
  readonly look: (path: string) => Promise<FileKind>;
}
export type FoundCommand =
  | { readonly kind: 'found'; readonly file: string }
  | { readonly kind: 'missing'; readonly searched: readonly string[] }
  /** There is such a file, but it may not be run. */
  | { readonly kind: 'forbidden'; readonly file: string };

/** Finds a program as the system would, along the PATH that the server will have; on Windows by PATHEXT, `Path` in any case. [O1] [O2] */
export async function resolveCommand({ command, cwd, env, platform, look }: CommandSearch): Promise<FoundCommand> {
  const path = platform === 'win32' ? win32 : posix;
  const named = platform === 'win32' ? /[\\/]|^[a-z]:/i.test(command) : command.includes('/');
  const folders = named ? [''] : searchFolders(cwd, env, platform);
  const suffixes = platform === 'win32' ? windowsSuffixes(command, env) : [''];
  let forbidden: string | undefined;
  for (const folder of folders) {
    for (const suffix of suffixes) {
      const file = path.resolve(cwd, folder, command + suffix);
      const kind = await look(file);
      if (kind === 'program') return { kind: 'found', file };
      if (kind === 'file') forbidden ??= file;
    }
  }
  if (forbidden !== undefined) return { kind: 'forbidden', file: forbidden };
  return { kind: 'missing', searched: named ? [path.dirname(path.resolve(cwd, command))] : folders };
}

function searchFolders(cwd: string, env: Environment, platform: Platform): readonly string[] {
  const folders = (variable(env, 'PATH', platform) ?? '').split(pathSeparator(platform)).map((folder) => folder.replace(/^"(.*)"$/, '$1'));
  // An empty entry means the current folder, where cmd.exe looks anyway: not a place for a server to come from.
  const path = platform === 'win32' ? win32 : posix;
  return [...new Set(folders.filter((folder) => folder !== ''))].map((folder) => path.resolve(cwd, folder));
}

/** A name with one of the extensions stands for itself first: `npx.cmd` is not `npx.cmd.exe`. */
function windowsSuffixes(command: string, env: Environment): readonly string[] {
  const listed = variable(env, 'PATHEXT', 'win32') ?? '.COM;.EXE;.BAT;.CMD';
  const extensions = listed.split(';').map((extension) => extension.trim()).filter((extension) => extension !== '');
  const named = extensions.some((extension) => command.toLowerCase().endsWith(extension.toLowerCase()));
  return named ? ['', ...extensions] : extensions;
}
