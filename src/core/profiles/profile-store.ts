import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { ProfileReport } from '../../shared/model/profile.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import { isProfileName } from '../../shared/text/profile-name.ts';
import { hashOf } from '../kernel/hash.ts';
import type { ConfigFiles, Log } from '../ports.ts';
import { join, type ReadSource } from '../servers/config-sources.ts';
import { runKin } from '../servers/server-id.ts';
import { parseProfile } from './parse-profile.ts';
import { hideValues, showValues } from './hidden-values.ts';
import { profileEnding, profileName } from './profile-name.ts';
import { reportOf } from './profile-report.ts';
import { resolveProfile, type FindProfile, type PlacedProfile, type ProfileTier, type ResolvedProfile } from './resolve-profile.ts';

export interface ProfileStoreDeps {
  readonly configFiles: ConfigFiles;
  readonly log: Log;
  readonly gatehouseHome: string;
  readonly project: () => string | undefined;
  /** The open project's files count: it is trusted at their content, or has none. */
  readonly projectIsTrusted: () => boolean;
  /** Looks at the project's files again: they are not what the trust is about any more. */
  readonly lookAgain: (signal: AbortSignal) => Promise<void>;
  /** Writes to a project's own folder, so that the trust in it is renewed. Throws `trust/needed`. */
  readonly writeToProject: (path: string, write: () => Promise<void>, signal: AbortSignal) => Promise<void>;
}
export type LoadedProfile =
  | { readonly kind: 'loaded'; readonly profile: ResolvedProfile }
  /** H-15: a run goes on with what it has anyway. */
  | { readonly kind: 'missing' }
  /** H-17: said in the log; a run goes on without its servers. */
  | { readonly kind: 'unusable'; readonly issues: readonly ConfigIssue[] };

/** The profile that is always there: a run as it is without one. */
const builtIn: PlacedProfile = {
  name: 'default', tier: 'built-in', issues: [],
  file: { meta: { name: 'default', description: 'A run as it is without a profile' } },
  parsed: { entries: [], issues: [], broken: false, imports: [], settings: {}, inputs: [] },
};
const longestList = 1_000;
const kinOf = (path: string, text: string | undefined): readonly ServerId[] => (text === undefined ? [] : parseProfile(text, path).parsed.entries.map(({ name }) => runKin(path, name)));

/** Named presets of runs, TOML files of the home and of the project (H-14…H-19). A project's count as its other files do: trusted, at the content that was shown. */
export class ProfileStore {
  readonly #deps: ProfileStoreDeps;
  /** The project's profiles at the content that the trust is about. */
  #shown: ReadonlyMap<string, string> = new Map();

  constructor(deps: ProfileStoreDeps) {
    this.#deps = deps;
  }

  /** For the question whether to trust a project: its profiles too say what would be run. */
  async ofProject(project: string, signal: AbortSignal): Promise<readonly ReadSource[]> {
    const sources = await this.#sourcesOf(project, signal);
    this.#shown = digestsOf(sources);
    return sources;
  }

