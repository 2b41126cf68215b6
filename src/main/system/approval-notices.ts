import type { SecretQuestion } from '../../shared/model/secret-entry.ts';
import type { Approval } from '../../shared/model/tool-call.ts';
import type { AppState } from '../../shared/state/app-state.ts';
import { noticeLabel } from './label.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}
/** A question that waits for the person, and how it is put outside the window. */
export interface WaitingNotice {
  readonly id: string;
  readonly text: NoticeText;
}
/** One notification on the desktop. */
export interface ShownNotice {
  close(): void;
}
export interface ApprovalNoticeDeps {
  readonly inFront: () => boolean;
  readonly show: (text: NoticeText, onClick: () => void) => ShownNotice;
  readonly open: (id: string) => void;
}

/** Notifies of questions that begin to wait while nobody looks, and takes the notice back once the question is answered. */
export class ApprovalNotices implements Disposable {
  readonly #deps: ApprovalNoticeDeps;
  readonly #known = new Set<string>();
  readonly #shown = new Map<string, ShownNotice>();

  constructor(deps: ApprovalNoticeDeps) {
    this.#deps = deps;
  }

  update(questions: readonly WaitingNotice[], wanted: boolean): void {
    const waiting = new Set(questions.map(({ id }) => id));
    for (const id of this.#shown.keys()) if (!waiting.has(id) || !wanted) this.#close(id);
    for (const id of this.#known) if (!waiting.has(id)) this.#known.delete(id);
    for (const { id, text } of questions) {
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      if (!wanted || this.#deps.inFront()) continue;
      this.#shown.set(id, this.#deps.show(text, () => this.#deps.open(id)));
    }
  }

  [Symbol.dispose](): void {
    for (const id of this.#shown.keys()) this.#close(id);
  }

  #close(id: string): void {
    this.#shown.get(id)?.close();
    this.#shown.delete(id);
  }
}

/** Everything that waits for the person now. */
export const waitingNotices = ({ approvals, secretQuestions }: Pick<AppState, 'approvals' | 'secretQuestions'>): readonly WaitingNotice[] => [
  ...approvals.map((approval) => ({ id: approval.id, text: approvalText(approval) })),
  ...secretQuestions.map((question) => ({ id: question.id, text: secretText(question) })),
];

/** The secret's name says what for; neither its value nor the command line stands on the desktop. */
export function secretText({ server, key }: SecretQuestion): NoticeText {
  return {
    title: `${noticeLabel(server, 40)} waits for a secret`,
    body: `It wants to read ${noticeLabel(key)}. Open Gatehouse to see for what and answer.`,
  };
}

/** Server and tool only: arguments may be private, and a notification is seen by whoever passes. */
export function approvalText({ call, toolTitle }: Approval): NoticeText {
  return {
    title: `${noticeLabel(call.serverName, 40)} waits for your approval`,
    body: `It wants to use ${noticeLabel(toolTitle ?? call.ref.tool)}. Open Gatehouse to see all of it and answer.`,
  };
}
