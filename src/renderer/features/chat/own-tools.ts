import type { ApprovalId, ToolCallId } from '../../../shared/ids.ts';
import type { Approval, ToolCallView } from '../../../shared/model/tool-call.ts';
import { isOwn } from './own-words.ts';

export const isScript = (view: ToolCallView): boolean => isOwn(view) && view.call.ref.tool === 'mcp_script';

/** One line of a group of calls; a script's holds those of its own. */
export interface CallItem {
  readonly view: ToolCallView;
  readonly inner: readonly ToolCallView[];
  /** One of its calls asks, with a card of its own below this line. */
  readonly asks?: true;
}
/** Lines that stand together, and then perhaps the card of one that asks. */
export interface CallPart {
  readonly items: readonly CallItem[];
  readonly approval?: Approval;
}
type Calls = Readonly<Record<ToolCallId, ToolCallView>>;

/** What a call made stands in its place where it is no more than a way to it; a script stays, with what it made inside. */
function itemsOf(id: ToolCallId, calls: Calls): readonly CallItem[] {
  const view = calls[id];
  if (!view) return [];
  const inner = view.inner.flatMap((one) => calls[one] ?? []);
  if (isScript(view) || inner.length === 0) return [{ view, inner }];
  return inner.map((one) => ({ view: one, inner: [] }));
}

/** Cuts a group at the call that asks. Its line gives way to its card, inside a script too. */
export function partsOf(ids: readonly ToolCallId[], calls: Calls, approvals: readonly Approval[], loud: ApprovalId | undefined): readonly CallPart[] {
  const asks = (view: ToolCallView) => view.phase === 'waiting' && view.approvalId === loud;
  const asked = approvals.find((one) => one.id === loud);
  const parts: CallPart[] = [];
  const add = (item: CallItem) => {
    const last = parts.at(-1);
    if (last && !last.approval) parts[parts.length - 1] = { items: [...last.items, item] };
    else parts.push({ items: [item] });
  };
  for (const item of ids.flatMap((id) => itemsOf(id, calls))) {
    const within = asked !== undefined && item.inner.some(asks);
    if (!asked || !asks(item.view)) add(within ? { ...item, inner: item.inner.filter((one) => !asks(one)), asks: true } : item);
    if (asked && (within || asks(item.view))) parts.push({ items: [], approval: asked });
  }
  return parts;
}
