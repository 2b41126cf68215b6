import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Secret } from '../../src/core/kernel/secret.ts';
import { Redactor } from '../../src/core/secrets/redactor.ts';
import { SecretBook } from '../../src/core/secrets/secret-book.ts';
import { SecretDesk } from '../../src/core/secrets/secret-desk.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createDocuments } from '../../src/node/records/documents.ts';
import { createVault, type FileVault } from '../../src/node/vault/vault.ts';
import { SecretKey, type ConfigScope } from '../../src/shared/model/config-value.ts';
import type { SecretPolicy, SecretQuestion } from '../../src/shared/model/secret-entry.ts';
import { eventually } from './test-pool.ts';
import { MemoryKeyring } from './memory-keyring.ts';
import { tempFolder } from './temp-folder.ts';

const signal = new AbortController().signal;

/** A vault, the book and the desk over it, on real files; ends with its test. */
export class SecretParts {
  readonly folder = tempFolder();
  readonly redactor = new Redactor();
  readonly vault: FileVault = createVault({ folder: join(this.folder, 'vault'), keyring: new MemoryKeyring(), clock: systemClock });
  readonly book: SecretBook;
  readonly desk: SecretDesk;
  project: string | undefined;
  questions: readonly SecretQuestion[] = [];
  #ids = 0;

  private constructor(interaction: 'person' | 'none') {
    this.book = new SecretBook({
      vault: this.vault, documents: createDocuments(this.folder), clock: systemClock, redactor: this.redactor,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      project: () => this.project, defaultPolicy: () => 'prompt', uses: () => [], renameReferences: async () => undefined, onChange: () => undefined,
    });
    this.desk = new SecretDesk({ book: this.book, newId: () => `question-${(this.#ids += 1)}`, interaction, onQuestions: (questions) => void (this.questions = questions) });
  }

  static async open(interaction: 'person' | 'none' = 'person'): Promise<SecretParts> {
    const parts = new SecretParts(interaction);
    onTestFinished(() => parts.vault[Symbol.asyncDispose]());
    await parts.vault.open(signal);
    return parts;
  }

  put(key: string, value: string, policy?: SecretPolicy, scope: ConfigScope = 'global'): Promise<void> {
    return this.book.put(scope, SecretKey.parse(key), new Secret(value), policy === undefined ? {} : { policy }, signal);
  }

  /** The questions once there are so many. */
  asked(count = 1): Promise<readonly SecretQuestion[]> {
    return eventually(() => {
      if (this.questions.length !== count) throw new Error(`${this.questions.length} questions wait`);
      return this.questions;
    });
  }

  async answer(answer: 'once' | 'always' | 'deny', at = 0): Promise<void> {
    const question = (await this.asked(Math.max(at + 1, this.questions.length)))[at];
    await this.desk.answer(question?.id ?? '', answer, signal);
  }
}
