import type { ServerDefinition } from './server-definition.ts';
import type { Lifecycle } from './server-options.ts';
import type { Settings } from './settings.ts';
import type { Provenance } from './source.ts';

/** A server's limits where nothing else is said. Milliseconds. */
export const defaultLimits = { handshakeMs: 15_000, callIdleMs: 60_000, callTotalMs: 600_000 } as const;

/** How one server lives and how long it may take, with everything taken into account. */
export interface ServerRules {
  /** When it runs (F-31). */
  readonly lifecycle: Lifecycle;
  /** Milliseconds without use before it is stopped; 0 never (F-36). */
  readonly idleMs: number;
  readonly handshakeMs: number;
  /** Milliseconds that a call or another request may be silent (F-55). */
  readonly requestMs: number;
  /** The end of a call whatever it reports, in milliseconds (O10). */
  readonly callTotalMs: number;
}

/** Sources in harnessd's manner: their servers run from the start (H-40) and answer HTTP within 30 s, unless their entry says otherwise. */
const runFromTheStart: ReadonlySet<string> = new Set(['environment', 'home-toml', 'project-toml']);
const theirRequestMs = 30_000;
/** The fields that say what is launched or contacted: whoever wrote them wrote the server. */
const transportFields: ReadonlySet<string> = new Set(['command', 'url', 'socket']);
const minuteMs = 60_000;

/**
 * A server's own options over the person's settings over what its source is known for. `idleTimeout` and `requestTimeoutMs` of the entry win,
 * also with 0: never stopped, the usual limit. `limits` are more exact than `requestTimeoutMs` and win over it.
 */
export function rulesOf(
  { options, transport }: Pick<ServerDefinition, 'options' | 'transport'>,
  provenance: Pick<Provenance, 'fields'> | undefined,
  settings: Pick<Settings, 'idleTimeout' | 'requestTimeoutMs'>,
): ServerRules {
  const writer = provenance?.fields.find(({ field }) => transportFields.has(field))?.source ?? '';
  const fromTheStart = runFromTheStart.has(writer);
  const isHttp = transport.type === 'streamable-http' || transport.type === 'sse';
  const usual = fromTheStart && isHttp ? theirRequestMs : defaultLimits.callIdleMs;
  const asked = options.requestTimeoutMs ?? settings.requestTimeoutMs;
  const requestMs = options.limits?.callIdleMs ?? (asked !== undefined && asked > 0 ? asked : usual);
  const lifecycle = options.lifecycle ?? (fromTheStart ? 'eager' : 'lazy');
  return {
    lifecycle,
    idleMs: idleMinutes(lifecycle, options.idleTimeout, settings.idleTimeout) * minuteMs,
    handshakeMs: options.limits?.handshakeMs ?? defaultLimits.handshakeMs,
    requestMs,
    // Who grants longer silence than a call may last in all means the call too.
    callTotalMs: options.limits?.callTotalMs ?? Math.max(defaultLimits.callTotalMs, requestMs),
  };
}

function idleMinutes(lifecycle: Lifecycle, own: number | undefined, global: number): number {
  switch (lifecycle) {
    case 'lazy':
      return own ?? global;
    case 'eager':
      return own ?? 0;
    case 'keep-alive':
    case 'lazy-keep-alive':
      return 0;
  }
}
