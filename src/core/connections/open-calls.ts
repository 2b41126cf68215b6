import type { AskingCall } from '../../shared/model/elicitation.ts';
import { AppError } from '../../shared/errors.ts';
import { aborted } from '../kernel/aborted.ts';
import type { CallLimits } from './call-limits.ts';

interface OpenCall {
  readonly from: AskingCall | undefined;
  readonly limits: CallLimits;
  readonly over: AbortController;
}

/** One for all: making an error costs more than the rest of a call's bookkeeping. */
const hasEnded = new AppError('run/cancelled', 'The call has ended');

/** The calls under way on one link. A server that asks something does so for one of them, and does not always say for which. */
export class OpenCalls {
  readonly #open = new Set<OpenCall>();

  /** Until it is disposed. */
  begin(from: AskingCall | undefined, limits: CallLimits): Disposable {
    const call: OpenCall = { from, limits, over: new AbortController() };
    this.#open.add(call);
    return {
      [Symbol.dispose]: () => {
        this.#open.delete(call);
        call.over.abort(hasEnded);
      },
    };
  }

  /**
   * Asks a person. Their time is not the server's: the limits of the calls that may wait for it stand still meanwhile (F-56). The signal that `ask` gets also aborts when
   * all of those calls have ended; beside any call only the asker's own counts.
   */
  async asking<T>(ask: (calls: readonly AskingCall[], signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const open = [...this.#open];
    const held = open.map(({ limits }) => limits.hold());
    const settled = new AbortController();
    if (open.length > 0) Promise.all(open.map(({ over }) => aborted(over.signal))).then(() => settled.abort(open[0]?.over.signal.reason), () => undefined);
    try {
      const calls = open.flatMap(({ from }) => (from ? [from] : []));
      return await ask(calls, AbortSignal.any([signal, settled.signal]));
    } finally {
      for (const hold of held) hold[Symbol.dispose]();
    }
  }
}
