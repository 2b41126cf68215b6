import type * as z from 'zod';
import { AllowedTools, RunnerTable, type RunLayer } from '../../shared/model/run-layer.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import { memberOf, parseText, plainOf, type DocMember, type DocNode } from './document.ts';
import { joinPath, toIssue, type Finding, type Say } from './issues.ts';

/**
 * `[runner]`, `[tools]` and `mcp` of a `config.toml` (H-13). Never throws. A value that cannot be understood is an error and left to the layers below, but for what
 * restricts the tools of a run: then none is allowed, since nobody knows which were meant. A key that is not known is a warning. The servers of the file are read apart.
 */
export function readRunLayer(text: string, file: string): { readonly run: RunLayer; readonly issues: readonly ConfigIssue[] } {
  const parsed = parseText(text, 'toml');
  if (!parsed.ok || !parsed.root) return { run: {}, issues: [] };
  const issues: ConfigIssue[] = [];
  const say = (finding: Finding) => void issues.push(toIssue(finding, file, finding.offset === undefined ? undefined : parsed.place(finding.offset)));
  const runner = runnerOf(memberOf(parsed.root, 'runner'), say);
  const allow = allowOf(memberOf(parsed.root, 'tools'), say);
  const mcp = mcpOf(memberOf(parsed.root, 'mcp'), say);
  return { run: { ...(runner ? { runner } : {}), ...(allow ? { tools: { allow } } : {}), ...(mcp === undefined ? {} : { mcp }) }, issues };
}

const runnerKeys = RunnerTable.keyof().options;

function runnerOf(member: DocMember | undefined, say: Say): RunnerTable | undefined {
  const said = membersOf(member, say).flatMap(({ key, offset, value }): readonly (readonly [string, unknown])[] => {
    const known = runnerKeys.find((name) => name === key);
    const path = joinPath('runner', key);
    if (known === undefined) return unknown(path, offset, say);
    const read = RunnerTable.shape[known].safeParse(plainOf(value));
    return read.success ? [[key, read.data]] : wrong(path, offset, read.error, say);
  });
  return said.length === 0 ? undefined : RunnerTable.parse(Object.fromEntries(said));
}

function allowOf(member: DocMember | undefined, say: Say): readonly string[] | undefined {
  let allow: readonly string[] | undefined = member && member.value.kind !== 'object' ? [] : undefined;
  for (const { key, offset, value } of membersOf(member, say)) {
    const path = joinPath('tools', key);
    if (key !== 'allow') unknown(path, offset, say);
    else {
      const read = AllowedTools.safeParse(plainOf(value));
      allow = read.success ? read.data : [];
      if (!read.success) wrong(path, offset, read.error, say, '; no tool is allowed until it is right');
    }
  }
  return allow;
}

/** As a table it is the switch of the file's servers, which is read with them. */
function mcpOf(member: DocMember | undefined, say: Say): boolean | undefined {
  if (!member || member.value.kind === 'object') return undefined;
  if (member.value.kind === 'scalar' && typeof member.value.value === 'boolean') return member.value.value;
  say({ code: 'invalid-option', path: 'mcp', message: 'mcp must be true or false; runs have no MCP tools until it is right', offset: member.offset });
  return false;
}

function membersOf(member: DocMember | undefined, say: Say): readonly DocMember[] {
  if (!member) return [];
  const node: DocNode = member.value;
  if (node.kind === 'object') return node.members;
  say({ code: 'invalid-shape', path: member.key, message: `${member.key} must be a table`, offset: member.offset });
  return [];
}

function unknown(path: string, offset: number, say: Say): readonly [] {
  say({ code: 'invalid-option', severity: 'warning', path, message: `Gatehouse has no setting ${path}`, offset });
  return [];
}

function wrong(path: string, offset: number, error: z.ZodError, say: Say, also = ''): readonly [] {
  say({ code: 'invalid-option', path, message: `${path}: ${error.issues[0]?.message ?? 'it cannot be understood'}${also}`, offset });
  return [];
}
