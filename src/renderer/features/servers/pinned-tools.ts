import type { ServerOptions } from '../../../shared/model/server-options.ts';

type Direct = ServerOptions['directTools'];
/** Globs as files write them: `*` for anything, `?` for one character. */
const fits = (pattern: string, name: string): boolean =>
  pattern === name || new RegExp(`^${pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*').replaceAll('?', '.')}$`, 'u').test(name);

/** Pinned tools are given to a model with its question; the others it finds by searching. */
export const isPinned = (direct: Direct, name: string): boolean =>
  direct === true || (Array.isArray(direct) && direct.some((pattern) => fits(pattern, name)));

/** What the file says after one tool is pinned or unpinned. What named several at once is written out when one of them goes. `null`: nothing. */
export function withPin(direct: Direct, name: string, pinned: boolean, all: readonly string[]): string[] | null {
  const now = Array.isArray(direct) ? direct : direct === true ? [...all] : [];
  if (pinned) return [...now.filter((pattern) => pattern !== name), name];
  const left = now.flatMap((pattern) => (!fits(pattern, name) ? [pattern] : pattern === name ? [] : all.filter((one) => one !== name && fits(pattern, one))));
  return left.length === 0 ? null : [...new Set(left)];
}
