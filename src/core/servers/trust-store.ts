import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { TrustQuestion, TrustStatus } from '../../shared/model/project-trust.ts';
import { hashOf } from '../kernel/hash.ts';
import type { Clock, Documents } from '../ports.ts';
import type { ReadSource } from './config-sources.ts';
import { compared, comparedRuns, relative, trustedRuns, trustedServers, type TrustedRuns } from './trust-facts.ts';

const document = 'trust.json';
const Fact = z.object({
  kind: z.enum(['command', 'folder', 'address', 'socket', 'environment', 'headers', 'env-file', 'secret-command', 'secret', 'sign-in', 'switch', 'run']),
  text: z.string(),
});
const Project = z.object({
  digest: z.string().optional(),
  refused: z.string().optional(),
  at: z.number(),
  files: z.record(z.string(), z.string()).default({}),
  servers: z.array(z.object({ name: z.string(), file: z.string(), facts: z.array(Fact) })).default([]),
  runs: z.array(z.object({ file: z.string(), facts: z.array(Fact) })).default([]),
});
type Project = z.infer<typeof Project>;
const Trusted = z.object({ projects: z.record(z.string(), Project).default({}) });

export interface TrustStoreDeps {
  readonly documents: Documents;
  readonly clock: Clock;
}

/** Which projects' files may count, at which content. Lives in the home: a project's own files can never grant it. */
export class TrustStore {
  readonly #deps: TrustStoreDeps;
  #projects: Readonly<Record<string, Project>> = {};

  constructor(deps: TrustStoreDeps) {
    this.#deps = deps;
  }

  /** Throws `config/invalid` for a file that cannot be understood: nothing is trusted then. */
  async load(signal: AbortSignal): Promise<void> {
    const text = await this.#deps.documents.read(document, signal);
    this.#projects = text === undefined ? {} : parse(text).projects;
  }

  trusts(project: string, sources: readonly ReadSource[]): boolean {
    return this.#of(project)?.digest === digestOf(project, sources);
  }

  /** Sources are the project's own that exist. */
  status(project: string | undefined, sources: readonly ReadSource[]): TrustStatus {
    if (project === undefined || sources.length === 0) return { phase: 'not-needed' };
    const digest = digestOf(project, sources);
    const known = this.#of(project);
    if (known?.digest === digest) return { phase: 'trusted' };
    return { phase: known?.refused === digest ? 'refused' : 'ask', question: question(project, digest, sources, known) };
  }

  /** Bound to what was shown: `trust/changed` when the content is another by now. */
  async trust(project: string, digest: string, sources: readonly ReadSource[], signal: AbortSignal): Promise<void> {
    if (digestOf(project, sources) !== digest) throw new AppError('trust/changed', 'The project’s files changed while you looked: look again', { data: { project } });
    await this.#put(project, { digest, at: this.#deps.clock.now(), files: digests(project, sources), servers: copied(trustedServers(project, sources)), runs: copied(trustedRuns(project, sources)) }, signal);
  }

  async refuse(project: string, digest: string, sources: readonly ReadSource[], signal: AbortSignal): Promise<void> {
    if (digestOf(project, sources) !== digest) throw new AppError('trust/changed', 'The project’s files changed while you looked: look again', { data: { project } });
    const old = this.#of(project);
    await this.#put(project, { ...(old ?? { files: {}, servers: [], runs: [] }), refused: digest, at: this.#deps.clock.now() }, signal);
  }

  async distrust(project: string, signal: AbortSignal): Promise<void> {
    await this.#put(project, undefined, signal);
  }

  #of(project: string): Project | undefined {
    return Object.hasOwn(this.#projects, project) ? this.#projects[project] : undefined;
  }

  async #put(project: string, value: Project | undefined, signal: AbortSignal): Promise<void> {
    await this.#deps.documents.update(
      document,
      (current) => {
        const { [project]: _old, ...others } = current === undefined ? this.#projects : parse(current).projects;
        this.#projects = value === undefined ? others : { ...others, [project]: value };
        return `${JSON.stringify({ projects: this.#projects }, null, 2)}\n`;
      },
      signal,
    );
  }
}

/** Changes with any byte of any of the files, and with their being there. */
export const digestOf = (project: string, sources: readonly ReadSource[]): string => hashOf({ project, files: digests(project, sources) });
const digests = (project: string, sources: readonly ReadSource[]): Record<string, string> =>
  Object.fromEntries(sources.map(({ source, digest }) => [relative(project, source.path ?? source.id), digest]));
const copied = <T extends TrustedRuns>(all: readonly T[]) => all.map((one) => ({ ...one, facts: [...one.facts] }));

function question(project: string, digest: string, sources: readonly ReadSource[], known: Project | undefined): TrustQuestion {
  const now = digests(project, sources);
  const before = known?.digest === undefined ? {} : known.files;
  const change = (file: string, hash: string) => (before[file] === undefined ? 'new' : before[file] === hash ? 'same' : 'changed');
  return {
    project, digest, again: known?.digest !== undefined,
    files: [
      ...Object.entries(now).map(([file, hash]) => ({ file, change: change(file, hash) }) as const),
      ...Object.keys(before).filter((file) => now[file] === undefined).map((file) => ({ file, change: 'removed' }) as const),
    ],
    servers: compared(trustedServers(project, sources), known?.digest === undefined ? [] : known.servers),
    runs: comparedRuns(trustedRuns(project, sources), known?.digest === undefined ? [] : known.runs),
  };
}

function parse(text: string): z.infer<typeof Trusted> {
  try {
    return Trusted.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('config/invalid', `${document} cannot be understood`, { data: { file: document }, cause });
  }
}
