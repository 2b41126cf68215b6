import { AppError } from '../../shared/errors.ts';
import type { ServerId, ToolCallId } from '../../shared/ids.ts';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { SignInStatus } from '../../shared/model/sign-in.ts';
import { unless } from '../kernel/aborted.ts';
import type { Browser } from '../ports.ts';
import type { SignIns } from './sign-ins.ts';

export interface AutoAuthDeps {
  readonly signIns: Pick<SignIns, 'start' | 'wait' | 'cancel'>;
  readonly browser: Browser;
  /** How it stands with signing in to it; `undefined` where nobody can. */
  readonly status: (serverId: ServerId) => SignInStatus | undefined;
  readonly interaction: 'person' | 'none';
  /** Whether a use of it may sign in by itself: the person's setting, or the server's own. */
  readonly isOn: (serverId: ServerId) => boolean;
  /** What whoever asked reads when it wants a sign-in, and nobody signed in (F-175). */
  readonly words: (serverId: ServerId, error: AppError) => string;
}
/** The uses that share one attempt. */
interface Attempt {
  readonly ended: Promise<void>;
  readonly stop: AbortController;
  uses: number;
}

/** More than run at the same time; the oldest are forgotten. */
const rememberedUses = 1_000;

/**
 * Where explicit uses of a server sign in by themselves (F-168): what ends for want of a sign-in or a permission is done once more after at most one attempt to get
 * it. A browser is opened only where there is a person, and a machine's own sign-in needs none. Nothing of this happens at the start or in the background.
 */
export class AutoAuth {
  readonly #deps: AutoAuthDeps;
  readonly #attempts = new Map<ServerId, Attempt>();
  /** Which servers an invocation had its attempt for. */
  readonly #spent = new Set<string>();
  readonly #unattended = new Set<ToolCallId>();

  constructor(deps: AutoAuthDeps) {
    this.#deps = deps;
  }

  /** `invocation` is the outermost call that this is part of. Throws what `work` throws; a sign-in that is still wanted is told in the words for it. */
  async run<T>(serverId: ServerId, invocation: ToolCallId, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (!wantsSignIn(error)) throw error;
      if (!this.#mayTry(serverId, invocation)) throw this.#told(serverId, error);
      await this.#signIn(serverId, signal).catch((failure: unknown) => {
        signal.throwIfAborted();
        throw this.#told(serverId, error, failure);
      });
    }
    try {
      return await work();
    } catch (error) {
      throw wantsSignIn(error) ? this.#told(serverId, error) : error;
    }
  }

  /** This invocation goes on from an earlier process: nobody asked for it just now, and it signs in to nothing. */
  leaveAlone(invocation: ToolCallId): void {
    this.#unattended.add(invocation);
  }

  /** A use of it now would first ask a person to sign in. */
  wouldAsk(serverId: ServerId): boolean {
    const status = this.#deps.status(serverId);
    return status?.wanted !== undefined && status.way === 'browser' && this.#deps.interaction === 'person' && this.#deps.isOn(serverId);
  }

  #mayTry(serverId: ServerId, invocation: ToolCallId): boolean {
    const status = this.#deps.status(serverId);
    if (!status || !this.#deps.isOn(serverId) || (status.way === 'browser' && this.#deps.interaction === 'none')) return false;
    const use = `${invocation} ${serverId}`;
    if (this.#spent.has(use) || this.#unattended.has(invocation)) return false;
    this.#spent.add(use);
    const [oldest] = this.#spent;
    if (this.#spent.size > rememberedUses && oldest !== undefined) this.#spent.delete(oldest);
    return true;
  }

  /** Shared by all who want it at the same time; ends with the last of them. */
  async #signIn(serverId: ServerId, signal: AbortSignal): Promise<void> {
    const attempt = this.#attempts.get(serverId) ?? this.#begin(serverId);
    attempt.uses += 1;
    try {
      await unless(signal, attempt.ended);
    } finally {
      attempt.uses -= 1;
      if (attempt.uses === 0) attempt.stop.abort(new DOMException('Nobody waits for it any more', 'AbortError'));
    }
  }

  #begin(serverId: ServerId): Attempt {
    const stop = new AbortController();
    const ended = this.#attempt(serverId, stop.signal).finally(() => this.#attempts.delete(serverId));
    const attempt: Attempt = { ended, stop, uses: 0 };
    this.#attempts.set(serverId, attempt);
    return attempt;
  }

  async #attempt(serverId: ServerId, signal: AbortSignal): Promise<void> {
    const { signIns, status } = this.#deps;
    const known = status(serverId);
    const phase = known?.flow?.phase;
    // The person is at it: theirs is waited for, and neither ended nor opened again.
    if (phase === 'working' || phase === 'waiting') return void (await signIns.wait(serverId, signal));
    try {
      await this.#own(serverId, signal);
    } catch (error) {
      if (signal.aborted || !isGivenUp(error)) throw error;
      // Gone from that page, the person may have begun another: what was asked goes on with theirs.
      await signIns.wait(serverId, signal).catch(() => {
        throw error;
      });
    }
  }

  async #own(serverId: ServerId, signal: AbortSignal): Promise<void> {
    const { signIns, browser } = this.#deps;
    const begun = await signIns.start(serverId, { openBrowser: false }, signal);
    switch (begun.kind) {
      case 'signed-in':
        return;
      case 'needs-client':
        throw new AppError('auth/client-needed', 'Its provider wants a client id that the person has to bring');
      case 'needs-host':
        throw new AppError('auth/host-blocked', 'It leads to an address of this machine or network, which the person has to allow', { data: { host: begun.host } });
      case 'browser':
        try {
          // Nobody sees the address: without a browser there is nothing to wait for.
          await browser.open(begun.url, signal);
        } catch (error) {
          await signIns.cancel(serverId);
          throw error;
        }
        try {
          await signIns.wait(serverId, signal);
        } finally {
          if (signal.aborted) await signIns.cancel(serverId);
        }
    }
  }

  #told(serverId: ServerId, error: AppError, failure?: unknown): AppError {
    const why = failure === undefined ? '' : ` Signing in just now did not work: ${AppError.from(failure).message}`;
    return new AppError(error.code, `${this.#deps.words(serverId, error)}${why}`, { data: error.data, cause: failure ?? error });
  }
}

/** A server's own choice stands over the setting. A project's file, which others write, can only switch it off. */
export function autoAuthOf(definition: Pick<ServerDefinition, 'options'> | undefined, from: ConfigScope | undefined, settings: Pick<Settings, 'autoAuth'>): boolean {
  const own = definition?.options.autoAuth;
  return own === undefined || (own && from === 'project') ? settings.autoAuth === true : own;
}

const isGivenUp = (error: unknown): boolean => error instanceof AppError && error.code === 'run/cancelled';
const wantsSignIn = (error: unknown): error is AppError => error instanceof AppError && (error.code === 'auth/sign-in-required' || error.code === 'auth/scopes-needed');
