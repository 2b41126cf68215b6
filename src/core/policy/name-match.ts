/** A tool's names that a rule may be written against. */
export interface NamedTool {
  readonly serverName: string;
  readonly tool: string;
  readonly modelName: string;
}

/**
 * Whether one of the patterns names the tool. Exact or glob (`*`, `?`), case-sensitive, anchored, `-` and `_` alike; tested against the
 * tool's own name and its prefixed forms (`<server>_`, the server without a trailing `mcp`, `mcp__<server>__`, `mcp_<server>_`, the model name).
 */
export function matchesAny(patterns: readonly string[], tool: NamedTool): boolean {
  const names = namesOf(tool);
  return patterns.some((pattern) => {
    const test = globTest(fold(pattern));
    return names.some(test);
  });
}

const fold = (name: string) => name.replaceAll('-', '_');

function namesOf({ serverName, tool, modelName }: NamedTool): readonly string[] {
  const server = fold(serverName);
  const short = server.replace(/_?mcp$/, '') || 'mcp';
  return [tool, `${server}_${tool}`, `${short}_${tool}`, `mcp__${server}_${tool}`, `mcp__${server}__${tool}`, `mcp_${server}_${tool}`, modelName].map(fold);
}

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
