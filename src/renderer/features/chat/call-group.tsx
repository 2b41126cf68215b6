import { memo, type ComponentType } from 'react';
import type { ApprovalId, ChatId, ToolCallId } from '../../../shared/ids.ts';
import type { Approval, ToolCallView } from '../../../shared/model/tool-call.ts';
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
      {runsOf(ids, calls, approvals, loud).map((part) =>
        part.approval
          ? <Card key={part.approval.id} approval={part.approval} />
          : (
            <div key={part.views[0]?.call.id} className="divide-y divide-line overflow-hidden rounded-card border border-line bg-card">
              {part.views.map((view) => <ToolCallLine key={view.call.id} view={view} chatId={chatId} startOpen={direct} />)}
            </div>
          ))}
    </div>
  );
});

interface Part {
  readonly views: readonly ToolCallView[];
  readonly approval?: Approval;
}

/** Cuts a group at the call that asks. */
export function runsOf(ids: readonly ToolCallId[], calls: Readonly<Record<ToolCallId, ToolCallView>>, approvals: readonly Approval[], loud: ApprovalId | undefined): readonly Part[] {
  const parts: Part[] = [];
  for (const id of ids) {
    const view = calls[id];
    if (!view) continue;
    const approval = view.phase === 'waiting' && view.approvalId === loud ? approvals.find((one) => one.id === loud) : undefined;
    const last = parts.at(-1);
    if (approval) parts.push({ views: [view], approval });
    else if (last && !last.approval) parts[parts.length - 1] = { views: [...last.views, view] };
    else parts.push({ views: [view] });
  }
  return parts;
}
