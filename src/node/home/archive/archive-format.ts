import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { Secret } from '../../../core/kernel/secret.ts';
import { AppError } from '../../../shared/errors.ts';
import { SecretId } from '../../../shared/ids.ts';

/**
 * The home in one file: a gzipped tar of regular files, in this order: `head`, the home's files under `files/`, the vault's names, the manifest,
 * and with a passphrase the sealed values. The values open for exactly this manifest: who changes a file in between cannot have them sent elsewhere.
 */
export const archiveFormat = 1;
export const places = { head: 'gatehouse-backup.json', files: 'files/', names: 'vault-names.json', manifest: 'manifest.json', secrets: 'secrets.json' } as const;

export const Head = z.object({ format: z.number().int().positive(), app: z.string().max(100), createdAt: z.number() });
export const Names = z.array(z.object({ id: SecretId, scope: z.string().max(10_000) })).max(100_000);
export type Names = z.infer<typeof Names>;
export const Manifest = z.array(z.object({ path: z.string(), bytes: z.number().int().nonnegative(), sha256: z.string() }));
export type Manifest = z.infer<typeof Manifest>;
const Values = z.array(z.object({ id: SecretId, scope: z.string(), value: z.string() }));
export type Values = z.infer<typeof Values>;

const bytes = (count: number) => z.base64url().refine((text) => Buffer.from(text, 'base64url').length === count);
/** What a hostile file may make us compute is bounded: at most 1 GiB of memory. */
export const Sealed = z.object({
  kdf: z.object({ name: z.literal('scrypt'), n: z.union([z.literal(131_072), z.literal(262_144), z.literal(524_288), z.literal(1_048_576)]), r: z.literal(8), p: z.literal(1), salt: bytes(32) }),
  iv: bytes(12), ct: z.base64url(), tag: bytes(16),
});
type Sealed = z.infer<typeof Sealed>;

const derive = promisify<string, Buffer, number, { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number }, Buffer>(scrypt);
const keyOf = (passphrase: Secret, { n, r, p, salt }: Sealed['kdf']): Promise<Buffer> =>
  derive(passphrase.reveal().normalize('NFC'), Buffer.from(salt, 'base64url'), 32, { N: n, r, p, maxmem: 256 * n * r });

export async function sealValues(values: Values, passphrase: Secret, manifest: string): Promise<Sealed> {
  const kdf = { name: 'scrypt', n: 131_072, r: 8, p: 1, salt: randomBytes(32).toString('base64url') } as const;
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, kdf), iv);
  cipher.setAAD(bindingOf(manifest));
  const ct = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
  return { kdf, iv: iv.toString('base64url'), ct: ct.toString('base64url'), tag: cipher.getAuthTag().toString('base64url') };
}

/** Throws `secret/missing` with `data.reason` for a passphrase that does not fit this file as it is. */
export async function openValues({ kdf, iv, ct, tag }: Sealed, passphrase: Secret, manifest: string): Promise<Values> {
  const decipher = createDecipheriv('aes-256-gcm', await keyOf(passphrase, kdf), Buffer.from(iv, 'base64url'), { authTagLength: 16 });
  decipher.setAAD(bindingOf(manifest));
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  const start = decipher.update(Buffer.from(ct, 'base64url'));
  try {
    return Values.parse(JSON.parse(Buffer.concat([start, decipher.final()]).toString('utf8')));
  } catch {
    throw new AppError('secret/missing', 'The passphrase does not open the secrets of this backup', { data: { reason: 'passphrase' } });
  }
}

const bindingOf = (manifest: string): Buffer => Buffer.from(JSON.stringify(['gatehouse-backup', archiveFormat, createHash('sha256').update(manifest).digest('hex')]));

/** What in the home belongs to this machine or this run, or that hold what is archived in another form. */
const apart: ReadonlySet<string> = new Set(['electron', 'logs', 'traces', 'door', 'running', 'backups', 'vault', 'waiting', 'npx-cache.json', 'mcp-cache.json']);
/** Whether a name at the top of the home is part of what is backed up. */
export const isArchived = (name: string): boolean => !name.startsWith('.') && !apart.has(name.toLowerCase()) && !isKept(name);
/** Earlier homes, when they could not be kept beside this one. */
export const isKept = (name: string): boolean => name.startsWith('before-restore-');
/** Not whole, or of nobody's use. */
export const isPassing = (name: string): boolean => /^\..+\.(?:lock(?:\..*)?|tmp)$/.test(name) || name.endsWith('.part');

/** Whether a path of an archive stays inside the home on every system, and is one that a backup would hold. */
export function isSafePath(path: string): boolean {
  const steps = path.split('/');
  const [top = ''] = steps;
  return path.length <= 1000 && steps.length <= 20 && isArchived(top) && steps.every((step) => isSafeStep(step) && !isPassing(step));
}

const isSafeStep = (step: string): boolean =>
  step !== '' && step !== '.' && step !== '..' && Buffer.byteLength(step) <= 255 && !/[\p{Cc}\\:*?"<>|]/u.test(step) && !/[. ]$/.test(step) &&
  !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(step);
