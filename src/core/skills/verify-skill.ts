import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import { parseText, type DocNode, type YamlReader } from '../formats/document.ts';
import { bytesInBase64, isBase64, textInBase64 } from '../guard/base64.ts';
import { canonicalJson } from '../kernel/hash.ts';
import { fileAddress } from './file-address.ts';
import { skillLimits, type ListedFile, type SkillEntry } from './skill-entry.ts';

const Content = z.object({ uri: z.string().optional(), text: z.string().optional(), blob: z.string().optional() });
type Content = { readonly text: string } | { readonly blob: string };

/**
 * Holds what a server answered to a reading against what it listed (SEP-2640, Integrity and Verification): size and digest of a listed file, the frontmatter of a SKILL.md, and
 * that nothing is read inside a skill which it does not list. What belongs to none of these skills passes. Throws `skill/not-verified`, and then nothing of it may be used. A
 * match says that list and content agree, not that either can be trusted.
 */
export function verifySkillFile(skills: readonly SkillEntry[], uri: string, contents: readonly unknown[], yaml: YamlReader): void {
  const address = fileAddress(uri);
  const listing = skills.flatMap(({ files }) => (files === 'dynamic' ? [] : (files.get(address) ?? [])));
  const described = skills.filter((skill) => fileAddress(skill.uri) === address);
  if (listing.length === 0 && described.length === 0) {
    if (innermost(skills, address)?.files instanceof Map) throw notVerified(uri, 'the skill does not list this file');
    return;
  }
  const content = onlyContent(uri, address, contents);
  for (const file of listing) checkBytes(uri, content, file);
  for (const skill of described) checkFrontmatter(uri, textOf(uri, content), skill, yaml);
}

/** The skill to which a file belongs: of nested ones the innermost. */
export const innermost = (skills: readonly SkillEntry[], address: string): SkillEntry | undefined =>
  skills.filter(({ folder }) => address.startsWith(folder)).toSorted((a, b) => b.folder.length - a.folder.length)[0];

function onlyContent(uri: string, address: string, contents: readonly unknown[]): Content {
  const parsed = Content.safeParse(contents[0]);
  if (contents.length !== 1 || !parsed.success) throw notVerified(uri, 'the answer is not one file');
  const { uri: said, text, blob } = parsed.data;
  if (said !== undefined && fileAddress(said) !== address) throw notVerified(uri, 'the answer is another file');
  if (text !== undefined && blob === undefined) return { text };
  if (blob === undefined || text !== undefined) throw notVerified(uri, 'the answer is not one file');
  if (!isBase64(blob)) throw notVerified(uri, 'its bytes cannot be read');
  return { blob };
}

function checkBytes(uri: string, content: Content, { size, digest }: ListedFile): void {
  const hash = sha256.create();
  let length = 0;
  for (const bytes of bytesOf(content)) {
    length += bytes.length;
    if (length > size) break;
    hash.update(bytes);
  }
  if (length !== size) throw notVerified(uri, `it is ${length > size ? 'longer' : 'shorter'} than the ${size} bytes that the server listed`);
  if (bytesToHex(hash.digest()) !== digest) throw notVerified(uri, 'its digest is not the one that the server listed');
}

function* bytesOf(content: Content): Generator<Uint8Array, void> {
  if ('blob' in content) yield* bytesInBase64(content.blob);
  else yield utf8ToBytes(content.text.slice(0, skillLimits.bytes + 1));
}

const textOf = (uri: string, content: Content): string => {
  const text = 'text' in content ? content.text : textInBase64(content.blob);
  if (text.length > skillLimits.bytes) throw notVerified(uri, 'it is larger than 16 MiB');
  return text;
};

function checkFrontmatter(uri: string, text: string, { frontmatter }: SkillEntry, yaml: YamlReader): void {
  const block = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  const read = block === undefined ? undefined : parseText(block, yaml);
  const found = read?.ok === true && read.root?.kind === 'object' ? valueOf(read.root) : undefined;
  if (typeof found !== 'object' || found === null) throw notVerified(uri, 'it has no frontmatter that can be read');
  const wrong = [...new Set([...Object.keys(frontmatter), ...Object.keys(found)])].find((field) => canonicalJson(fieldOf(found, field)) !== canonicalJson(fieldOf(frontmatter, field)));
  if (wrong !== undefined) throw notVerified(uri, `“${wrong.slice(0, 100)}” in it is not what the server listed`);
}

const fieldOf = (fields: object, name: string): unknown => new Map<string, unknown>(Object.entries(fields)).get(name);

/** As plain data. A key that stands there twice makes it nothing that anybody listed. */
function valueOf(node: DocNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(valueOf);
  if (new Set(node.members.map(({ key }) => key)).size < node.members.length) return undefined;
  return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
}

const notVerified = (uri: string, why: string): AppError => new AppError('skill/not-verified', `${uri.slice(0, 500)} is not what the server listed: ${why}. Nothing of it was used. If the skill was changed there, list the server’s resources again`, { data: { uri: uri.slice(0, 500), why } });
