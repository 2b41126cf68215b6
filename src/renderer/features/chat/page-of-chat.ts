import { useEffect } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import { go } from '../../bridge/place.ts';

/** The page of the next new chat. */
let next = 1;
/** Chats that were new on a page of this window, and which. */
const begun = new Map<ChatId, string>();
const nextPage = (): string => `new ${next}`;

/** The key of a chat's page. A chat that begins keeps the page of the new chat that it was: to draw all of it anew would hold up its first answer. */
export function usePageOf(chatId: ChatId | undefined): string {
  const page = chatId === undefined ? nextPage() : (begun.get(chatId) ?? chatId);
  useEffect(() => {
    // Only now: until the window is at the chat, this is still the page of a new one.
    if (chatId !== undefined && page === nextPage()) next += 1;
  }, [chatId, page]);
  return page;
}

/** The new chat of this page has begun. */
export function becomeChat(chatId: ChatId): void {
  begun.set(chatId, nextPage());
  go({ page: 'chat', chatId }, 'replace');
}
