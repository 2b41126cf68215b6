import { useMemo, type ComponentType } from 'react';
import { isWaiting } from '../../../shared/model/elicitation-content.ts';
import type { Elicitation } from '../../../shared/model/elicitation.ts';
import type { ChatId } from '../../../shared/ids.ts';
import { useApp } from '../../bridge/live.ts';
import { hrefOf } from '../../bridge/place.ts';

export type ElicitationCardView = ComponentType<{ readonly elicitation: Elicitation }>;
const none: readonly Elicitation[] = [];

/** What servers ask for calls of this chat: one question at a time, over the composer, and the pages that are open. */
export function ChatQuestions({ chatId, card: Card }: { readonly chatId: ChatId; readonly card: ElicitationCardView }) {
  const all = useApp((state) => state.elicitations) ?? none;
  const own = useMemo(() => all.filter((one) => one.chatId === chatId), [all, chatId]);
  const [first, ...others] = own.filter(isWaiting);
  const open = own.filter((one) => !isWaiting(one));
  if (own.length === 0) return null;
  return (
    <div className="mb-2 flex animate-appear flex-col gap-2 *:max-h-[62vh]">
      {open.map((one) => <Card key={one.id} elicitation={one} />)}
      {first ? <Card key={first.id} elicitation={first} /> : null}
      {others.length === 0 ? null : (
        <p className="px-1 text-detail text-ink-2">
          {others.length === 1 ? 'One more question' : `${others.length} more questions`} of servers: <a href={hrefOf({ page: 'approvals' })} className="text-accent underline-offset-2 hover:underline">Approvals</a>
        </p>
      )}
    </div>
  );
}
