import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { ReadyStdioLaunch } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { childEnvironment, variable, type Environment, type Platform } from './environment.ts';
import { commandNotFound, notPermitted } from './launch-failure.ts';
import { resolveCommand, type FileKind, type FoundCommand } from './resolve-command.ts';
import { splitCommand } from './split-command.ts';
import { isBatchFile, isPassThroughBatch, windowsCommandLine, type SpawnLine } from './windows-command-line.ts';

export interface PreparedLaunch extends SpawnLine {
  /** The program itself, where `file` may be the shell that runs it. */
  readonly program: string;
  readonly cwd: string;
}
/** What stands on the disk, asked along the way. */
export interface LaunchFiles {
  readonly look: (path: string) => Promise<FileKind | 'folder'>;
  readonly read: (path: string) => Promise<string>;
}

/** From what a person configured to what the system is given: the command found, its arguments as they are. Throws `launch/…`. */
export async function prepareLaunch(
  launch: ReadyStdioLaunch, person: Environment, platform: Platform, files: LaunchFiles = diskFiles,
): Promise<PreparedLaunch> {
  const cwd = launch.cwd ?? process.cwd();
  if ((await files.look(cwd)) !== 'folder') {
    const data = { command: launch.command, searched: [], cwd };
    throw new AppError('launch/command-not-found', `The folder "${cwd}" to start in does not exist`, { data });
  }
  if (launch.ownRuntime && !isAbsolute(launch.command)) throw commandNotFound(launch.command, []);
  if (launch.ownRuntime) return { file: launch.command, args: launch.args, verbatim: false, program: launch.command, cwd };

  const env = childEnvironment(person, plainEntries(launch.env), { platform, ownRuntime: false });
  const look = async (path: string): Promise<FileKind> => {
    const kind = await files.look(path);
    return kind === 'folder' ? 'none' : kind;
  };
  const find = (command: string): Promise<FoundCommand> => resolveCommand({ command, cwd, env, platform, look });
  const parts = await splitCommand(launch.command, async (words) => (await find(words)).kind !== 'missing', platform);
  const found = await find(parts.command);
  switch (found.kind) {
    case 'missing':
      throw commandNotFound(launch.command, found.searched);
    case 'forbidden':
      throw notPermitted(launch.command, found.file);
    case 'found': {
      const args = [...parts.args, ...launch.args];
      if (platform !== 'win32') return { file: found.file, args, verbatim: false, program: found.file, cwd };
      const passThrough = isBatchFile(found.file) && isPassThroughBatch(found.file, await files.read(found.file));
      const comspec = variable(env, 'ComSpec', platform) ?? 'cmd.exe';
      return { ...windowsCommandLine(found.file, args, { comspec, passThrough }), program: found.file, cwd };
    }
  }
}

/** Secrets take no part in finding a command. */
export function plainEntries(env: ReadyStdioLaunch['env']): Environment {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (typeof value === 'string') plain[name] = value;
  return plain;
}

const diskFiles: LaunchFiles = {
  async look(path) {
    try {
      const found = await stat(path);
      if (found.isDirectory()) return 'folder';
      // Windows knows no such mark: what PATHEXT names can be run.
      if (process.platform === 'win32') return 'program';
      return (await access(path, constants.X_OK).then(() => true, () => false)) ? 'program' : 'file';
    } catch {
      // Absent, or in a folder that may not be entered: either way not to be found here.
      return 'none';
    }
  },
  read: (path) => readFile(path, 'latin1'),
};
