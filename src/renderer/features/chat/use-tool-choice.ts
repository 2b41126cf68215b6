import { useRef, useState } from 'react';
import type { ChatId } from '../../../shared/ids.ts';
import type { ChatTools } from '../../../shared/model/chat-tools.ts';
import { api, RequestError } from '../../bridge/api.ts';
import { setNewChatTools } from './new-chat.ts';

/** A chat's choice of tools as the person sees it: each press shows at once, and they are saved one after the other. */
export function useToolChoice(chatId: ChatId | undefined, saved: ChatTools): { readonly tools: ChatTools; readonly choose: (tools: ChatTools) => void; readonly error: RequestError | undefined } {
  const [mine, setMine] = useState<ChatTools>();
  const [open, setOpen] = useState(0);
  const [seen, setSeen] = useState(saved);
  const [error, setError] = useState<RequestError>();
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  // What somebody else changed counts as soon as nothing of ours is under way.
  if (seen !== saved) {
    setSeen(saved);
    if (open === 0) setMine(undefined);
  }
  const choose = (tools: ChatTools) => {
    if (chatId === undefined) {
      setNewChatTools(tools);
      return;
    }
    setMine(tools);
    setOpen((before) => before + 1);
    queue.current = queue.current.then(() => api.chats.setTools({ chatId, tools })).then(
      () => setError(undefined),
      (thrown: unknown) => {
        setError(RequestError.from(thrown));
        setMine(undefined);
      },
    ).finally(() => setOpen((before) => before - 1));
  };
  return { tools: mine ?? saved, choose, error };
}
