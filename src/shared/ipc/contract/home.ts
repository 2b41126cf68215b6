import * as z from 'zod';
import { request } from '../define.ts';

const Passphrase = z.string().min(8).max(1000);
export interface BackupReport {
  readonly path: string;
  readonly bytes: number;
  readonly files: number;
  readonly chats: number;
  readonly secrets: number;
}
export const home = {
  /** Everything of the home in one file of mode 0600; secrets only with a passphrase, which encrypts them. Never over an existing file. */
  'home.backup': request<BackupReport>()(z.strictObject({ path: z.string().min(1).max(4096), passphrase: Passphrase.optional() })),
  /** Checks the file and lays it ready; it takes the home's place at the next start, the old one kept beside it. `config/invalid`, `secret/missing` for a wrong passphrase, `home/newer`. */
  'home.restore': request<BackupReport>()(z.strictObject({ path: z.string().min(1).max(4096), passphrase: Passphrase.optional() })),
};
