import type { ApprovalId } from '../../shared/ids.ts';
import type { Approval } from '../../shared/model/tool-call.ts';
import { noticeLabel } from './label.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}
/** One notification on the desktop. */
export interface ShownNotice {
  close(): void;
}
export interface ApprovalNoticeDeps {
  readonly inFront: () => boolean;
  readonly show: (text: NoticeText, onClick: () => void) => ShownNotice;
  readonly open: (id: ApprovalId) => void;
}

/** Notifies of approvals that begin to wait while nobody looks, and takes the notice back once the approval is answered. */
export class ApprovalNotices implements Disposable {
  readonly #deps: ApprovalNoticeDeps;
  readonly #known = new Set<ApprovalId>();
  readonly #shown = new Map<ApprovalId, ShownNotice>();

  constructor(deps: ApprovalNoticeDeps) {
    this.#deps = deps;
  }

  update(approvals: readonly Approval[], wanted: boolean): void {
    const waiting = new Set(approvals.map((approval) => approval.id));
    for (const id of this.#shown.keys()) if (!waiting.has(id) || !wanted) this.#close(id);
    for (const id of this.#known) if (!waiting.has(id)) this.#known.delete(id);
    for (const approval of approvals) {
      if (this.#known.has(approval.id)) continue;
      this.#known.add(approval.id);
      if (!wanted || this.#deps.inFront()) continue;
      this.#shown.set(approval.id, this.#deps.show(approvalText(approval), () => this.#deps.open(approval.id)));
    }
  }

  [Symbol.dispose](): void {
    for (const id of this.#shown.keys()) this.#close(id);
  }

  #close(id: ApprovalId): void {
    this.#shown.get(id)?.close();
    this.#shown.delete(id);
  }
}

/** Server and tool only: arguments may be private, and a notification is seen by whoever passes. */
export function approvalText({ call, toolTitle }: Approval): NoticeText {
  return {
    title: `${noticeLabel(call.serverName, 40)} waits for your approval`,
    body: `It wants to use ${noticeLabel(toolTitle ?? call.ref.tool)}. Open Gatehouse to see all of it and answer.`,
  };
}
