import { dirname, join } from 'node:path';
import * as z from 'zod';
import { hashOf } from '../../core/kernel/hash.ts';
import { Lifetime } from '../../core/kernel/lifetime.ts';
import type { Clock, Documents, Log, PackageCommands, ReadyStdioLaunch, ResolvedPackage } from '../../core/ports.ts';
import { childEnvironment, type Environment, type Platform } from '../stdio/environment.ts';
import { plainEntries } from '../stdio/prepare-launch.ts';
import { findInstalled, isInProject, isThere, type InstalledPackage } from './installed-package.ts';
import { npmCache } from './npm-cache.ts';
import { runNpm } from './npm-run.ts';
import { readPackageCommand, type PackageCommand } from './package-command.ts';

export interface PackageCommandsDeps {
  readonly documents: Documents;
  readonly clock: Clock;
  readonly log: Log;
  readonly platform: Platform;
  readonly personEnvironment: () => Promise<Environment>;
  readonly homeFolder: string;
}

const file = 'npx-cache.json';
/** So long a resolution is believed while its file is there (F-179). Milliseconds. */
const believedMs = 24 * 3_600_000;
/** What is older is of nobody's use. */
const keptMs = 30 * 24 * 3_600_000;
const keptMost = 500;
/** Measuring takes a second of work, and waits until servers have started. Milliseconds. */
const measureAfterMs = 60_000;

const Resolution = z.object({ file: z.string(), name: z.string(), version: z.string(), at: z.number() });
/** Keyed by a hash of the whole command line, which may hold what is nobody's business. */
const Cache = z.object({ wrapperBytes: z.number().optional(), commands: z.record(z.string(), Resolution) });
type Cache = z.infer<typeof Cache>;
const nothing: Cache = { commands: {} };

/** Runs packages' programs without `npx` beside them, and remembers where they are in the home's `npx-cache.json`. */
export class NpxPackages implements PackageCommands, AsyncDisposable {
  readonly #deps: PackageCommandsDeps;
  readonly #lifetime = new Lifetime();
  readonly #loaded: Promise<void>;
  /** One npm at a time for one command line, whoever asks. */
  readonly #filling = new Map<string, Promise<InstalledPackage | undefined>>();
  #cache: Cache = nothing;
  #measuring = false;

  constructor(deps: PackageCommandsDeps) {
    this.#deps = deps;
    this.#loaded = this.#load();
  }

  get savedBytes(): number | undefined {
    return this.#cache.wrapperBytes;
  }

  known(command: string, args: readonly string[]): ResolvedPackage | undefined {
    const found = this.#cache.commands[keyOf(command, args)];
    return found && { name: found.name, version: found.version };
  }

  async resolve(launch: ReadyStdioLaunch, signal: AbortSignal): Promise<ReadyStdioLaunch> {
    const command = this.#deps.platform === 'win32' ? undefined : readPackageCommand(launch.command, launch.args);
    if (!command) return launch;
    try {
      const found = await this.#find(command, launch, signal);
      if (!found) return launch;
      const { name, version } = found;
      return { ...launch, command: await nodeBeside(launch.command), args: [found.file, ...command.args], package: { name, version } };
    } catch (error) {
      signal.throwIfAborted();
      this.#deps.log.info('A package’s program was not found; its command runs as it is', { reason: error instanceof Error ? error.name : 'unknown' });
      return launch;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lifetime.end();
  }

  async #find(command: PackageCommand, launch: ReadyStdioLaunch, signal: AbortSignal): Promise<InstalledPackage | undefined> {
    await this.#loaded;
    const cwd = launch.cwd ?? process.cwd();
    if (await isInProject(cwd, command.name)) return undefined;
    const key = keyOf(launch.command, launch.args);
    const known = this.#cache.commands[key];
    const now = this.#deps.clock.now();
    if (known && now - known.at < believedMs && (await isThere(known.file))) return known;
    const env = childEnvironment(await this.#deps.personEnvironment(), plainEntries(launch.env), { platform: this.#deps.platform, ownRuntime: false });
    const cache = await npmCache(env, this.#deps);
    const installed = await findInstalled(cache, command, now, false);
    const found = installed ?? (await this.#filled(key, command, { npm: npmBeside(launch.command), cwd, env, cache }, signal));
    if (found) await this.#remember(key, { ...found, at: now });
    if (installed) this.#measureLater({ npm: npmBeside(launch.command), spec: command.spec, cwd, env });
    return found;
  }

  #filled(key: string, command: PackageCommand, place: NpmPlace & { readonly cache: string }, signal: AbortSignal): Promise<InstalledPackage | undefined> {
    const filling =
      this.#filling.get(key) ??
      this.#fill(command, place, AbortSignal.any([signal, this.#lifetime.signal])).finally(() => this.#filling.delete(key));
    this.#filling.set(key, filling);
    return filling;
  }

  async #fill(command: PackageCommand, { cache, ...place }: NpmPlace & { readonly cache: string }, signal: AbortSignal): Promise<InstalledPackage | undefined> {
    const bytes = await runNpm({ ...place, spec: command.spec, offline: false }, signal);
    if (bytes !== undefined) await this.#change((known) => ({ ...known, wrapperBytes: bytes }));
    return findInstalled(cache, command, this.#deps.clock.now(), true);
  }

  /** Once on this machine: what was not measured is not claimed. */
  #measureLater(run: NpmPlace & { readonly spec: string }): void {
    if (this.#measuring || this.#cache.wrapperBytes !== undefined) return;
    this.#measuring = true;
    this.#lifetime.run(
      async (signal) => {
        await this.#deps.clock.doze(measureAfterMs, signal);
        const bytes = await runNpm({ ...run, offline: true }, signal);
        if (bytes !== undefined) await this.#change((known) => ({ ...known, wrapperBytes: bytes }));
      },
      () => this.#deps.log.info('What npx takes could not be measured'),
    );
  }

  #remember(key: string, resolution: z.infer<typeof Resolution>): Promise<void> {
    const fresh = ([, { at }]: readonly [string, { readonly at: number }]): boolean => resolution.at - at < keptMs;
    return this.#change(({ commands, ...known }) => {
      const kept = Object.entries({ ...commands, [key]: resolution }).filter(fresh).sort(([, a], [, b]) => b.at - a.at);
      return { ...known, commands: Object.fromEntries(kept.slice(0, keptMost)) };
    });
  }

  async #change(change: (known: Cache) => Cache): Promise<void> {
    this.#cache = change(this.#cache);
    await this.#deps.documents.update(file, () => `${JSON.stringify(this.#cache)}\n`, new AbortController().signal);
  }

  async #load(): Promise<void> {
    try {
      const text = await this.#deps.documents.read(file, this.#lifetime.signal);
      if (text !== undefined) this.#cache = Cache.parse(JSON.parse(text));
    } catch {
      this.#deps.log.info('What was known of packages cannot be read and is found anew');
    }
  }
}

interface NpmPlace {
  readonly npm: string;
  readonly cwd: string;
  readonly env: Environment;
}

const keyOf = (command: string, args: readonly string[]): string => hashOf([command, ...args]);
/** The Node and the npm that come with an `npx` named by its path; else those of the PATH. */
async function nodeBeside(command: string): Promise<string> {
  const beside = join(dirname(command), 'node');
  return command.includes('/') && (await isThere(beside)) ? beside : 'node';
}
const npmBeside = (command: string): string => (command.includes('/') ? join(dirname(command), 'npm') : 'npm');
