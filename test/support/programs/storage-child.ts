import { writeSync } from 'node:fs';
import { editSource, type FileEdit } from '../../../src/core/formats/edit-source.ts';
import { createConfigFiles } from '../../../src/node/files/config-files.ts';
import { applyStagedRestore } from '../../../src/node/home/archive/staged-restore.ts';
import { lockHome } from '../../../src/node/home/home-lock.ts';
import { createDocuments } from '../../../src/node/records/documents.ts';
import { tryLock } from '../../../src/node/records/file-lock.ts';
import { createTranscriptStore } from '../../../src/node/records/transcript-log.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { ChatId } from '../../../src/shared/ids.ts';

/** A process that writes to the home until it is told to stop or killed. It reports each step that is done as a line on stdout. */
const never = new AbortController().signal;
const report = (line: string): void => void writeSync(1, `${line}\n`);
const [, , task = '', folder = '', name = '', count = ''] = process.argv;

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  async 'write-documents'() {
    const documents = createDocuments(folder);
    for (let n = Number(count); ; n++) {
      // Large, so that writing it takes a while.
      const part = String(n).repeat(800_000);
      await documents.update(name, () => JSON.stringify({ n, part, again: n }), never);
      report(String(n));
    }
  },
  async 'count-up'() {
    const documents = createDocuments(folder);
    for (let n = 0; n < Number(count); n++) await documents.update(name, (current) => String(Number(current ?? '0') + 1), never);
  },
  async 'hold-document'() {
    await createDocuments(folder).update(
      name,
      () => {
        report('inside');
        for (;;);
      },
      never,
    );
  },
  /** `folder` is for backups, `name` a whole path. */
  async 'edit-config'() {
    const files = createConfigFiles({ backups: folder, mask: (text) => text, onProblem: (error) => report(String(error)) });
    for (let n = 0; n < Number(count); n++) {
      const edits: readonly FileEdit[] = [{ op: 'put', name: `${process.pid}-${n}`, fields: { command: 'x'.repeat(200) } }];
      await files.update(name, (current) => editSource(current, edits), never);
      report(String(n));
    }
  },
  async 'apply-restore'() {
    await using _lock = await lockHome(folder);
    report('begins');
    report((await applyStagedRestore(folder, Date.now())).kind);
  },
  async 'append-durably'() {
    const file = await createTranscriptStore(folder).open(ChatId.parse(name), never);
    for (let n = Number(count); ; n += 3) {
      await Promise.all([0, 1, 2].map((more) => file.append([{ n: n + more, text: 'word '.repeat((n % 50) + 1) }], true).then(() => report(String(n + more)))));
    }
  },
  /** Run under a limit on file sizes, so that a write fails in its middle. */
  async 'append-until-full'() {
    const file = await createTranscriptStore(folder).open(ChatId.parse(name), never);
    for (let n = 0; ; n++) {
      try {
        await file.append([{ n, text: 'x'.repeat(300) }], true);
        report(`saved ${n}`);
      } catch (error) {
        report(`failed ${error instanceof Error && 'code' in error ? String(error.code) : ''}`);
        await file.append([{ n, text: '' }], true);
        report('saved small');
        await file[Symbol.asyncDispose]();
        return;
      }
    }
  },
  async 'hold-lock'() {
    const attempt = await tryLock(folder);
    report(attempt.kind);
    process.stdin.resume();
  },
  async 'hold-home'() {
    try {
      await lockHome(folder);
      report('held');
      process.stdin.resume();
    } catch (error) {
      const { code, data } = AppError.from(error);
      report(`${code} ${typeof data === 'object' && data !== null && 'pid' in data ? String(data.pid) : ''}`);
    }
  },
};

await tasks[task]?.();
