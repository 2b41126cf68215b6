import type { ModelStep } from '../../core/ports.ts';
import type { AppError } from '../../shared/errors.ts';

/**
 * The SDK's one word for it, which becomes what the provider takes from this model: `reasoning.effort` (OpenAI Responses), `output_config.effort` with adaptive thinking or
 * `thinking.budget_tokens` (Anthropic), `thinkingConfig.thinkingLevel` or `thinkingBudget` (Gemini), `reasoning_effort` (Chat Completions). Of a model that is known to have
 * none, nothing is sent.
 */
export const reasoningOptions = ({ reasoningEffort }: ModelStep): { readonly reasoning?: 'low' | 'medium' | 'high' } =>
  reasoningEffort === undefined ? {} : { reasoning: reasoningEffort };

/** The same request without it. */
export function withoutEffort({ reasoningEffort: _refused, ...step }: ModelStep): ModelStep {
  return step;
}

/**
 * Whether a refusal names the option, in any provider's word for it. A provider that refuses it without saying so cannot be told from one that refuses something else;
 * and one that speaks of reasoning and means something else is asked once in vain.
 */
export function refusesEffort(thrown: unknown, error: AppError): boolean {
  if (error.code !== 'model/refused' || blamesTool(error)) return false;
  // Some servers name the field only in a list of what they found wrong, which is no message.
  const body = thrown instanceof Error && 'responseBody' in thrown && typeof thrown.responseBody === 'string' ? thrown.responseBody : '';
  return /reasoning|thinking|\bthink\b|\beffort\b/i.test(`${error.message}\n${body}`);
}

const blamesTool = ({ data }: AppError): boolean => typeof data === 'object' && data !== null && 'toolName' in data;
