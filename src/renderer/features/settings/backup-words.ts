import type { BackupReport } from '../../../shared/ipc/contract/home.ts';
import { bytesText, countText } from '../../ui/time.ts';

/** `gatehouse-2026-11-30.backup`: one a day has a name of its own. */
export const backupName = (at: Date): string => `gatehouse-${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}.backup`;

/** What is wrong with a passphrase that was typed twice; none at all is allowed. */
export function passphraseProblem(first: string, second: string): { readonly first?: string; readonly second?: string } {
  if (first === '' && second === '') return {};
  if (first.length < 8) return { first: 'At least 8 characters.' };
  return first === second ? {} : { second: 'The two are not the same.' };
}

/** `214 files, 12 chats, 3 secrets, 4.1 MB`. */
export const reportText = ({ files, chats, secrets, bytes }: BackupReport): string =>
  [countText(files, 'file'), countText(chats, 'chat'), secrets === 0 ? 'no secret values' : countText(secrets, 'secret'), bytesText(bytes)].join(', ');
