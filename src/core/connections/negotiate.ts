import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SUPPORTED_PROTOCOL_VERSIONS,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { ConnectFailed, connectOnce, type Handshake, type Offer } from './connect-once.ts';
import { asAppError, lastLines, rpcErrorOf } from './failure.ts';
import type { Link } from './link.ts';
import { wasNotAsked } from './outgoing.ts';
import type { EraVerdict } from './session.ts';

const modernVersion = '2026-07-28';
/** What servers that refuse the newest old version are offered next. */
const oldestVersion = '2024-11-05';
/** A server may have learnt the new era since. Milliseconds. */
const legacyVerdictMs = 24 * 3_600_000;
/** A server that knows nothing of the probe and stays silent may cost this much. Milliseconds. */
const probeMs = 4_000;
/** The answers by which a server says that it does not speak Streamable HTTP. */
const tryInstead = new Set([404, 405, 406, 415]);

const legacy: Offer = { negotiation: { mode: 'legacy' } };
const oldest: Offer = {
  negotiation: { mode: 'legacy' },
  versions: [oldestVersion, ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => version !== oldestVersion)],
};

/**
 * Connects in the era that the server speaks. What it was the last time is tried first; a verdict that does not hold any more is dropped
 * and found anew. Throws AppError.
 */
export async function openLink(handshake: Handshake, definition: ServerDefinition, signal: AbortSignal): Promise<Link> {
  const { clock, eraCache } = handshake.deps;
  const found = eraCache.get(definition.revision);
  const known = found?.era === 'legacy' && clock.now() - found.at > legacyVerdictMs ? undefined : found;
  const negotiation = new Negotiation(handshake, signal, clock.now());
  try {
    const mode = definition.options.protocolVersion ?? (handshake.launch.type === 'streamable-http' ? 'auto' : 'legacy');
    const connect = (verdict: EraVerdict | undefined) => negotiation.connect(mode, verdict);
    const { link, verdict } = await connect(known).catch((error: unknown) => {
      if (!known || signal.aborted || isFinal(error)) throw error;
      eraCache.set(definition.revision, undefined);
      return connect(undefined);
    });
    if (isNews(verdict, known) && (mode === 'auto' || hasDetour(verdict))) eraCache.set(definition.revision, verdict);
    return link;
  } catch (error) {
    throw signal.aborted && signal.reason instanceof AppError ? withOutput(signal.reason, error) : explain(error);
  }
}

/** The legacy era is what `legacy` mode uses anyway; how else it had to be reached is worth keeping. */
const hasDetour = (verdict: EraVerdict): boolean =>
  verdict.era === 'legacy' && (verdict.over !== undefined || verdict.offered !== undefined);
const isNews = (verdict: EraVerdict, known: EraVerdict | undefined): boolean =>
  verdict.era !== known?.era || hasDetour(verdict) !== hasDetour(known);

interface Reached {
  readonly link: Link;
  readonly verdict: EraVerdict;
}

class Negotiation {
  readonly #handshake: Handshake;
  readonly #signal: AbortSignal;
  readonly #now: number;

  constructor(handshake: Handshake, signal: AbortSignal, now: number) {
    this.#handshake = handshake;
    this.#signal = signal;
    this.#now = now;
  }

