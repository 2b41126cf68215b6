import type { Discovered } from './discover.ts';

export interface ScopeWishes {
  /** F-199: asked for as it stands. */
  readonly configured: string | undefined;
  /** Of the last challenge. */
  readonly challenged: string | undefined;
  /** F-172: remembered from calls that wanted more, and what the person asks for. */
  readonly wanted: readonly string[];
  /** What is there already, and shall not get lost by asking for more. */
  readonly granted: readonly string[];
}

/**
 * What to ask for (MCP authorization, scope selection): what is configured, else the challenge's, else what the server lists; with what calls wanted, and then with what was
 * granted before. `offline_access` goes along where the provider knows it and nothing is configured.
 */
export function scopeToAsk({ configured, challenged, wanted, granted }: ScopeWishes, at: Discovered): string | undefined {
  const base = configured ?? challenged ?? at.scopes?.join(' ');
  const scope = unionOf(base, ...wanted, ...(wanted.length > 0 ? granted : []));
  if (configured !== undefined || scope === undefined || at.metadata?.scopes_supported?.includes('offline_access') !== true) return scope;
  return unionOf(scope, 'offline_access');
}

/** For a registration, which bounds what may be asked for later: also what the server lists, for the day that a tool wants it. */
export const scopeToRegister = (scope: string | undefined, at: Discovered): string | undefined => unionOf(scope, at.scopes?.join(' '));

/** A client with this scope may ask for all of that. */
export const mayAsk = (registered: string | undefined, scope: string | undefined): boolean =>
  registered === undefined || scopesOf(scope).every((one) => scopesOf(registered).includes(one));

/** Each once, in the order in which they came; nothing of nothing. */
function unionOf(...some: readonly (string | undefined)[]): string | undefined {
  const all = new Set(some.flatMap(scopesOf));
  return all.size === 0 ? undefined : [...all].join(' ');
}

export const scopesOf = (scope: string | undefined): readonly string[] => (scope ?? '').split(/\s+/).filter((one) => one !== '');
