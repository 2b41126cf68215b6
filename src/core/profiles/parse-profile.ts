import { parse } from 'smol-toml';
import { ProfileFile } from '../../shared/model/profile.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import { readSource } from '../formats/read-source.ts';
import type { ParsedSource } from '../formats/raw-entry.ts';
import { tomlOffsets } from '../formats/toml-offsets.ts';

/** One profile's text, read. With an error among the issues it is not used, as a whole or in that server. */
export interface ParsedProfile {
  /** Absent for a text that is no profile. */
  readonly file?: ProfileFile;
  readonly parsed: ParsedSource;
  readonly issues: readonly ConfigIssue[];
}

/** Never throws. Servers are read by the rules of `[mcp_servers]` (H-6…H-10). */
export function parseProfile(text: string, path: string): ParsedProfile {
  const parsed = readSource(text, { file: path, shape: 'gatehouse-toml' });
  if (parsed.broken) return { parsed, issues: parsed.issues };
  const read = ProfileFile.safeParse(parse(text, { integersAsBigInt: 'asNeeded' }));
  if (read.success) {
    const { runner, tools, mcp } = read.data;
    return { file: read.data, parsed: { ...parsed, run: { runner, tools, mcp } }, issues: parsed.issues };
  }
  const offsets = tomlOffsets(text);
  const wrong = read.error.issues.map((issue): ConfigIssue => {
    const keys = issue.path.map(String);
    return { code: 'invalid-option', severity: 'error', file: path, path: keys.join('.'), message: `${keys.join('.')}: ${issue.message}`, ...placeOf(text, nearest(offsets, keys)) };
  });
  return { parsed, issues: [...wrong, ...parsed.issues] };
}

/** Where the key stands, or the table around it. */
function nearest(offsets: ReadonlyMap<string, number>, keys: readonly string[]): number {
  for (let length = keys.length; length > 0; length -= 1) {
    const offset = offsets.get(keys.slice(0, length).join('\0'));
    if (offset !== undefined) return offset;
  }
  return 0;
}

function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}