  async connect(mode: 'auto' | 'legacy', known: EraVerdict | undefined): Promise<Reached> {
    if (mode === 'legacy' || this.#handshake.launch.type === 'sse') return this.#legacy(known?.era === 'legacy' ? known : undefined);
    if (known?.era === 'legacy') return this.#legacy(known);
    return this.#handshake.launch.type === 'streamable-http' ? this.#probeInPlace() : this.#probeApart(known);
  }

  /** Over HTTP the probe is a request like any other. */
  async #probeInPlace(): Promise<Reached> {
    try {
      const link = await this.#once({ negotiation: { mode: 'auto', probe: { timeoutMs: this.#probeMs } } });
      return { link, verdict: link.era === 'modern' ? { era: 'modern', at: this.#now } : { era: 'legacy', at: this.#now } };
    } catch (probe) {
      if (!(probe instanceof ConnectFailed) || this.#signal.aborted) throw probe;
      if (probe.atInitialize) return this.#afterRefusal(probe);
      if (!isUndecided(probe.cause)) throw probe;
      return this.#legacy(undefined).catch((error: unknown) => {
        throw both(error, probe, 'asked for 2026-07-28');
      });
    }
  }

  /** Old servers may exit at a request they do not know: another process (or socket) is asked, and the real one starts with the answer. */
  async #probeApart(known: EraVerdict | undefined): Promise<Reached> {
    const pinned: VersionNegotiationOptions = { mode: { pin: modernVersion }, probe: { timeoutMs: this.#probeMs } };
    const modern = known?.era === 'modern' || (await this.#answersProbe(pinned));
    if (!modern) return this.#legacy(undefined);
    return { link: await this.#once({ negotiation: pinned }), verdict: { era: 'modern', at: this.#now } };
  }

  async #answersProbe(negotiation: VersionNegotiationOptions): Promise<boolean> {
    try {
      const probe = await this.#once({ negotiation });
      await probe.close();
      return true;
    } catch (error) {
      if (this.#signal.aborted || isFinal(error)) throw error;
      return false;
    }
  }

  async #legacy(known: (EraVerdict & { readonly era: 'legacy' }) | undefined): Promise<Reached> {
    const offer = known?.offered === undefined ? legacy : oldest;
    try {
      const link = await this.#once(known?.over === undefined ? offer : { ...offer, overSse: true });
      return { link, verdict: { ...known, era: 'legacy', at: this.#now } };
    } catch (error) {
      if (known || this.#signal.aborted || !(error instanceof ConnectFailed)) throw error;
      return this.#afterRefusal(error);
    }
  }

  /** What a refused `initialize` allows: an older version, or the older transport. Nothing else is tried. */
  async #afterRefusal(refused: ConnectFailed): Promise<Reached> {
    if (refusesVersion(refused.cause)) {
      return { link: await this.#once(oldest), verdict: { era: 'legacy', at: this.#now, offered: oldestVersion } };
    }
    if (this.#handshake.launch.type !== 'streamable-http' || !tryInstead.has(statusOf(refused.cause) ?? 0)) throw refused;
    try {
      return { link: await this.#once({ ...legacy, overSse: true }), verdict: { era: 'legacy', at: this.#now, over: 'sse' } };
    } catch (error) {
      throw both(refused, error, 'over SSE');
    }
  }

  #once(offer: Offer): Promise<Link> {
    return connectOnce(this.#handshake, offer, this.#signal);
  }

  get #probeMs(): number {
    return Math.min(probeMs, Math.ceil(this.#handshake.limitMs / 3));
  }
}

const statusOf = (error: unknown): number | undefined => {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof Error && error.cause instanceof SdkHttpError ? error.cause.status : undefined;
};

function refusesVersion(error: unknown): boolean {
  const body = error instanceof SdkHttpError && typeof error.data.text === 'string' ? error.data.text : undefined;
  const code = error instanceof ProtocolError ? error.code : rpcErrorOf(body)?.code;
  return code === -32602 || code === -32600;
}

/** The probe gave no verdict, and no refusal for want of a sign-in either. */
function isUndecided(error: unknown): boolean {
  if (asAppError(error).code.startsWith('auth/') || wasNotAsked(error) || statusOf(error) === 403) return false;
  return error instanceof SdkError && (error.code === SdkErrorCode.EraNegotiationFailed || error.code === SdkErrorCode.RequestTimeout);
}

/** Nothing about eras would change it. */
function isFinal(error: unknown): boolean {
  const { code, data } = explain(error);
  const status = typeof data === 'object' && data !== null && 'status' in data ? data.status : undefined;
  return (
    code.startsWith('launch/') ||
    code.startsWith('auth/') ||
    code.startsWith('config/') ||
    code === 'connection/unreachable' ||
    status === 403
  );
}

function explain(error: unknown): AppError {
  if (!(error instanceof ConnectFailed)) return asAppError(error);
  const app = asAppError(error.cause, error.ended);
  return withOutput(app, error);
}

/** With what its process wrote, which often tells why. */
function withOutput(app: AppError, error: unknown): AppError {
  if (!(error instanceof ConnectFailed)) return app;
  const { stderr = '', saidInstead: stdout } = error;
  const data = typeof app.data === 'object' && app.data !== null ? app.data : {};
  const more = { ...(stderr.trim() === '' || 'stderr' in data ? {} : { stderr }), ...(stdout === undefined ? {} : { stdout }) };
  if (Object.keys(more).length === 0) return app;
  const silent = app.code === 'server/exited' && stderr.trim() === '' && stdout !== undefined;
  return new AppError(app.code, silent ? `${app.message}: ${lastLines(stdout)}` : app.message, { data: { ...data, ...more }, cause: app });
}

/** Two refusals in one: the first decides what it is, the other is told too. */
function both(first: unknown, other: unknown, when: string): AppError {
  const [main, more] = [explain(first), explain(other)];
  if (main.message === more.message || more.code === 'run/cancelled') return main;
  const data = typeof main.data === 'object' && main.data !== null ? main.data : {};
  return new AppError(main.code, `${main.message} — ${when}: ${more.message}`, { data, cause: main });
}
