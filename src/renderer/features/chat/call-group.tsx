import { memo, type ComponentType } from 'react';
import type { ApprovalId, ChatId, ToolCallId } from '../../../shared/ids.ts';
import type { Approval, ToolCallView } from '../../../shared/model/tool-call.ts';
import { isScript, partsOf } from './own-tools.ts';
import { isSearch } from './own-words.ts';
import { ScriptLine } from './script-line.tsx';
import { SearchLine } from './search-line.tsx';
import { ToolCallLine } from './tool-call-line.tsx';

export type ApprovalCardView = ComponentType<{ readonly approval: Approval }>;

/** Calls that follow each other, as lines in one box; the one that asks stands out of it as a card. */
export const CallGroup = memo(function CallGroup({ ids, calls, approvals, loud, direct, chatId, card: Card }: {
  readonly ids: readonly ToolCallId[];
  readonly calls: Readonly<Record<ToolCallId, ToolCallView>>;
  readonly approvals: readonly Approval[];
  /** The one question of this chat that asks now; the others wait their turn as lines. */
  readonly loud: ApprovalId | undefined;
  readonly direct: boolean;
  readonly chatId: ChatId;
  readonly card: ApprovalCardView;
}) {
  return (
    <div className="flex flex-col gap-3">
      {direct ? <h2 className="sr-only">You ran</h2> : null}
      {partsOf(ids, calls, approvals, loud).map((part) =>
        part.approval
          ? <Card key={part.approval.id} approval={part.approval} />
          : (
            <div key={part.items[0]?.view.call.id} className="divide-y divide-line overflow-hidden rounded-card border border-line bg-card">
              {part.items.map(({ view, inner, asks }) =>
                isScript(view) ? <ScriptLine key={view.call.id} view={view} inner={inner} asks={asks === true} chatId={chatId} startOpen={direct} />
                : isSearch(view) ? <SearchLine key={view.call.id} view={view} startOpen={direct} />
                : <ToolCallLine key={view.call.id} view={view} chatId={chatId} startOpen={direct} />)}
            </div>
          ))}
    </div>
  );
});
