import type { ContentRef, ToolResult } from '../../shared/model/content.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import { bodyBlocks, tailLines } from './text-blocks.ts';

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
      return resultAnswer(outcome.result, false);
    case 'tool-error':
      return resultAnswer(outcome.result, true);
    case 'denied':
      return { text: deniedText(outcome.by, outcome.reason), isError: true, images: [] };
    case 'cancelled':
      return { text: 'The call was cancelled before it ended: what it did until then stays done. Do not repeat it unless the person asks for it.', isError: true, images: [] };
    case 'failed':
      return { text: failedText(outcome.code, outcome.message, call), isError: true, images: [] };
  }
}

function resultAnswer(result: ToolResult, isError: boolean): ModelAnswer {
  const images = result.parts.flatMap((part) => (part.type === 'image' ? [part.ref] : []));
  const body = bodyBlocks(result, isError).map(({ head, text }) => head + text);
  const said = body.length > 0 ? body.join('\n') : result.cut ? undefined : images.length > 0 ? '[The result is shown as an image.]' : '[The tool returned nothing.]';
  const lines = [...(said === undefined ? [] : [said]), ...tailLines(result)];
  return { text: (isError ? 'Error: ' : '') + lines.join('\n'), isError, images };
}

function deniedText(by: 'policy' | 'user' | 'guard', reason: string): string {
  if (by === 'user') return reason === '' ? 'The person denied this call. Nothing was done.' : `The person denied this call. Nothing was done. Their reason: ${reason}`;
  return `The call was not made: ${reason}`;
}
function failedText(code: string, message: string, { id, ref, serverName }: Pick<ToolCall, 'id' | 'ref' | 'serverName'>): string {
  // These words were made for whoever reads them, maybe by the person (F-175).
  if (code === 'auth/sign-in-required' || code === 'auth/scopes-needed') return message;
  if (code !== 'tool/outcome-unknown') return `The call failed (${code}): ${message}`;
  const facts = JSON.stringify({ error: 'ambiguous_outcome', server: serverName, tool: ref.tool, call_id: id, action: 'readback' });
  return `${facts}\nThe answer was lost: the call may or may not have taken effect. Do not repeat it blindly; read the state of things back first. (${message})`;
}
