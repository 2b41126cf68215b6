import { describe, expect, it } from 'vitest';
import { archiveFailure, backupName, passphraseProblem, reportText } from './backup-words.ts';

describe('a backup', () => {
  it('is called after its day', () => {
    expect(backupName(new Date(2026, 0, 5))).toBe('gatehouse-2026-01-05.backup');
  });
  it.each([
    ['', '', {}],
    ['short', 'short', { first: 'At least 8 characters.' }],
    ['', 'something', { first: 'At least 8 characters.' }],
    ['long enough', 'long enouhg', { second: 'The two are not the same.' }],
    ['long enough', 'long enough', {}],
  ])('takes a passphrase twice or not at all: %s, %s', (first, second, problem) => {
    expect(passphraseProblem(first, second)).toEqual(problem);
  });
  it('says why it was refused', () => {
    expect(archiveFailure('storage/failed', { reason: 'exists' })?.what).toBe('There is a file of this name already.');
    expect(archiveFailure('storage/failed', undefined)).toBeUndefined();
    expect(archiveFailure('config/invalid', { reason: 'not-a-backup' })?.what).toBe('This is no backup of Gatehouse.');
    expect(archiveFailure('config/invalid', { reason: 'unsafe-path' })?.what).toBe('This backup is damaged.');
    expect(archiveFailure('home/newer', undefined)).toBeUndefined();
  });
  it('says what is in it', () => {
    expect(reportText({ path: '/a', bytes: 4_100_000, files: 214, chats: 1, secrets: 0 })).toBe(
      '214 files, 1 chat, no secret values, 4.1 MB',
    );
  });
});
