import { AppError } from '../../shared/errors.ts';

/** No such program: names every place that was searched. */
export function commandNotFound(command: string, searched: readonly string[]): AppError {
  const where = searched.length === 0 ? 'no folder was searched' : `searched ${searched.join(', ')}`;
  const spaces = /\s/.test(command) ? '; a path with spaces must be the whole command or stand in quotes' : '';
  return new AppError('launch/command-not-found', `There is no command "${command}" (${where})${spaces}`, { data: { command, searched } });
}

export function notPermitted(command: string, file: string): AppError {
  return new AppError('launch/not-permitted', `"${file}" may not be run: it is not marked as a program`, { data: { command, file } });
}

/** What the system said when it started, or refused to start, a file that is there. */
export function spawnFailure(error: unknown, command: string, file: string): AppError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const data = { command, file, ...(code === '' ? {} : { systemCode: code }) };
  const options = { data, cause: error };
  switch (code) {
    case 'ENOENT':
      // The file was there a moment ago: it is the program named in its first line that is missing.
      return new AppError('launch/command-not-found', `The program that runs "${file}" (its first line) does not exist`, {
        data: { ...data, searched: [] },
        cause: error,
      });
    case 'EACCES':
    case 'EPERM':
    case 'ENOEXEC':
    case 'EINVAL':
      return new AppError('launch/not-permitted', `The system refused to run "${file}" (${code})`, options);
    case 'EMFILE':
    case 'ENFILE':
    case 'EAGAIN':
    case 'ENOMEM':
      return new AppError('connection/unreachable', `The system has no room for another process (${code})`, options);
    default:
      // Node's own message would repeat the arguments, which may hold secrets.
      return new AppError('launch/not-permitted', `"${file}" could not be started${code === '' ? '' : ` (${code})`}`, options);
  }
}