  async #sourcesOf(project: string, signal: AbortSignal): Promise<readonly ReadSource[]> {
    const folder = profilesOf(project);
    const sources = await Promise.all((await this.#namesIn(folder, signal)).map(async (name): Promise<readonly ReadSource[]> => {
      const path = join(folder, name + profileEnding);
      const text = await this.#textOf(path, signal);
      if (text === undefined) return [];
      const { parsed } = parseProfile(typeof text === 'string' ? text : '', path);
      const digest = typeof text === 'string' ? hashOf(text) : 'unreadable';
      const label = `.gatehouse/profiles/${name}${profileEnding}`;
      return [{ source: { id: `profile:${name}`, kind: 'project-toml', label, scope: 'project', path }, status: parsed.broken ? 'broken' : 'read', parsed, digest }];
    }));
    return sources.flat();
  }

  /** A file that was written meanwhile is a question first. */
  async #upToDate(signal: AbortSignal): Promise<void> {
    const project = this.#deps.project();
    if (project !== undefined && !same(digestsOf(await this.#sourcesOf(project, signal)), this.#shown)) await this.#deps.lookAgain(signal);
  }

  /** Of the home, then of the open and trusted project, then the built-in one, each with what is wrong with it. */
  async list(signal: AbortSignal): Promise<readonly ProfileReport[]> {
    await this.#upToDate(signal);
    const find = this.#find(signal);
    const folder = this.#folder('project');
    const home = await this.#namesIn(this.#folder('home') ?? '', signal);
    const project = folder === undefined ? [] : await this.#namesIn(folder, signal);
    const report = async (name: string, tier: ProfileTier): Promise<readonly ProfileReport[]> => {
      const placed = await find(name, [tier]);
      return placed ? [{ ...(await reportOf(placed, find)), shadowed: (tier !== 'project' && project.includes(name)) || (tier === 'built-in' && home.includes(name)) }] : [];
    };
    return (await Promise.all([...home.map((name) => report(name, 'home')), ...project.map((name) => report(name, 'project')), report(builtIn.name, 'built-in')])).flat();
  }

  /** What looks secret in the text is hidden. */
  async read(name: string, scope: ConfigScope, signal: AbortSignal): Promise<{ readonly text: string; readonly seen: string; readonly report: ProfileReport }> {
    await this.#upToDate(signal);
    const path = this.#pathFor(name, scope);
    const text = await this.#deps.configFiles.read(path, signal);
    const placed = text === undefined ? undefined : await this.#find(signal)(name, [tierOf(scope)]);
    if (text === undefined || !placed) throw missing(name);
    return { text: hideValues(text), seen: hashOf(text), report: await this.#reportOf(placed, signal) };
  }

  /** As it would be with this text. */
  async check(name: string, scope: ConfigScope, text: string, signal: AbortSignal): Promise<ProfileReport> {
    const path = this.#pathFor(name, scope);
    return this.#reportOf({ name, tier: tierOf(scope), path, ...parseProfile(text, path) }, signal);
  }

  /** Throws `config/invalid` with `line`, `column` and `issues` for what is no profile, and `config/changed` for a file that is not as it was `seen`: nothing is written then. */
  /** Answers which of its servers are gone, as what runs know them by. */
  async save(name: string, scope: ConfigScope, { text, seen }: { readonly text: string; readonly seen: string | undefined }, signal: AbortSignal): Promise<readonly ServerId[]> {
    const path = this.#pathFor(name, scope);
    const errors = parseProfile(text, path).issues.filter(({ severity }) => severity === 'error');
    const [first] = errors;
    if (first) {
      const { line, column, message } = first;
      throw new AppError('config/invalid', message, { data: { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }), issues: errors } });
    }
    let before: readonly ServerId[] = [];
    const edit = (current: string | undefined): string => {
      if (seen !== undefined && seen !== (current === undefined ? 'absent' : hashOf(current))) throw new AppError('config/changed', `“${name}” was changed in the file meanwhile`, { data: { name } });
      before = kinOf(path, current);
      return showValues(text, current);
    };
    await this.#write(scope, path, () => this.#deps.configFiles.update(path, edit, signal), signal);
    const kept = new Set(kinOf(path, text));
    return before.filter((id) => !kept.has(id));
  }

  /** Answers its servers, as what runs know them by. */
  async remove(name: string, scope: ConfigScope, signal: AbortSignal): Promise<readonly ServerId[]> {
    const path = this.#pathFor(name, scope);
    const text = await this.#deps.configFiles.read(path, signal);
    if (text === undefined) throw missing(name);
    await this.#write(scope, path, () => this.#deps.configFiles.remove(path, signal), signal);
    return kinOf(path, text);
  }

  /** For a run: the nearest of that name with all that it builds on. Throws `request/invalid` for what is no name (H-16); everything else is an answer. */
  async load(name: string, signal: AbortSignal): Promise<LoadedProfile> {
    const find = this.#find(signal);
    const known = profileName(name);
    await this.#upToDate(signal);
    const placed = await find(known, ['project', 'home', 'built-in']);
    if (!placed) return { kind: 'missing' };
    const profile = await resolveProfile(placed, find);
    const errors = profile.issues.filter(({ severity, server }) => severity === 'error' && server === undefined);
    if (errors.length === 0) return { kind: 'loaded', profile };
    this.#deps.log.warn('A profile cannot be used', { profile: name, problems: errors.map(({ file, line, code }) => `${code} ${file}:${line ?? 1}`) });
    return { kind: 'unusable', issues: errors };
  }

  async #reportOf(placed: PlacedProfile, signal: AbortSignal): Promise<ProfileReport> {
    const find = this.#find(signal);
    return { ...(await reportOf(placed, find)), shadowed: placed.tier === 'home' && (await find(placed.name, ['project'])) !== undefined };
  }

  #find(signal: AbortSignal): FindProfile {
    return async (name, tiers) => {
      for (const tier of tiers) {
        if (tier === 'built-in') {
          if (name === builtIn.name) return builtIn;
          continue;
        }
        const found = await this.#placed(name, tier, signal);
        if (found) return found;
      }
      return undefined;
    };
  }

  async #placed(name: string, tier: 'home' | 'project', signal: AbortSignal): Promise<PlacedProfile | undefined> {
    const folder = this.#folder(tier);
    if (folder === undefined || !isProfileName(name)) return undefined;
    const path = join(folder, name + profileEnding);
    const text = await this.#textOf(path, signal);
    if (text === undefined) return undefined;
    if (typeof text !== 'string') return { name, tier, path, parsed: { ...builtIn.parsed, broken: true }, issues: [text] };
    // Written just now, after the trust was looked at.
    if (tier === 'project' && this.#shown.get(path) !== hashOf(text)) return undefined;
    return { name, tier, path, ...parseProfile(text, path) };
  }

  async #textOf(path: string, signal: AbortSignal): Promise<string | ConfigIssue | undefined> {
    try {
      return await this.#deps.configFiles.read(path, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage/failed') throw error;
      return { code: 'unreadable', severity: 'error', file: path, path: '', message: error.message };
    }
  }

  #folder(tier: Exclude<ProfileTier, 'built-in'>): string | undefined {
    if (tier === 'home') return join(this.#deps.gatehouseHome, 'profiles');
    const project = this.#deps.project();
    return project !== undefined && this.#deps.projectIsTrusted() ? profilesOf(project) : undefined;
  }

  /** Throws `project/needed` and `trust/needed`. */
  #pathFor(name: string, scope: ConfigScope): string {
    const file = profileName(name) + profileEnding;
    const project = this.#deps.project();
    if (scope === 'project' && project === undefined) throw new AppError('project/needed', 'Open a project first');
    const folder = this.#folder(tierOf(scope));
    if (folder === undefined) throw new AppError('trust/needed', 'Trust the project first', { data: { project } });
    return join(folder, file);
  }

  async #namesIn(folder: string, signal: AbortSignal): Promise<readonly string[]> {
    const files = await this.#deps.configFiles.list(folder, signal);
    return files.filter((file) => file.endsWith(profileEnding)).map((file) => file.slice(0, -profileEnding.length)).filter(isProfileName).toSorted().slice(0, longestList);
  }

  async #write(scope: ConfigScope, path: string, write: () => Promise<void>, signal: AbortSignal): Promise<void> {
    if (scope === 'global') await write();
    else await this.#deps.writeToProject(path, write, signal);
  }
}

const digestsOf = (sources: readonly ReadSource[]): ReadonlyMap<string, string> => new Map(sources.map(({ source, digest }) => [source.path ?? '', digest]));
const same = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([path, digest]) => other.get(path) === digest);
const profilesOf = (project: string): string => join(project, '.gatehouse', 'profiles');
const tierOf = (scope: ConfigScope): 'home' | 'project' => (scope === 'global' ? 'home' : 'project');
const missing = (name: string): AppError => new AppError('request/invalid', `There is no profile “${name}”`, { data: { field: 'name', name } });
