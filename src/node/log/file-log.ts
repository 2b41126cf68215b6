import { closeSync, constants, fchmodSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '../../core/ports.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';

export interface FileLogOptions {
  readonly file: string;
  /** Takes known secret values out of a line before it is written. */
  readonly mask: (text: string) => string;
  readonly now?: () => number;
  readonly maxBytes?: number;
}

const keptFiles = 2;
const longestLine = 32_768;

/**
 * JSON lines at `file`, kept below 5 MiB with two older files beside it. Written at once, so that the last words before a crash are there.
 * Never throws: what cannot be written is dropped, and the next line says how many.
 */
export function createFileLog({ file, mask, now = Date.now, maxBytes = 5 * 1024 * 1024 }: FileLogOptions): Log & Disposable {
  let handle: number | undefined;
  let size = 0;
  let dropped = 0;
  let closed = false;

  function ready(): number {
    if (handle !== undefined && size < maxBytes) return handle;
    if (handle !== undefined) rotate(handle);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    handle = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW, 0o600);
    fchmodSync(handle, 0o600);
    size = fstatSync(handle).size;
    if (size < maxBytes) return handle;
    rotate(handle);
    return ready();
  }

  function rotate(open: number): void {
    handle = undefined;
    size = 0;
    closeSync(open);
    rmSync(`${file}.${keptFiles}`, { force: true });
    for (let age = keptFiles; age > 1; age--) renameIfThere(`${file}.${age - 1}`, `${file}.${age}`);
    renameIfThere(file, `${file}.1`);
  }

  function write(level: 'info' | 'warn' | 'error', message: string, more: JsonObject): void {
    if (closed) return;
    try {
      const line = lineOf({ at: new Date(now()).toISOString(), level, message, ...more, ...(dropped > 0 ? { dropped } : {}) }, mask);
      size += writeSync(ready(), line);
      dropped = 0;
    } catch {
      dropped += 1;
    }
  }

  return {
    info: (message, data) => write('info', message, data ? { data } : {}),
    warn: (message, data) => write('warn', message, data ? { data } : {}),
    error: (message, error) => write('error', message, { error: described(error, 0) }),
    [Symbol.dispose]() {
      closed = true;
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
}

function lineOf(entry: JsonObject, mask: (text: string) => string): string {
  const text = mask(JSON.stringify(entry));
  if (text.length <= longestLine) return `${text}\n`;
  return `${JSON.stringify({ at: entry.at, level: entry.level, cut: text.slice(0, longestLine) })}\n`;
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

function described(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : typeof error;
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {};
  const cause = error.cause === undefined || depth === 3 ? {} : { cause: described(error.cause, depth + 1) };
  return { name: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}
