import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { createTraceFiles } from './trace-files.ts';

const line = '{"version":1,"kind":"request"}\n';
function setUp(): { readonly home: string; readonly write: (file?: string) => void; readonly problems: unknown[] } {
  const home = tempFolder();
  const problems: unknown[] = [];
  const traces = createTraceFiles({ home, now: () => Date.UTC(2026, 0, 2, 3, 4, 5), onProblem: (error) => problems.push(error) });
  const write = (file?: string): void => {
    using trace = traces.open(file);
    trace.append(line);
    trace.append(line);
  };
  return { home, write, problems };
}

it('writes into a new file of its own folder for its owner alone, of which twenty stay; other files there are left alone', () => {
  const { home, write, problems } = setUp();
  const folder = join(home, 'traces');
  mkdirSync(folder);
  for (let day = 1; day <= 25; day += 1) writeFileSync(join(folder, `202501${String(day).padStart(2, '0')}T000000Z-1.jsonl`), line);
  writeFileSync(join(folder, '0.txt'), 'mine');
  write();
  const all = readdirSync(folder).toSorted();
  expect(all).toHaveLength(21);
  expect(all.slice(0, 2)).toEqual(['0.txt', '20250107T000000Z-1.jsonl']);
  const made = join(folder, `20260102T030405Z-${process.pid}.jsonl`);
  expect(readFileSync(made, 'utf8')).toBe(line + line);
  expect(statSync(made).mode & 0o777).toBe(0o600);
  expect(problems).toEqual([]);
});

it.runIf(process.platform !== 'win32')('goes on in a trace that is named, and touches no file, pipe or link that is none', () => {
  const { home, write, problems } = setUp();
  write('one/mine.jsonl');
  write('one/mine.jsonl');
  expect(readFileSync(join(home, 'one', 'mine.jsonl'), 'utf8')).toBe(line.repeat(4));
  writeFileSync(join(home, 'letter.txt'), 'Dear all,', { mode: 0o644 });
  symlinkSync(join(home, 'letter.txt'), join(home, 'link'));
  execFileSync('mkfifo', [join(home, 'pipe')]);
  for (const name of ['letter.txt', 'link', 'pipe', 'one']) write(name);
  expect(problems).toHaveLength(4);
  expect(readFileSync(join(home, 'letter.txt'), 'utf8')).toBe('Dear all,');
  expect(statSync(join(home, 'letter.txt')).mode & 0o777).toBe(0o644);
});
