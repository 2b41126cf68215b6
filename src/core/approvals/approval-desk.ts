import { AppError } from '../../shared/errors.ts';
import type { ApprovalId } from '../../shared/ids.ts';
import type { Approval, ApprovalAnswer } from '../../shared/model/tool-call.ts';

export interface ApprovalDeskDeps {
  /** With nobody to ask, a question is refused at once rather than waiting for ever. */
  readonly interaction: 'person' | 'none';
  readonly onAsked: (approval: Approval) => void;
  readonly onClosed: (approvalId: ApprovalId) => void;
}

/** Questions waiting for a person. Each is answered once; a late answer is told so and changes nothing. */
export class ApprovalDesk {
  readonly #deps: ApprovalDeskDeps;
  readonly #waiting = new Map<ApprovalId, { readonly approval: Approval; readonly resolve: (answer: ApprovalAnswer) => void }>();

  constructor(deps: ApprovalDeskDeps) {
    this.#deps = deps;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get canAsk(): boolean {
    return this.#deps.interaction === 'person';
  }

  /** Rejects with the signal's reason when it aborts, and with `approval/required` when there is nobody to ask. */
  async ask(approval: Approval, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (!this.canAsk) throw new AppError('approval/required', 'This call needs a person’s approval and there is nobody to ask');
    signal.throwIfAborted();
    try {
      return await new Promise<ApprovalAnswer>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }); // an abort reason is an Error here
        this.#waiting.set(approval.id, { approval, resolve });
        this.#deps.onAsked(approval);
      });
    } finally {
      this.#waiting.delete(approval.id);
      this.#deps.onClosed(approval.id);
    }
  }

  /** Throws `approval/not-found` for a question that was answered before or whose call is gone. */
  question(id: ApprovalId): Approval {
    return this.#asked(id).approval;
  }

  /** Throws like `question`, and `request/invalid` for a lasting answer where only one call can be allowed; that question goes on waiting. */
  answer(id: ApprovalId, answer: ApprovalAnswer): void {
    const { approval, resolve } = this.#asked(id);
    if (approval.onceOnly && answer.decision === 'allow' && answer.scope !== 'once') throw new AppError('request/invalid', 'This can be allowed once, and not for longer');
    this.#waiting.delete(id);
    resolve(answer);
  }

  #asked(id: ApprovalId) {
    const asked = this.#waiting.get(id);
    if (!asked) throw new AppError('approval/not-found', 'This question is no longer waiting');
    return asked;
  }
}
