import { AppError } from '../../shared/errors.ts';
import type { Revision, SecretId, ServerId } from '../../shared/ids.ts';
import type { ConfigScope, SecretKey } from '../../shared/model/config-value.ts';
import type { SecretQuestion } from '../../shared/model/secret-entry.ts';
import type { Secret } from '../kernel/secret.ts';
import type { PermissionSubject, SecretBook } from './secret-book.ts';
import { secretIdOf } from './secret-id.ts';

export interface SecretDeskDeps {
  readonly book: SecretBook;
  readonly newId: () => string;
  /** With nobody to ask, a question is refused at once rather than waiting for ever. */
  readonly interaction: 'person' | 'none';
  /** All that wait now. */
  readonly onQuestions: (questions: readonly SecretQuestion[]) => void;
}
/** A launch that wants secrets. */
export interface SecretReader {
  readonly serverId: ServerId;
  readonly server: string;
  /** What a permission is bound to: another launch asks again. */
  readonly revision: Revision;
  /** Command line or address, masked. */
  readonly target: string;
  /** Whose `project` secrets it may name; absent for a server of no project. */
  readonly project?: string | undefined;
  /** Of the project's files, at which they are trusted. */
  readonly digest?: string | undefined;
}
/** One secret that a launch names. */
export interface SecretWant {
  readonly key: SecretKey;
  readonly scope: ConfigScope;
  /** As a path within the entry: `env.API_KEY`. */
  readonly field: string;
  /** Of the file that names it. */
  readonly namedBy: ConfigScope;
  /** The input that it is the value of. */
  readonly input?: string;
  /** There is a default: it may be missing. */
  readonly optional?: true;
}
export type SecretAnswer = 'once' | 'always' | 'deny';

interface Waiting {
  readonly question: SecretQuestion;
  readonly subject: PermissionSubject;
  readonly answered: Promise<SecretAnswer>;
  readonly settle: (answer: SecretAnswer) => void;
  askers: number;
}

/** The one way from a launch to a secret's value: the policy first, then the person where the policy or the naming file wants it, then the vault. */
export class SecretDesk {
  readonly #deps: SecretDeskDeps;
  readonly #waiting = new Map<string, Waiting>();
  /** Answers that hold until the connection ends. */
  readonly #answers = new Map<ServerId, Map<string, 'once' | 'deny'>>();

  constructor(deps: SecretDeskDeps) {
    this.#deps = deps;
  }

