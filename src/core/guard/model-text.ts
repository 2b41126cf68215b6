import type { ContentRef, ResultPart, ToolResult } from '../../shared/model/content.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';

/** What a model is told of a call: text, and images that it may look at. */
export interface ModelAnswer {
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly ContentRef[];
}

/** Every ending has honest words; what a server said is passed on as its words and nothing else. */
export function answerForModel(outcome: ToolOutcome, call: Pick<ToolCall, 'id' | 'ref' | 'serverName'>): ModelAnswer {
  switch (outcome.kind) {
    case 'succeeded':
      return { ...resultText(outcome.result), isError: false };
    case 'tool-error':
      return { ...resultText({ ...outcome.result, parts: firstText(outcome.result.parts) }), isError: true };
    case 'denied':
      return { text: deniedText(outcome.by, outcome.reason), isError: true, images: [] };
    case 'cancelled':
      return { text: 'The call was cancelled.', isError: true, images: [] };
    case 'failed':
      return { text: failedText(outcome.code, outcome.message, call), isError: true, images: [] };
  }
}

/** Text blocks together; without text, the structured content or else the raw parts as JSON. Structured content that the text already is goes once. */
function resultText({ parts, structured, schemaMismatch }: ToolResult): { readonly text: string; readonly images: readonly ContentRef[] } {
  const images = parts.flatMap((part) => (part.type === 'image' ? [part.ref] : []));
  const said = parts.map(partText).filter((text) => text.trim() !== '');
  const extra = structured === undefined ? undefined : 'json' in structured ? structured.json : `[Structured result of ${structured.ref.bytes} bytes, kept as ${structured.ref.id}]`;
  const repeated = extra !== undefined && parts.some((part) => part.type === 'text' && sameJson(part.text, extra));
  const all = [...said, ...(extra !== undefined && !repeated ? [extra] : []), ...(schemaMismatch === undefined ? [] : [`[The result does not fit the tool's own output schema: ${schemaMismatch}]`])];
  return { text: all.length > 0 ? all.join('\n') : images.length > 0 ? '[The result is shown as an image.]' : '[The tool returned nothing.]', images };
}

function partText(part: ResultPart): string {
  switch (part.type) {
    case 'text':
    case 'resource-text': {
      const head = part.type === 'resource-text' ? `[${part.uri}]\n` : '';
      return head + part.text + (part.truncated ? `\n[… cut: the whole is ${part.truncated.lines} lines, ${part.truncated.ref.bytes} bytes]` : '');
    }
    case 'image':
      return '';
    case 'audio':
      return `[Audio, ${part.ref.mimeType}, ${part.ref.bytes} bytes: shown to the person]`;
    case 'blob':
      return `[${part.uri}: ${part.ref.mimeType}, ${part.ref.bytes} bytes]`;
    case 'resource-link':
      return `[Resource ${part.name === '' ? '' : `“${part.name}” `}${part.uri}]`;
    case 'unknown':
      return part.json;
  }
}

const firstText = (parts: readonly ResultPart[]) => {
  const first = parts.find((part) => part.type === 'text' && part.text.trim() !== '');
  return first ? [first] : parts;
};
function sameJson(text: string, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(json));
  } catch {
    return false; // plain text, so not the same
  }
}
function deniedText(by: 'policy' | 'user' | 'guard', reason: string): string {
  if (by === 'user') return reason === '' ? 'The person denied this call. Nothing was done.' : `The person denied this call. Nothing was done. Their reason: ${reason}`;
  return `The call was not made: ${reason}`;
}
function failedText(code: string, message: string, { id, ref, serverName }: Pick<ToolCall, 'id' | 'ref' | 'serverName'>): string {
  if (code !== 'tool/outcome-unknown') return `The call failed (${code}): ${message}`;
  const facts = JSON.stringify({ error: 'ambiguous_outcome', server: serverName, tool: ref.tool, call_id: id, action: 'readback' });
  return `${facts}\nThe answer was lost: the call may or may not have taken effect. Do not repeat it blindly; read the state of things back first. (${message})`;
}
