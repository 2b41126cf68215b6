import { AppError } from '../../shared/errors.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { unless } from '../kernel/aborted.ts';
import { quickWait } from './backoff.ts';
import { asAppError, failureOf } from './failure.ts';
import type { Link } from './link.ts';
import { makeLink } from './make-link.ts';
import type { Recovery } from './recovery.ts';
import type { ConnectionPoolDeps, ReadyLaunch } from './session.ts';
import { withShape } from './shape-probe.ts';

/** How long a use waits for a server that is being connected (F-43). What a person takes to answer is not counted. Milliseconds. */
const useWaitMs = 30_000;

export interface AttemptParts {
  readonly definition: ServerDefinition;
  readonly deps: ConnectionPoolDeps;
  readonly recovery: Recovery;
  readonly handshakeMs: number;
  readonly byPerson: boolean;
  readonly onTry: (tried: number) => void;
  /** A person is asked for something: what, or `undefined` once that is over. */
  readonly onAsking: (message: string | undefined, tried: number) => void;
  /** Something of the launch is not as the person may expect. */
  readonly onWarning: (text: string) => void;
}

/** One attempt at a connection, which everybody shares (F-46): a few tries in quick succession while there is nothing to wait for. */
export class Attempt {
  /** Rejects with the failure of the last try. */
  readonly link: Promise<Link>;
  /** Resolves when a person is asked something first: that may take any time. */
  readonly asked: Promise<void>;
  readonly stop = new AbortController();
  readonly #parts: AttemptParts;
  #tellAsked: () => void = () => undefined;
  #isAsking = false;

  constructor(parts: AttemptParts) {
    this.#parts = parts;
    this.asked = new Promise<void>((resolve) => (this.#tellAsked = resolve));
    this.link = this.#connect(this.stop.signal);
  }

  /** For a use. Throws `connection/still-starting` after 30 s, and the attempt goes on; its failure, with `data.init` `failed`; the signal's reason. */
  async forUse(signal: AbortSignal): Promise<Link> {
    const waiting = new AbortController();
    try {
      return await unless(signal, Promise.race([this.link.catch(initFailed), this.#patience(waiting.signal)]));
    } finally {
      waiting.abort();
    }
  }

  async #patience(signal: AbortSignal): Promise<never> {
    const { deps, definition } = this.#parts;
    await deps.clock.doze(useWaitMs, signal).catch(() => undefined);
    // Nobody waits any more, or a person is being waited for: the link alone decides.
    if (signal.aborted || this.#isAsking) return new Promise<never>(() => undefined);
    throw new AppError('connection/still-starting', `“${definition.name}” was not ready within ${useWaitMs / 1_000} s`, { data: { init: 'timeout' } });
  }

  async #connect(signal: AbortSignal): Promise<Link> {
    const { definition, deps, recovery, handshakeMs, byPerson } = this.#parts;
    const { tries } = recovery;
    for (let tried = 1; ; tried += 1) {
      this.#parts.onTry(tried);
      let launch: ReadyLaunch | undefined;
      const asking = (message: string | undefined): void => {
        this.#isAsking = message !== undefined;
        this.#tellAsked();
        if (!signal.aborted) this.#parts.onAsking(message, tried);
      };
      try {
        return await makeLink(definition, deps, handshakeMs, { byPerson, asking, warn: this.#parts.onWarning, onLaunch: (made) => (launch = made) }, signal);
      } catch (error) {
        signal.throwIfAborted();
        const failure = failureOf(error, { mask: deps.mask });
        if (failure.code === 'server/exited') recovery.died(deps.clock.now());
        if (tried >= tries || !recovery.mayTryQuickly(failure)) throw await withShape(error, launch, deps.transports.fetch, signal);
        await deps.clock.sleep(quickWait(tried), signal);
      }
    }
  }
}

function initFailed(thrown: unknown): never {
  const { code, message, data } = asAppError(thrown);
  throw new AppError(code, message, { data: { ...(typeof data === 'object' ? data : {}), init: 'failed' }, cause: thrown });
}
