import type { ProfileFile } from '../../shared/model/profile.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import type { RawEntry } from '../formats/raw-entry.ts';
import type { ParsedProfile } from './parse-profile.ts';

export const profileTiers = ['project', 'home', 'built-in'] as const;
export type ProfileTier = (typeof profileTiers)[number];
/** A profile in its place. */
export interface PlacedProfile extends ParsedProfile {
  readonly name: string;
  readonly tier: ProfileTier;
  /** Absent for the built-in one. */
  readonly path?: string;
}
/** The nearest of a name, in these tiers. */
export type FindProfile = (name: string, tiers: readonly ProfileTier[]) => Promise<PlacedProfile | undefined>;

/** An entry and whose file it is in: a project's counts as such, whoever builds on it. */
export interface ProfileServer {
  readonly entry: RawEntry;
  readonly tier: ProfileTier;
  readonly path: string;
}

export interface ResolvedProfile {
  readonly name: string;
  readonly tier: ProfileTier;
  /** What it builds on, nearest first. */
  readonly bases: readonly string[];
  /** Of itself and all its bases, its own fields first; without `extends`. */
  readonly merged: ProfileFile;
  /** The same of those alone that are the person's: what they limit, a project's profile that builds on them does not widen. */
  readonly personal: ProfileFile;
  /** … and of those that are the project's. */
  readonly ofProject: ProfileFile;
  /** By name: an entry stands for itself, nothing of a base's shows through. */
  readonly servers: readonly ProfileServer[];
  /** With an error among them it must not be used: a base that is not there may have held rules that restrict it. */
  readonly issues: readonly ConfigIssue[];
}

/**
 * H-19: follows `extends` to the end. A profile that names itself means the one that it stands in front of, in a lower tier. A base that is missing or leads back is an
 * issue of the profile.
 */
export async function resolveProfile(first: PlacedProfile, find: FindProfile): Promise<ResolvedProfile> {
  const chain: PlacedProfile[] = [first];
  const issues: ConfigIssue[] = [];
  for (let last = first, base = first.file?.extends; base !== undefined; base = last.file?.extends) {
    const below = base === last.name ? profileTiers.slice(profileTiers.indexOf(last.tier) + 1) : profileTiers;
    const next = await find(base, below);
    const at = { code: 'invalid-option', severity: 'error', file: last.path ?? last.name, path: 'extends' } as const;
    if (!next) {
      issues.push({ ...at, message: `“${last.name}” builds on “${base}”, and there is no such profile` });
      break;
    }
    if (chain.some(({ name, tier }) => name === next.name && tier === next.tier)) {
      issues.push({ ...at, message: `The profiles build on each other: ${[...chain, next].map(({ name }) => name).join(' → ')}` });
      break;
    }
    chain.push(next);
    last = next;
  }
  const servers = new Map(chain.toReversed().flatMap(({ parsed, tier, path = '' }) => parsed.entries.map((entry): [string, ProfileServer] => [entry.name, { entry, tier, path }])));
  return {
    name: first.name, tier: first.tier,
    bases: chain.slice(1).map(({ name }) => name),
    merged: mergedOf(chain),
    personal: mergedOf(chain.filter(({ tier }) => tier !== 'project')),
    ofProject: mergedOf(chain.filter(({ tier }) => tier === 'project')),
    servers: [...servers.values()],
    issues: [...chain.flatMap((one) => one.issues), ...issues],
  };
}

function mergedOf(chain: readonly PlacedProfile[]): ProfileFile {
  const { extends: _own, ...merged } = chain.toReversed().reduce<ProfileFile>((below, { file }) => mergeFiles(below, file ?? {}), {});
  return merged;
}

/** Tables by their keys, everything else as a whole. */
function mergeFiles(below: ProfileFile, above: ProfileFile): ProfileFile {
  const keys = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...keys].map((key) => {
    const [old, own] = [below[key], above[key]];
    return [key, isTable(old) && isTable(own) ? { ...old, ...own } : Object.hasOwn(above, key) ? own : old];
  }));
}
const isTable = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value);
