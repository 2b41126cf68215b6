import { AppError } from '../../shared/errors.ts';

/** The error code of the operating system, such as `ENOSPC`. */
export function errno(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** `storage/failed` with what was tried; a signal's reason and errors that already have a code stay what they are. */
export function storageProblem(doing: string, error: unknown): Error {
  if (error instanceof AppError || (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError'))) return error;
  const reason = errno(error);
  return new AppError('storage/failed', `${doing}: ${reason ?? 'failed'}`, { data: reason === undefined ? {} : { reason }, cause: error });
}

/** `undefined` in place of "no such file". */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
}
