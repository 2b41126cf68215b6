import type { ServerId } from '../../shared/ids.ts';
import type { ServerOptions, OptionsPatch } from '../../shared/model/server-options.ts';
import type { ToolLine } from '../../shared/model/catalog.ts';

type Rules = Pick<ServerOptions, 'directTools' | 'includeTools' | 'excludeTools'>;
const sameName = (a: string, b: string): boolean => a.replaceAll('-', '_') === b.replaceAll('-', '_');
const without = (list: readonly string[], names: readonly string[]): string[] => list.filter((one) => !names.some((name) => sameName(one, name)));

/**
 * What a server's entry says after some of its tools are pinned or unpinned. `pinnedNow`: what is pinned as things are, by whatever rule. `alone`: nothing else says anything
 * of this server's tools; otherwise "none" is said outright, so that no lower file and no setting pins them again.
 */
export function pinPatch({ directTools }: Rules, pinnedNow: readonly string[], names: readonly string[], pinned: boolean, alone: boolean): OptionsPatch {
  const base = (Array.isArray(directTools) ? directTools : pinnedNow).filter((one) => !names.includes(one));
  const next = pinned ? [...base, ...names] : base;
  return { directTools: next.length > 0 ? next : alone ? null : false };
}

/** The same for hiding: by exact names, which a person can take back one by one. */
export function hidePatch({ includeTools, excludeTools = [] }: Rules, tools: readonly Pick<ToolLine, 'tool' | 'hidden'>[], hidden: boolean, alone: boolean): OptionsPatch {
  const names = tools.map(({ tool }) => tool);
  if (hidden) return { excludeTools: [...without(excludeTools, names), ...names] };
  const left = without(excludeTools, names);
  const missed = tools.filter(({ hidden: why }) => why === 'not-included').map(({ tool }) => tool);
  return {
    ...(left.length < excludeTools.length ? { excludeTools: left.length === 0 && alone ? null : left } : {}),
    ...(missed.length > 0 ? { includeTools: [...(includeTools ?? []), ...missed] } : {}),
  };
}

export interface HiddenWords {
  readonly why: string;
  readonly canShow: boolean;
  /** One of these hides it, and later tools too: only whoever edits the list can say what it should be. */
  readonly patterns?: readonly string[];
}
/** Why a tool is hidden, and whether a press can show it: what a glob or its server hides stays so. */
export function hiddenWords({ tool, hidden }: Pick<ToolLine, 'tool' | 'hidden'>, { excludeTools = [] }: Rules): HiddenWords | undefined {
  switch (hidden) {
    case undefined:
      return undefined;
    case 'app-only':
      return { why: 'Its server means it for its own app window', canShow: false };
    case 'not-included':
      return { why: 'It is not among the included tools', canShow: true };
    case 'excluded': {
      const byName = excludeTools.some((pattern) => sameName(pattern, tool));
      return byName ? { why: 'Hidden', canShow: true } : { why: 'A pattern of its server’s excluded tools hides it', canShow: false, patterns: excludeTools.filter((pattern) => /[*?]/.test(pattern)) };
    }
  }
}

/** Each server's tools together, in the order of the list. */
export function byServer<T extends Pick<ToolLine, 'serverId'>>(lines: readonly T[]): ReadonlyMap<ServerId, readonly T[]> {
  const groups = new Map<ServerId, T[]>();
  for (const line of lines) {
    const group = groups.get(line.serverId);
    if (group) group.push(line);
    else groups.set(line.serverId, [line]);
  }
  return groups;
}
