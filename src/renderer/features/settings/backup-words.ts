import type { ErrorCode } from '../../../shared/errors.ts';
import type { BackupReport } from '../../../shared/ipc/contract/home.ts';
import { bytesText, countText } from '../../ui/time.ts';

/** `gatehouse-2026-11-30.backup`: one a day has a name of its own. */
export const backupName = (at: Date): string =>
  `gatehouse-${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}.backup`;

/** What is wrong with a passphrase that was typed twice; none at all is allowed. */
export function passphraseProblem(first: string, second: string): { readonly first?: string; readonly second?: string } {
  if (first === '' && second === '') return {};
  if (first.length < 8) return { first: 'At least 8 characters.' };
  return first === second ? {} : { second: 'The two are not the same.' };
}

/** Why a backup could not be made or taken, where the code alone says too little; `undefined` where its own words are right. */
export function archiveFailure(code: ErrorCode, data: unknown): { readonly what: string; readonly means: string } | undefined {
  const reason = typeof data === 'object' && data !== null && 'reason' in data ? data.reason : undefined;
  switch (code) {
    case 'storage/failed':
      return reason === 'exists'
        ? { what: 'There is a file of this name already.', means: 'A backup never takes the place of a file. Choose another name.' }
        : undefined;
    case 'request/invalid':
      return { what: 'A backup cannot be kept inside the home.', means: 'It would be lost with it. Choose a place outside.' };
    case 'config/invalid':
      return reason === 'not-a-backup'
        ? { what: 'This is no backup of Gatehouse.', means: 'Nothing was changed.' }
        : { what: 'This backup is damaged.', means: 'It was refused as a whole, and nothing was changed.' };
    case 'secret/missing':
      return {
        what: 'That is not the passphrase of this backup.',
        means: 'Nothing was changed. Without a passphrase it can be restored too, but for the values of its secrets.',
      };
    default:
      return undefined;
  }
}

/** `214 files, 12 chats, 3 secrets, 4.1 MB`. */
export const reportText = ({ files, chats, secrets, bytes }: BackupReport): string =>
  [
    countText(files, 'file'),
    countText(chats, 'chat'),
    secrets === 0 ? 'no secret values' : countText(secrets, 'secret'),
    bytesText(bytes),
  ].join(', ');
