import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { Skill, SkillListing } from '../../shared/model/skill.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { withoutSecrets } from '../catalog/without-secrets.ts';
import { masked } from '../connections/failure.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import { loadYaml } from '../formats/document.ts';
import { fileAddress } from './file-address.ts';
import { parseSkill, type SkillEntry } from './skill-entry.ts';
import { innermost, verifySkillFile } from './verify-skill.ts';

export interface SkillsDeps {
  readonly catalog: Pick<Catalog, 'server' | 'exposes'>;
  readonly pool: Pick<ConnectionPool, 'use'>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Hides secret values: servers say what they were given. */
  readonly mask: (text: string) => string;
}
/** A file of a skill as the gate sees it: under the skill's name, for as long as the skill is the same. */
export interface SkillSubject {
  readonly skill: string;
  readonly description: string;
  /** What a lasting permission is bound to: the skill with all its digests (SEP-2640, Content-bound approval). */
  readonly grantedFor: string;
}
interface Held {
  readonly entries: readonly SkillEntry[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** More of one server are not looked at. */
const skillLimit = 200;
/** A server that pages for ever is cut off here. */
const pageLimit = 64;
const warningLimit = 20;

/**
 * What servers say of their skills, held in memory from when somebody looks at them: the server's page, a model that lists resources, whoever reads a file of one. Nothing is asked
 * on connecting, and no file of a skill is read before somebody wants it. A skill is known by its server and its address together.
 */
export class Skills {
  readonly #deps: SkillsDeps;
  readonly #held = new Map<ServerId, Held>();

  constructor(deps: SkillsDeps) {
    this.#deps = deps;
  }

  /** Asks the server for all of its skills; what was held of them is replaced. Connects if need be. Empty for a server without. Throws what connecting throws, and why the first page did not come. */
  async look(serverId: ServerId, signal: AbortSignal): Promise<SkillListing> {
    const { entries, warnings } = this.#parsed(await this.#pages(serverId, signal));
    this.#held.set(serverId, { entries, at: this.#deps.now() });
    return { skills: this.known(serverId), warnings };
  }

  /** Before a reading: what the server lists is there to hold it against. A skill that it does not list is asked for by its address. Never throws but for the signal: what cannot be asked is read as any resource. */
  async prepare(serverId: ServerId, uri: string, signal: AbortSignal): Promise<void> {
    if (this.#deps.catalog.server(serverId)?.skills !== true) return;
    try {
      if (!this.#held.has(serverId)) await this.look(serverId, signal);
      if (uri.endsWith('/SKILL.md') && !this.#owner(serverId, uri)) await this.#get(serverId, uri, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (AppError.from(error).kind === 'bug') throw error;
    }
  }

  /** As they were last listed, without asking. */
  known(serverId: ServerId): readonly Skill[] {
    const { catalog, mask } = this.#deps;
    const shown = this.#entries(serverId).filter(({ name }) => catalog.exposes(serverId, name));
    return shown.map(({ uri, name, description, files }) => withoutSecrets<Skill>({ uri, name, description, files: files === 'dynamic' ? files : [...files.values()].map((file) => ({ uri: file.uri, size: file.size })) }, mask));
  }

  /** The skill of which this is a file; `undefined` for what is none, as far as the server was asked, and where its rules keep it away. */
  subject(serverId: ServerId, uri: string): SkillSubject | undefined {
    const owner = this.#owner(serverId, uri);
    if (!owner || !this.#deps.catalog.exposes(serverId, owner.name)) return undefined;
    // What nothing binds to its content is allowed until it is listed again.
    const until = owner.files === 'dynamic' ? ` listed at ${this.#held.get(serverId)?.at ?? 0}` : '';
    return { skill: owner.name, description: this.#deps.mask(owner.description), grantedFor: `${owner.uri} ${owner.revision}${until}` };
  }

  /** What is read of this file is held against a digest. */
  isBound(serverId: ServerId, uri: string): boolean {
    return this.#owner(serverId, uri)?.files instanceof Map;
  }

  /** Throws `skill/not-verified` for contents that are not what the server listed. */
  async verify(serverId: ServerId, uri: string, contents: readonly unknown[]): Promise<void> {
    const yaml = await loadYaml();
    try {
      verifySkillFile(this.#entries(serverId), uri, contents, yaml);
    } catch (error) {
      throw error instanceof AppError ? masked(error, this.#deps.mask) : error;
    }
  }

  forget(serverId: ServerId): void {
    this.#held.delete(serverId);
  }

  #entries(serverId: ServerId): readonly SkillEntry[] {
    return this.#held.get(serverId)?.entries ?? [];
  }

  #owner(serverId: ServerId, uri: string): SkillEntry | undefined {
    const address = fileAddress(uri);
    const skills = this.#entries(serverId).filter(({ files }) => files === 'dynamic' || files.has(address));
    return innermost(skills, address);
  }

  async #get(serverId: ServerId, uri: string, signal: AbortSignal): Promise<void> {
    const result = await this.#deps.pool.use(serverId, (session, using) => session.getSkill(uri, using), signal);
    const entry = parseSkill(result?.['skill']);
    const held = this.#held.get(serverId);
    if (!held || 'why' in entry || fileAddress(entry.uri) !== fileAddress(uri) || held.entries.length >= 2 * skillLimit) return;
    this.#held.set(serverId, { ...held, entries: [...held.entries, entry] });
  }

  async #pages(serverId: ServerId, signal: AbortSignal): Promise<Paged> {
    const items: unknown[] = [];
    const cursors = new Set<string>();
    for (let cursor: string | undefined; ; ) {
      const asked = cursor;
      const result = await this.#deps.pool.use(serverId, (session, using) => session.listSkills(asked, using), signal).catch((error: unknown) => {
        signal.throwIfAborted();
        if (asked === undefined) throw error;
      });
      const found = result?.['skills'];
      if (!Array.isArray(found)) return { items, ...(cursor === undefined && !result ? {} : { cut: `Page ${cursors.size + 1} of the skills did not arrive` }) };
      for (const item of found) items.push(item);
      const next = result?.['nextCursor'];
      if (typeof next !== 'string') return { items };
      if (cursors.has(next) || cursors.size >= pageLimit || items.length > skillLimit) return { items, cut: `The server lists more than ${Math.min(items.length, skillLimit)} skills; the rest is left out` };
      cursors.add(next);
      cursor = next;
    }
  }

  /** Each on its own: one that cannot be used never hides its neighbours. */
  #parsed({ items, cut }: Paged): { readonly entries: readonly SkillEntry[]; readonly warnings: readonly string[] } {
    const entries = new Map<string, SkillEntry>();
    const warnings: string[] = [];
    for (const item of items.slice(0, skillLimit)) {
      const entry = parseSkill(item);
      if ('why' in entry) warnings.push(this.#deps.mask(`${calledOf(item)} is left out: ${entry.why}`));
      else if (entries.has(fileAddress(entry.uri))) warnings.push(this.#deps.mask(`A second “${entry.name}” at the same address is left out`));
      else entries.set(fileAddress(entry.uri), entry);
    }
    const more = warnings.splice(warningLimit).length;
    const most = cut ?? (items.length > skillLimit ? `The server lists more than ${skillLimit} skills; the rest is left out` : undefined);
    return { entries: [...entries.values()], warnings: [...warnings, ...(more > 0 ? [`${more} more are left out`] : []), ...(most === undefined ? [] : [most])] };
  }
}

interface Paged {
  readonly items: readonly unknown[];
  /** Why there are not all. */
  readonly cut?: string;
}

function calledOf(item: unknown): string {
  const uri = typeof item === 'object' && item !== null && 'uri' in item ? item.uri : undefined;
  return typeof uri === 'string' ? uri.slice(0, 200) : 'A skill without an address';
}
