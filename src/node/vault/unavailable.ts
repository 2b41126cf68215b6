import { AppError, type ErrorCode } from '../../shared/errors.ts';
import type { VaultStatus } from '../../shared/model/settings.ts';

type Unavailable = Extract<VaultStatus, { phase: 'unavailable' }>;

export function codeOf({ why }: Unavailable): ErrorCode {
  switch (why) {
    case 'no-keyring': return 'vault/unavailable';
    case 'refused': return 'vault/unavailable';
    case 'locked': return 'vault/locked';
    case 'key-missing': return 'vault/key-missing';
    case 'damaged': return 'vault/damaged';
  }
}

/** `undefined` for what says nothing about the vault as a whole, such as one changed record or a full disk. */
export function unavailableBy(error: unknown): Unavailable | undefined {
  if (!(error instanceof AppError)) return undefined;
  const { code, message, data } = error;
  const about = (why: Unavailable['why']): Unavailable => ({ phase: 'unavailable', why, message });
  switch (code) {
    case 'vault/locked': return about('locked');
    case 'vault/key-missing': return about('key-missing');
    case 'vault/damaged': return data === undefined ? about('damaged') : undefined;
    case 'vault/unavailable': return about(data === undefined ? 'no-keyring' : 'refused');
    case 'storage/failed': return isUnsafe(data) ? about('refused') : undefined;
    default: return undefined;
  }
}

const isUnsafe = (data: unknown): boolean => typeof data === 'object' && data !== null && 'reason' in data && (data.reason === 'foreign-owner' || data.reason === 'not-a-folder');
