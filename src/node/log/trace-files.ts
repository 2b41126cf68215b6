import { closeSync, constants, fstatSync, mkdirSync, openSync, readSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { TraceFiles } from '../../core/ports.ts';

export interface TraceFilesOptions {
  readonly home: string;
  readonly now: () => number;
  /** Once for each file that cannot be written. */
  readonly onProblem: (error: unknown) => void;
}
const kept = 20;
const ours = /^\d{8}T\d{6}Z-\d+\.jsonl$/;

/** A name that was mistyped must not cost a file of the person's. */
function isTrace(handle: number): boolean {
  const facts = fstatSync(handle);
  const start = Buffer.alloc(begins.length);
  return facts.isFile() && (facts.size === 0 || (readSync(handle, start, 0, start.length, 0) === start.length && start.toString() === begins));
}
/** As each line does. */
const begins = '{"version":1,';

/** Written at once, so that the last message before a crash is there. */
export function createTraceFiles({ home, now, onProblem }: TraceFilesOptions): TraceFiles {
  const folder = join(home, 'traces');
  const newFile = (): string => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const old of readdirSync(folder).filter((name) => ours.test(name)).toSorted().slice(0, 1 - kept)) rmSync(join(folder, old), { force: true });
    return join(folder, `${new Date(now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${process.pid}.jsonl`);
  };
  return {
    open(named) {
      let handle: number | undefined;
      let ended = false;
      const ready = (): number => {
        const file = named === undefined ? newFile() : resolve(home, named);
        if (named !== undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
        const opened = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
        if (isTrace(opened)) return opened;
        closeSync(opened);
        throw new Error(`${file} is there and no trace: it is left alone`);
      };
      const end = (): void => {
        ended = true;
        if (handle !== undefined) closeSync(handle);
        handle = undefined;
      };
      return {
        append(line) {
          if (ended) return;
          try {
            handle ??= ready();
            writeSync(handle, line);
          } catch (error) {
            onProblem(error);
            end();
          }
        },
        [Symbol.dispose]: end,
      };
    },
  };
}
