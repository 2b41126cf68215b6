import type { ToolOutcome } from '../../shared/model/tool-call.ts';
import { limits } from '../guard/limits.ts';
import type { ActionAnswer } from './own-tool.ts';

/**
 * An answer as the outcome of the own tool's call. What a server returned comes back as it is, its images included. A refusal is a `tool-error` with
 * `{ error: { code, message } }`. A model reads the text alone; programs find the data as structured content.
 */
export function outcomeOf(answer: ActionAnswer): ToolOutcome {
  const { outcome } = answer;
  if (outcome?.kind === 'succeeded' || outcome?.kind === 'tool-error' || outcome?.kind === 'cancelled') return outcome;
  if (answer.ok) return { kind: 'succeeded', result: { parts: [{ type: 'text', text: fitted(answer.text) }], ...structured(answer.data) } };
  const { code, message, data } = answer.error;
  return { kind: 'tool-error', result: { parts: [{ type: 'text', text: fitted(`${message} (${code})`) }], ...structured({ error: { code, message, ...data } }) } };
}

/** Data for programs stays out of the record where it is long: the text says it. */
export function forRecord(outcome: ToolOutcome): ToolOutcome {
  if ((outcome.kind !== 'succeeded' && outcome.kind !== 'tool-error') || !outcome.result.structured || !('json' in outcome.result.structured)) return outcome;
  if (outcome.result.structured.json.length <= limits.detailBytes) return outcome;
  const { structured: _long, ...result } = outcome.result;
  return { ...outcome, result };
}

function structured(data: unknown) {
  const json = data === undefined ? undefined : JSON.stringify(data);
  // The text says the same: it is not read twice.
  return json === undefined ? {} : { structured: { json, preview: '' } };
}

/** Our own words are made to fit; a single huge schema or instruction may not. */
function fitted(text: string): string {
  if (text.length <= limits.textBytes) return text;
  return `${text.slice(0, limits.textBytes).replace(/[\uD800-\uDBFF]$/, '')}\n[… cut: ${text.length} characters in all]`;
}
