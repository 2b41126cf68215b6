import { isWaiting } from '../../shared/model/elicitation-content.ts';
import type { Elicitation } from '../../shared/model/elicitation.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { SecretQuestion } from '../../shared/model/secret-entry.ts';
import type { Approval } from '../../shared/model/tool-call.ts';
import type { AppState, ServerRow } from '../../shared/state/app-state.ts';
import { noticeLabel } from './label.ts';

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}
/** A question that waits for the person, and how it is put outside the window. */
export interface WaitingNotice {
  readonly id: string;
  readonly text: NoticeText;
  /** The page that answers it, and what to show there. */
  readonly place: { readonly page: 'approvals' | 'servers'; readonly id: string };
}
/** One notification on the desktop. */
export interface ShownNotice {
  close(): void;
}
export interface ApprovalNoticeDeps {
  readonly inFront: () => boolean;
  readonly show: (text: NoticeText, onClick: () => void) => ShownNotice;
  readonly open: (place: WaitingNotice['place']) => void;
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
    for (const { id, text, place } of questions) {
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      if (!wanted || this.#deps.inFront()) continue;
      this.#shown.set(id, this.#deps.show(text, () => this.#deps.open(place)));
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

/** Everything that waits for the person now, a sign-in only where a call wants it: a server that lets nobody in says so on its row. */
export const waitingNotices = ({ approvals, secretQuestions, elicitations, servers }: Pick<AppState, 'approvals' | 'secretQuestions' | 'elicitations' | 'servers'>): readonly WaitingNotice[] => [
  ...approvals.map((approval) => ({ id: approval.id, text: approvalText(approval), place: { page: 'approvals' as const, id: approval.id } })),
  ...secretQuestions.map((question) => ({ id: question.id, text: secretText(question), place: { page: 'approvals' as const, id: question.id } })),
  ...elicitations.filter(isWaiting).map((elicitation) => ({ id: elicitation.id, text: elicitationText(elicitation), place: { page: 'approvals' as const, id: elicitation.id } })),
  ...Object.values(servers).flatMap(signInNotice),
];

function signInNotice({ definition, signIn }: ServerRow): readonly WaitingNotice[] {
  const wanted = signIn?.flow ? undefined : signIn?.wanted;
  if (!definition.enabled || !wanted || (wanted.because !== 'call' && wanted.because !== 'scopes')) return [];
  const tool = wanted.tool === undefined ? 'A call' : noticeLabel(wanted.tool);
  const text = {
    title: `${noticeLabel(definition.name, 40)} wants you to sign in`,
    body: wanted.because === 'scopes' ? `${tool} needs more permission. Open Gatehouse to see which.` : `${tool} cannot be used without. Open Gatehouse to sign in.`,
  };
  return [{ id: `sign-in ${definition.id}`, text, place: { page: 'servers', id: definition.id } }];
}

/** The secret's name says what for; neither its value nor the command line stands on the desktop. */
export function secretText({ server, key }: SecretQuestion): NoticeText {
  return {
    title: `${noticeLabel(server, 40)} waits for a secret`,
    body: `It wants to read ${noticeLabel(key)}. Open Gatehouse to see for what and answer.`,
  };
}

/** Neither the server's words nor its address: whoever passes would read them, and could take them for ours. */
export const elicitationText = ({ serverName, ask }: Elicitation): NoticeText => ({
  title: `${noticeLabel(serverName, 40)} ${ask.kind === 'form' ? 'asks you something' : 'wants you to open a page'}`,
  body: 'Open Gatehouse to see what, and answer.',
});

/** Server and tool only: arguments may be private, and a notification is seen by whoever passes. An address that a model named is such an argument. */
export function approvalText({ call, toolTitle }: Approval): NoticeText {
  if (call.ref.serverId === ownToolsId) return { title: 'Gatehouse waits for your approval', body: `${noticeLabel(toolTitle ?? call.ref.tool)}? Open Gatehouse to see all of it and answer.` };
  return {
    title: `${noticeLabel(call.serverName, 40)} waits for your approval`,
    body: `It wants to use ${noticeLabel(toolTitle ?? call.ref.tool)}. Open Gatehouse to see all of it and answer.`,
  };
}