  /**
   * All values that a launch wants, or none. Everything that needs the person is asked at once: `onAsking` hears what, and `undefined` when it was allowed. Throws
   * `secret/missing`, `secret/policy-denied`, `user/needed` (each with server, field and reference in `data`), `vault/*`.
   */
  async open(reader: SecretReader, wants: readonly SecretWant[], onAsking: (message: string | undefined) => void, signal: AbortSignal): Promise<ReadonlyMap<SecretId, Secret>> {
    const wanted = new Map<SecretId, SecretWant>();
    for (const want of wants) {
      const id = idOf(reader, want);
      // The stricter of two places that name it: a project's file needs a grant.
      if (!wanted.has(id) || want.namedBy === 'project') wanted.set(id, want);
    }
    if (wanted.size === 0) return new Map();
    const stored = await this.#deps.book.stored(signal);
    for (const [id, want] of wanted) {
      if (stored.has(id)) continue;
      if (!want.optional) throw missing(reader, want);
      wanted.delete(id);
    }
    const unasked = [...wanted].flatMap(([id, want]) => this.#needsAnswer(reader, id, want));
    await this.#askAll(reader, unasked, onAsking, signal);
    const values = new Map<SecretId, Secret>();
    for (const [id, want] of wanted) {
      const value = await this.#deps.book.read(id, reader, signal);
      if (!value) throw missing(reader, want);
      values.set(id, value);
    }
    return values;
  }

  /** `always` is on disk before the launch goes on. Throws `approval/not-found` for a question that is no longer waiting. */
  async answer(questionId: string, answer: SecretAnswer, signal: AbortSignal): Promise<void> {
    const found = [...this.#waiting].find(([, { question }]) => question.id === questionId);
    if (!found) throw new AppError('approval/not-found', 'This question is no longer waiting');
    const [key, waiting] = found;
    if (answer === 'always') await this.#deps.book.allow(waiting.subject, signal);
    else this.#remember(waiting.subject, key, answer);
    waiting.settle(answer);
    if (this.#waiting.delete(key)) this.#announce();
  }

  /** The connection ended: what was answered for it alone is asked again. */
  ended(serverId: ServerId): void {
    this.#answers.delete(serverId);
  }

  /** A person starts the server: what they denied before is asked again. */
  forgive(serverId: ServerId): void {
    const answers = this.#answers.get(serverId);
    for (const [key, answer] of answers ?? []) if (answer === 'deny') answers?.delete(key);
  }

  /** The question that must be asked, if any. Throws `secret/policy-denied`. */
  #needsAnswer(reader: SecretReader, id: SecretId, want: SecretWant): readonly Asking[] {
    const { book } = this.#deps;
    const policy = book.policyOf(id);
    const subject: PermissionSubject = {
      secret: id, serverId: reader.serverId, server: reader.server, revision: reader.revision,
      ...(reader.digest === undefined ? {} : { digest: reader.digest }),
    };
    if (policy === 'deny') throw denied(reader, want, 'its policy is deny');
    const fromProject = want.namedBy === 'project' && want.scope === 'global';
    const granted = !fromProject || book.grants(subject);
    const permitted = policy === 'auto' || book.permits(subject);
    if (granted && permitted) return [];
    const key = JSON.stringify([subject.serverId, subject.revision, subject.secret, fromProject ? (subject.digest ?? '') : '']);
    const answer = this.#answers.get(reader.serverId)?.get(key);
    if (answer === 'once') return [];
    if (answer === 'deny') throw denied(reader, want, 'the person said no');
    return [{ key, subject, want, fromProject }];
  }

  async #askAll(reader: SecretReader, asking: readonly Asking[], onAsking: (message: string | undefined) => void, signal: AbortSignal): Promise<void> {
    const [first] = asking;
    if (!first) return;
    const keys = asking.map(({ want }) => want.key).join(', ');
    if (this.#deps.interaction === 'none') {
      throw new AppError('user/needed', `“${reader.server}” wants to read ${keys}, and there is nobody to ask`, { data: dataOf(reader, first.want) });
    }
    onAsking(`“${reader.server}” wants to read ${keys}`);
    // One no is the end of the launch: the other questions go then.
    const over = new AbortController();
    const stop = (): void => over.abort(signal.reason);
    signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    try {
      await Promise.all(asking.map(async (one) => {
        if ((await this.#ask(reader, one, over.signal)) === 'deny') throw denied(reader, one.want, 'the person said no');
      }));
      onAsking(undefined);
    } finally {
      signal.removeEventListener('abort', stop);
      over.abort(new DOMException('Another secret was denied', 'AbortError'));
    }
  }

  /** The same question of two launches is asked once. It goes when nobody waits for it any more. */
  async #ask(reader: SecretReader, { key, subject, want, fromProject }: Asking, signal: AbortSignal): Promise<SecretAnswer> {
    let waiting = this.#waiting.get(key);
    if (!waiting) {
      let settle: (answer: SecretAnswer) => void = () => undefined;
      const answered = new Promise<SecretAnswer>((resolve) => (settle = resolve));
      const question: SecretQuestion = {
        id: this.#deps.newId(), serverId: reader.serverId, server: reader.server, target: reader.target, key: want.key, scope: want.scope,
        ...(fromProject && reader.project !== undefined ? { fromProject: reader.project } : {}),
      };
      waiting = { question, subject, answered, settle, askers: 0 };
      this.#waiting.set(key, waiting);
      this.#announce();
    }
    waiting.askers += 1;
    let abort = (): void => undefined;
    const aborted = new Promise<never>((_, reject) => (abort = () => reject(signal.reason)));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    try {
      return await Promise.race([waiting.answered, aborted]);
    } finally {
      signal.removeEventListener('abort', abort);
      waiting.askers -= 1;
      if (waiting.askers === 0 && this.#waiting.get(key) === waiting) {
        this.#waiting.delete(key);
        this.#announce();
      }
    }
  }

  #remember({ serverId }: PermissionSubject, key: string, answer: 'once' | 'deny'): void {
    const answers = this.#answers.get(serverId) ?? new Map<string, 'once' | 'deny'>();
    this.#answers.set(serverId, answers.set(key, answer));
  }

  #announce(): void {
    this.#deps.onQuestions([...this.#waiting.values()].map(({ question }) => question));
  }
}

interface Asking {
  readonly key: string;
  readonly subject: PermissionSubject;
  readonly want: SecretWant;
  readonly fromProject: boolean;
}

/** Which secret a launch means. A project's secrets are for files of that project; a global file cannot name them. */
export function idOf(reader: SecretReader, want: SecretWant): SecretId {
  if (want.scope === 'project' && want.namedBy !== 'project') throw denied(reader, want, 'a global file cannot name a project’s secret');
  try {
    return secretIdOf(want.scope, want.key, reader.project);
  } catch (error) {
    if (error instanceof AppError && error.code === 'request/invalid') throw missing(reader, want);
    throw error;
  }
}

const dataOf = ({ server }: SecretReader, { field, key, scope, input }: SecretWant) => ({ server, field, secretRef: key, scope, ...(input === undefined ? {} : { input }) });
const wordsOf = ({ key, input }: SecretWant): string => (input === undefined ? `the secret ${key}` : `the input ${input} (${key})`);
const missing = (reader: SecretReader, want: SecretWant): AppError =>
  new AppError('secret/missing', `“${reader.server}” names ${wordsOf(want)} in ${want.field}, and it has no value`, { data: dataOf(reader, want) });
const denied = (reader: SecretReader, want: SecretWant, why: string): AppError =>
  new AppError('secret/policy-denied', `“${reader.server}” may not read the secret ${want.key} (${want.field}): ${why}`, { data: dataOf(reader, want) });
