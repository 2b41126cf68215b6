import type { AssistantModelMessage } from 'ai';
import * as z from 'zod';
import type { ModelMessage } from '../../core/ports.ts';
import type { ProviderKind } from '../../shared/model/settings.ts';
import { isWireName } from './wire-name.ts';

type Assistant = Extract<ModelMessage, { readonly role: 'assistant' }>;
type Replay = NonNullable<Assistant['replay']>;

/** What may come back from a transcript. Parts that name addresses are left out: the SDK would fetch them. */
const ReplayPart = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('reasoning'), text: z.string() }),
  z.looseObject({ type: z.literal('custom'), kind: z.string() }),
  z.looseObject({ type: z.literal('tool-call'), toolCallId: z.string(), toolName: z.string(), input: z.unknown() }),
]);
const ReplayMessages = z.array(z.looseObject({ role: z.literal('assistant'), content: z.array(ReplayPart) })).min(1);

/**
 * The provider's own form of an answer, as plain JSON: it goes to disk and comes back in another process. Results are left out, they are
 * core's to give.
 */
export function replayOf(kind: ProviderKind, model: string, responseMessages: readonly unknown[]): Replay | undefined {
  const parsed = ReplayMessages.safeParse(
    JSON.parse(
      JSON.stringify(responseMessages.filter((message) => z.looseObject({ role: z.literal('assistant') }).safeParse(message).success)),
    ),
  );
  return parsed.success ? { kind, model, messages: parsed.data } : undefined;
}

/**
 * The answer as its provider gave it, signatures and all; `undefined` when it came from another model or does not say what the transcript
 * says.
 */
export function replayedMessages(
  message: Assistant,
  options: { readonly kind: ProviderKind; readonly model: string },
): readonly AssistantModelMessage[] | undefined {
  const { replay } = message;
  if (replay === undefined || replay.kind !== options.kind || replay.model !== options.model) return undefined;
  const parsed = ReplayMessages.safeParse(replay.messages);
  if (!parsed.success) return undefined;
  const calls = parsed.data.flatMap(({ content }) => content.flatMap((part) => (part.type === 'tool-call' ? [part] : [])));
  const same =
    calls.length === message.calls.length &&
    calls.every(({ toolCallId, toolName }, index) => {
      const call = message.calls[index];
      return call?.id === toolCallId && call.name === toolName && isWireName(toolName) && toolCallId !== '';
    });
  if (!same || parsed.data.every(({ content }) => content.length === 0)) return undefined;
  // Proven by ReplayMessages: a subset of the SDK's parts, with their own fields kept.
  return parsed.data as unknown as readonly AssistantModelMessage[];
}
