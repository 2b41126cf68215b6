import * as z from 'zod';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { hashOf } from '../kernel/hash.ts';
import { fileAddress } from './file-address.ts';

/** What a host must be able to take (SEP-2640, Limits); more than this is not taken. */
export const skillLimits = { files: 512, bytes: 16 * 1024 * 1024 } as const;
/** As JSON. Characters. */
const frontmatterLimit = 64 * 1024;
const descriptionLimit = 2_000;
const mainFile = '/SKILL.md';

export interface ListedFile {
  readonly uri: string;
  /** SHA-256, in hexadecimal. */
  readonly digest: string;
  /** In bytes. */
  readonly size: number;
}
/** A skill as its server describes it: what is read of it is held against this. */
export interface SkillEntry {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly frontmatter: JsonObject;
  /** By their comparable addresses. */
  readonly files: ReadonlyMap<string, ListedFile> | 'dynamic';
  /** The comparable address of its folder, with a slash at the end. */
  readonly folder: string;
  /** Changes when any of its files does: what a permission to read it is bound to. */
  readonly revision: string;
}

const address = z.string().min(1).max(8192);
const Entry = z.object({
  uri: address.endsWith(mainFile),
  frontmatter: z.looseObject({ name: z.string().min(1).max(64), description: z.string().min(1) }),
  resources: z.union([
    z.literal('dynamic'),
    z.array(z.object({ uri: address, digest: z.string().regex(/^sha256:[0-9a-f]{64}$/), size: z.number().int().min(0) })),
  ]),
});

const problems: ReadonlyMap<PropertyKey | undefined, string> = new Map([
  ['uri', 'its address does not end with /SKILL.md'],
  ['frontmatter', 'it has no usable name and description'],
  ['resources', 'its files are not listed with digest and size'],
]);

/** One entry of a server's answer, or why it cannot be used, in words that follow “is left out:”. */
export function parseSkill(item: unknown): SkillEntry | { readonly why: string } {
  const parsed = Entry.safeParse(item);
  if (!parsed.success) return { why: problems.get(parsed.error.issues[0]?.path[0]) ?? 'it is not described as it should be' };
  const { uri, frontmatter, resources } = parsed.data;
  const main = fileAddress(uri);
  const folder = main.slice(0, -mainFile.length + 1);
  if (folder.split('/').at(-2) !== frontmatter.name) return { why: 'its folder is not called like it' };
  if (JSON.stringify(frontmatter).length > frontmatterLimit) return { why: 'its frontmatter is larger than 64 KiB' };
  const files = resources === 'dynamic' ? resources : filesOf(resources, main, folder);
  if (files !== 'dynamic' && 'why' in files) return files;
  const { name, description } = frontmatter;
  const revision = hashOf({ uri, files: files === 'dynamic' ? files : [...files].map(([key, { digest }]) => [key, digest]) });
  return { uri, name, description: description.slice(0, descriptionLimit), frontmatter, files, folder, revision };
}

function filesOf(listed: readonly ListedFile[], main: string, folder: string): ReadonlyMap<string, ListedFile> | { readonly why: string } {
  if (listed.length > skillLimits.files) return { why: `it has more than ${skillLimits.files} files` };
  const files = new Map(listed.map((file) => [fileAddress(file.uri), { ...file, digest: file.digest.slice('sha256:'.length) }]));
  if (files.size < listed.length) return { why: 'it lists a file twice' };
  if (!files.has(main)) return { why: 'its SKILL.md is not among its files' };
  if ([...files.keys()].some((key) => !key.startsWith(folder) || key.split('/').includes('..'))) return { why: 'it lists a file outside its folder' };
  if (listed.reduce((sum, { size }) => sum + size, 0) > skillLimits.bytes) return { why: 'its files are larger than 16 MiB' };
  return files;
}
