import { AppError } from '../../shared/errors.ts';
import type { ConfigScope, SecretKey } from '../../shared/model/config-value.ts';
import type { SecretBook } from '../secrets/secret-book.ts';
import type { DraftedSecret } from './draft-fields.ts';
import { namedUses, withRenamed } from './secret-uses.ts';
import type { ServerStore } from './server-store.ts';

/**
 * Values that a person typed for a server, before its file names them. A new one may be read without a question: the person has just said where it goes. Throws
 * `secret/exists` for a chosen name that is another secret's, and then nothing is stored.
 */
export async function storeDrafted(book: SecretBook, secrets: readonly DraftedSecret[], scope: ConfigScope, signal: AbortSignal): Promise<void> {
  if (secrets.length === 0) return;
  const stored = await book.stored(signal);
  const known = await book.list(signal);
  for (const { key, server, field, chosen } of secrets) {
    if (!chosen || !stored.has(book.idOf(scope, key))) continue;
    const usedBy = known.find((entry) => entry.scope === scope && entry.key === key)?.usedBy ?? [];
    if (usedBy.length !== 1 || usedBy[0]?.field !== field || usedBy[0].server !== server) throw new AppError('secret/exists', `There is a secret ${key} already`, { data: { key, scope } });
  }
  for (const { key, value } of secrets) await book.put(scope, key, value, stored.has(book.idOf(scope, key)) ? {} : { policy: 'auto' }, signal);
}

/** In the files that the app owns and that count: a project's file may name a global secret too. */
export async function renameReferences(servers: ServerStore, scope: ConfigScope, from: SecretKey, to: SecretKey, signal: AbortSignal): Promise<void> {
  for (const read of servers.current.read) {
    const { source: { kind, path }, status } = read;
    if (status !== 'read' || path === undefined || (kind !== 'home' && kind !== 'project')) continue;
    const ofFile = kind === 'home' ? 'global' : 'project';
    if (!namedUses([read], () => undefined).some((use) => use.key === from && use.scope === scope)) continue;
    await servers.rewrite(ofFile, (text) => withRenamed(text, path, ofFile, scope, from, to), signal);
  }
}
