import { folded, formsOf, type PlainTool } from './tool-forms.ts';

/** A tool's names that a rule may be written against. */
export interface NamedTool extends PlainTool {
  readonly modelName: string;
}

/**
 * Whether one of the patterns names the tool (F-68). Exact or glob (`*`, `?`), case-sensitive, anchored, `-` and `_` alike; tested against the
 * tool's own name, its forms under every prefix, and its model name.
 */
export function matchesAny(patterns: readonly string[], tool: NamedTool): boolean {
  return patterns.length > 0 && namesAny(patterns)(tool);
}

/** The same for many tools: the patterns are read once. */
export function namesAny(patterns: readonly string[]): (tool: NamedTool) => boolean {
  const tests = patterns.map((pattern) => globTest(folded(pattern)));
  return (tool) => {
    const names = new Set([...formsOf(tool), tool.modelName].map(folded));
    return tests.some((test) => [...names].some(test));
  };
}

/** The same for a name that has no other forms: that of one of Gatehouse's own tools. */
export const matchesName = (patterns: readonly string[], name: string): boolean => patterns.some((pattern) => globTest(folded(pattern))(folded(name)));

/** Linear in the name for each `*`: no regular expression, since a pattern may be hostile. */
function globTest(pattern: string): (name: string) => boolean {
  return (name) => {
    let p = 0;
    let n = 0;
    let star = -1;
    let mark = 0;
    while (n < name.length) {
      if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n]) && pattern[p] !== '*') {
        p += 1;
        n += 1;
      } else if (pattern[p] === '*') {
        star = p;
        mark = n;
        p += 1;
      } else if (star >= 0) {
        p = star + 1;
        mark += 1;
        n = mark;
      } else return false;
    }
    while (pattern[p] === '*') p += 1;
    return p === pattern.length;
  };
}
