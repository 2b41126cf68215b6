import { AppError } from '../../shared/errors.ts';
import type { ChatId } from '../../shared/ids.ts';
import { ContentRef } from '../../shared/model/content.ts';
import type { ContentStore } from '../ports.ts';
import { isDoor } from './keeper.ts';

/**
 * The value with what it refers to kept under the chat's name, so that it lives and goes with the chat. Takes over what was read outside of any chat; another chat's contents are
 * refused. Throws `request/invalid` for what is not there any more.
 */
export async function adopted<T>(value: T, chatId: ChatId, contents: Pick<ContentStore, 'keeperOf' | 'read' | 'put'>, signal: AbortSignal): Promise<T> {
  const known = new Map<string, ContentRef>();
  const take = async (ref: ContentRef): Promise<ContentRef> => {
    const keeper = await contents.keeperOf(ref.id, signal);
    if (keeper === chatId) return ref;
    if (keeper === undefined || !isDoor(keeper)) throw new AppError('request/invalid', 'What is attached is not kept any more; attach it again', { data: { reason: 'attachment-gone' } });
    const { bytes, mimeType } = await contents.read(ref.id, 0, ref.bytes, signal);
    return contents.put(chatId, bytes, mimeType, signal);
  };
  const walk = async (item: unknown): Promise<unknown> => {
    if (Array.isArray(item)) return Promise.all(item.map(walk));
    if (typeof item !== 'object' || item === null) return item;
    const ref = ContentRef.safeParse(item);
    if (!ref.success) return Object.fromEntries(await Promise.all(Object.entries(item).map(async ([key, inner]) => [key, await walk(inner)] as const)));
    const mine = known.get(ref.data.id) ?? (await take(ref.data));
    known.set(ref.data.id, mine);
    return mine;
  };
  return (await walk(value)) as T; // the same shape: only references gave way to references
}
