import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Clock, SealedStore } from '../../core/ports.ts';
import { hashOf } from '../../core/kernel/hash.ts';
import { privateFolder } from '../home/private-folder.ts';
import { atomicWrite } from '../records/atomic-write.ts';
import { storageProblem } from '../records/storage-problem.ts';
import { readTextFile } from '../records/text-file.ts';
import type { FileVault } from './vault.ts';
import { Box, seal, unseal } from './vault-file.ts';

export interface SealedFilesOptions {
  readonly folder: string;
  readonly vault: Pick<FileVault, 'masterKey'>;
  readonly clock: Clock;
}

/** 32 MiB of text, as base64. */
const largestFile = 64 * 1024 * 1024;
const SealedFile = z.object({ v: z.literal(1), kid: z.string(), expiresAt: z.number(), ...Box.shape });

/** One file a text, named by a hash of its name. Nothing is ever written in the open: without a key it stays in memory. */
export function createSealedFiles({ folder, vault, clock }: SealedFilesOptions): SealedStore {
  const memory = new Map<string, { readonly text: string; readonly expiresAt: number }>();
  let swept = false;
  const fileOf = (name: string) => join(folder, `${hashOf(name)}.json`);
  // The time is sealed along: one that is over stays over.
  const bindingOf = (name: string, kid: string, expiresAt: number) => ({ id: name, scope: `until ${expiresAt}`, kid });
  return {
    async put(name, text, expiresAt, signal) {
      memory.delete(name);
      const master = await vault.masterKey(true, signal);
      if (!master) {
        memory.set(name, { text, expiresAt });
        return 'memory';
      }
      const { kid, key } = master;
      try {
        await privateFolder(folder);
        if (!swept) await sweep(folder, clock.now());
        swept = true;
        await atomicWrite(fileOf(name), `${JSON.stringify({ v: 1, kid, expiresAt, ...seal(key, text, 'text', bindingOf(name, kid, expiresAt)) })}\n`, 0o600);
      } catch (error) {
        throw storageProblem('Cannot keep what a script needs to go on', error);
      }
      return 'disk';
    },
    async get(name, signal) {
      const remembered = memory.get(name);
      if (remembered) return remembered.expiresAt > clock.now() ? remembered.text : undefined;
      const file = await readSealed(fileOf(name));
      if (!file || file.expiresAt <= clock.now()) return undefined;
      const master = await vault.masterKey(false, signal);
      const { kid, expiresAt } = file;
      return master?.kid === kid ? unseal(master.key, file, 'text', bindingOf(name, kid, expiresAt)) : undefined;
    },
    async remove(name) {
      memory.delete(name);
      await rm(fileOf(name), { force: true });
    },
  };
}

/** `undefined` for what is not there, or is no such file. */
async function readSealed(file: string): Promise<z.infer<typeof SealedFile> | undefined> {
  try {
    const read = await readTextFile(file, largestFile);
    return read && SealedFile.parse(JSON.parse(read.text));
  } catch {
    return undefined; // somebody else's doing: nothing that could be opened
  }
}

/** What nobody asked for in its time. */
async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const sealed = name.endsWith('.json') ? await readSealed(file) : undefined;
    if (sealed && sealed.expiresAt <= now) await rm(file, { force: true });
  }
}
