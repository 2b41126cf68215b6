import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import * as z from 'zod';
import { SecretId } from '../../shared/ids.ts';
import { atomicWrite } from '../records/atomic-write.ts';
import { errno, unlessMissing } from '../records/storage-problem.ts';

const version = 1;
const largestFile = 32 * 1024 * 1024;

const bytes = (count: number) => z.base64url().refine((text) => Buffer.from(text, 'base64url').length === count);
export const Box = z.object({ iv: bytes(12), ct: z.base64url(), tag: bytes(16) });
/** AES-256-GCM: what was put in, sealed together with where it belongs. */
export type Box = z.infer<typeof Box>;
const Kid = z.string().regex(/^[0-9a-f]{16}$/);
const times = { updatedAt: z.number(), lastReadAt: z.number().optional(), lastReadBy: z.string().optional() };
const VaultRecord = z.union([
  z.object({ scope: z.string(), kid: Kid, ...Box.shape, ...times }),
  /** Its value was given up by a reset; its place is kept. */
  z.object({ scope: z.string(), empty: z.literal(true), ...times }),
]);
export type VaultRecord = z.infer<typeof VaultRecord>;
const Head = z.object({ v: z.literal(version), kid: Kid, check: Box, secrets: z.unknown() });

export interface VaultContent {
  /** Names the master key, as `master.<kid>` on the keyring. */
  readonly kid: string;
  /** Opens with the right master key and no other. */
  readonly check: Box;
  readonly secrets: ReadonlyMap<SecretId, VaultRecord>;
}
export type VaultReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'read'; readonly content: VaultContent }
  | { readonly kind: 'damaged' | 'refused'; readonly message: string };

/** Reads the file, without any key. A link, a foreign owner or more readers than the owner is answered before a byte is believed. */
export async function readVaultFile(file: string): Promise<VaultReading> {
  const opened = await openOwn(file);
  if (typeof opened !== 'object') return opened === 'none' ? { kind: 'none' } : { kind: 'refused', message: `The vault's file is refused: ${opened}` };
  const value = parseJson(opened.text);
  const head = Head.safeParse(value);
  if (!head.success) return { kind: 'damaged', message: versionOf(value) ?? "The vault's file does not have the expected form" };
  const stored = head.data.secrets;
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return { kind: 'damaged', message: "The vault's file holds no records" };
  const secrets = new Map<SecretId, VaultRecord>();
  // Not by a schema for records, which leaves out __proto__: here it is an id like any other, and would be lost at the next write.
  for (const [name, record] of Object.entries(stored)) {
    const id = SecretId.safeParse(name);
    const parsed = VaultRecord.safeParse(record);
    if (!id.success || !parsed.success) return { kind: 'damaged', message: "A record in the vault's file does not have the expected form" };
    secrets.set(id.data, parsed.data);
  }
  return { kind: 'read', content: { kid: head.data.kid, check: head.data.check, secrets } };
}

export async function writeVaultFile(file: string, { kid, check, secrets }: VaultContent): Promise<void> {
  await atomicWrite(file, `${JSON.stringify({ v: version, kid, check, secrets: Object.fromEntries(secrets) })}\n`, 0o600);
}

export interface SealedFor {
  readonly id: string;
  readonly scope: string;
  readonly kid: string;
}
/** Moving a box to another id, scope, key or version of the format makes it unopenable. */
export type SealedPlace = 'secret' | 'check' | 'text';
const bindingOf = (place: SealedPlace, { id, scope, kid }: SealedFor): Buffer => Buffer.from(JSON.stringify(['gatehouse-vault', version, place, id, scope, kid]));

export function seal(key: Uint8Array, value: string, place: SealedPlace, binding: SealedFor): Box {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(bindingOf(place, binding));
  const ct = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()]);
  return { iv: iv.toString('base64url'), ct: ct.toString('base64url'), tag: cipher.getAuthTag().toString('base64url') };
}

/** `undefined` when the key does not fit or anything was changed. */
export function unseal(key: Uint8Array, box: Box, place: SealedPlace, binding: SealedFor): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(box.iv, 'base64url'), { authTagLength: 16 });
  decipher.setAAD(bindingOf(place, binding));
  decipher.setAuthTag(Buffer.from(box.tag, 'base64url'));
  const start = decipher.update(Buffer.from(box.ct, 'base64url'));
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

export function newKey(): { readonly kid: string; readonly key: Uint8Array; readonly check: Box } {
  const kid = randomBytes(8).toString('hex');
  const key = randomBytes(32);
  return { kid, key, check: seal(key, '', 'check', { id: '', scope: '', kid }) };
}

export const fits = (key: Uint8Array, { kid, check }: VaultContent): boolean => unseal(key, check, 'check', { id: '', scope: '', kid }) !== undefined;

async function openOwn(file: string): Promise<{ readonly text: string } | 'none' | 'symlink' | 'no-regular-file' | 'foreign-owner' | 'too-large'> {
  try {
    // A pipe in its place must not make us wait for a writer.
    const handle = await unlessMissing(open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
    if (!handle) return 'none';
    await using _handle = handle;
    const facts = await handle.stat();
    if (!facts.isFile()) return 'no-regular-file';
    if (process.platform !== 'win32' && facts.uid !== process.getuid?.()) return 'foreign-owner';
    if (facts.size > largestFile) return 'too-large';
    if (process.platform !== 'win32' && (facts.mode & 0o077) !== 0) await handle.chmod(0o600);
    return { text: await handle.readFile('utf8') };
  } catch (error) {
    if (errno(error) === 'ELOOP' || errno(error) === 'EMLINK') return 'symlink';
    throw error;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function versionOf(value: unknown): string | undefined {
  const found = z.object({ v: z.number() }).safeParse(value).data?.v;
  return found === undefined || found === version ? undefined : `The vault's file has format ${found}, which this version of Gatehouse does not read`;
}
