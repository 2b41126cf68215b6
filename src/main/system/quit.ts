export interface Busy {
  readonly runs: number;
  readonly calls: number;
  readonly approvals: number;
}
export interface QuitDeps {
  readonly busy: () => Busy;
  /** True: quit all the same. */
  readonly ask: (question: string, detail: string) => Promise<boolean>;
  /** Stops what runs. It may hang or fail; the app ends anyway. */
  readonly close: () => Promise<void>;
  /** `again`: to start anew. */
  readonly exit: (again: boolean) => void;
  readonly onProblem: (message: string, error: unknown) => void;
  readonly closeWithinMs: number;
}

/** The one way out: asks when something runs, closes within a deadline, exits. */
export class Quit {
  readonly #deps: QuitDeps;
  #phase: 'open' | 'asking' | 'closing' | 'exiting' = 'open';

  constructor(deps: QuitDeps) {
    this.#deps = deps;
  }

  /** While false, windows hide rather than close. */
  get leaving(): boolean {
    return this.#phase === 'closing' || this.#phase === 'exiting';
  }

  get exiting(): boolean {
    return this.#phase === 'exiting';
  }

  /** `polite: false` is for those who cannot be asked: a signal, the system shutting down. */
  async request({ polite, again = false }: { readonly polite: boolean; /** Start anew afterwards. */ readonly again?: boolean }): Promise<void> {
    if (this.leaving || (polite && this.#phase === 'asking')) return;
    const question = polite ? quitQuestion(this.#deps.busy()) : undefined;
    if (question) {
      this.#phase = 'asking';
      const leave = await this.#deps.ask(question.message, question.detail).catch((error: unknown) => {
        this.#deps.onProblem('The question whether to quit could not be asked', error);
        return true;
      });
      // A signal may have come meanwhile.
      if (this.#phase !== 'asking') return;
      if (!leave) {
        this.#phase = 'open';
        return;
      }
    }
    await this.#leave(again);
  }

  async #leave(again: boolean): Promise<void> {
    this.#phase = 'closing';
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#deps.onProblem(`Not closed within ${this.#deps.closeWithinMs} ms; leaving anyway`, undefined);
        resolve();
      }, this.#deps.closeWithinMs);
    });
    const closed = this.#deps.close().catch((error: unknown) => this.#deps.onProblem('Closing failed', error));
    await Promise.race([closed, late]);
    clearTimeout(timer);
    this.#phase = 'exiting';
    this.#deps.exit(again);
  }
}

/** What to ask before quitting; `undefined` when nothing would be lost. */
export function quitQuestion({ runs, calls, approvals }: Busy): { readonly message: string; readonly detail: string } | undefined {
  const count = (n: number, one: string, many: string) => (n === 0 ? [] : [n === 1 ? `1 ${one}` : `${n} ${many}`]);
  const running = [...count(calls, 'tool call', 'tool calls'), ...count(runs, 'chat', 'chats')];
  const waiting = count(approvals, 'approval', 'approvals');
  if (running.length === 0 && waiting.length === 0) return undefined;
  const plural = runs + calls > 1 ? 'are' : 'is';
  const message = running.length > 0 ? `${running.join(' and ')} ${plural} running.` : `${waiting.join()} ${approvals > 1 ? 'wait' : 'waits'} for you.`;
  const detail = running.length > 0
    ? 'What runs is stopped and marked as stopped. Chats can go on after the next start.'
    : 'What waits is cancelled and marked so. Chats can go on after the next start.';
  return { message: `${message} Quit anyway?`, detail };
}
