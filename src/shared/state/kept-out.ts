import type { ToolResult } from '../model/content.ts';
import type { ToolCall, ToolOutcome } from '../model/tool-call.ts';

/** Bytes of ordinary text that one token stands for, about. */
const bytesPerToken = 4;

/**
 * Estimated tokens of a result that a model did not have to read, because it was cut and kept by reference; of a script's own calls all of it, and what the
 * script put out counts against that. Nothing for a call of Direct mode.
 */
export function keptOutTokens({ ref, parentId, caller }: ToolCall, outer: ToolCall | undefined, outcome: ToolOutcome): number {
  if (caller.kind !== 'chat' || (outcome.kind !== 'succeeded' && outcome.kind !== 'tool-error')) return 0;
  const { result } = outcome;
  const inScript = outer?.ref.tool === 'mcp_script' && outer.id === parentId;
  // What the gateway calls is told by the gateway's own outcome.
  if (parentId !== undefined && !inScript) return 0;
  const shown = shownBytes(result);
  const whole = Math.max(result.cut?.bytes ?? 0, shown);
  const bytes = inScript ? whole : ref.tool === 'mcp_script' ? -shown : whole - shown;
  return Math.round(bytes / bytesPerToken);
}

const shownBytes = ({ parts, structured }: ToolResult): number =>
  parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0) + (structured ? (structured.preview ?? ('json' in structured ? structured.json : '')).length : 0);
