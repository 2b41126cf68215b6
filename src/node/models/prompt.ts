import type { AssistantModelMessage, ModelMessage as SdkMessage, UserModelMessage } from 'ai';
import type { ModelMessage, ModelToolResult } from '../../core/ports.ts';
import type { ProviderKind } from '../../shared/model/settings.ts';
import { replayedMessages } from './replay.ts';
import { shownImages, toolResultOutput, type ImageWay } from './tool-result.ts';
import { wellFormed } from './well-formed.ts';
import { wireName } from './wire-name.ts';

type AssistantMessage = Extract<ModelMessage, { readonly role: 'assistant' }>;
type UserPart = Exclude<UserModelMessage['content'], string>[number];

const noResult = 'There is no result of this call: it was interrupted, and whether it took effect is not known.';

/**
 * The history in the SDK's form, always balanced: every call is followed by exactly one result, because providers refuse the whole request
 * otherwise. A result that is missing is said to be missing; one that arrives late is moved up to its call; one without a call is told as
 * text.
 */
export function sdkMessages(
  messages: readonly ModelMessage[],
  options: { readonly kind: ProviderKind; readonly model: string; readonly images: ImageWay },
): SdkMessage[] {
  const results = new ResultsByCall(messages);
  const written: SdkMessage[] = [];
  const user = (parts: readonly UserPart[]) => {
    const last = written.at(-1);
    // Two user messages in a row are refused by some chat templates.
    if (last?.role === 'user' && typeof last.content !== 'string')
      written[written.length - 1] = { role: 'user', content: [...last.content, ...parts] };
    else written.push({ role: 'user', content: [...parts] });
  };
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        user(userParts(message, options));
        break;
      case 'assistant': {
        const assistant = assistantMessages(message, options);
        written.push(...assistant.messages);
        if (message.calls.length === 0) break;
        const answered = message.calls.map((call, index) => {
          const wire = assistant.calls[index] ?? { id: call.id, name: call.name };
          const result = results.take(call.id) ?? { callId: call.id, name: call.name, text: noResult, isError: true, images: [] };
          return { ...wire, ...toolResultOutput(result, options.kind, options.images) };
        });
        written.push({
          role: 'tool',
          content: answered.map(({ id, name, output }) => ({ type: 'tool-result', toolCallId: id, toolName: name, output })),
        });
        const after = answered.flatMap((result) => result.after);
        if (after.length > 0) user(after);
        break;
      }
      case 'tool':
        for (const result of message.results.filter((one) => results.isOrphan(one))) {
          user([{ type: 'text', text: wellFormed(`[result of an earlier call of ${result.name}]\n${result.text}`) }]);
        }
        break;
    }
  }
  return written;
}

function userParts({ text, images = [] }: Extract<ModelMessage, { readonly role: 'user' }>, { kind, images: way }: { readonly kind: ProviderKind; readonly images: ImageWay }): readonly UserPart[] {
  const { files, notes } = shownImages(images, kind, way);
  const said = [text, ...notes].filter((part) => part.trim() !== '').join('\n');
  return [{ type: 'text', text: said === '' ? '(empty message)' : wellFormed(said) }, ...files];
}

/** An answer's messages, and under which id and name each of its calls appears in them. */
function assistantMessages(
  message: AssistantMessage,
  options: { readonly kind: ProviderKind; readonly model: string },
): { readonly messages: readonly AssistantModelMessage[]; readonly calls: readonly { readonly id: string; readonly name: string }[] } {
  const replayed = replayedMessages(message, options);
  if (replayed !== undefined) return { messages: replayed, calls: message.calls.map(({ id, name }) => ({ id, name })) };
  const calls = message.calls.map((call) => ({
    id: wireName(call.id),
    name: wireName(call.name),
    input: isObject(call.args) ? call.args : {},
  }));
  const content: Exclude<AssistantModelMessage['content'], string> = [
    ...(message.text.trim() === '' ? [] : [{ type: 'text' as const, text: wellFormed(message.text) }]),
    ...calls.map((call) => ({ type: 'tool-call' as const, toolCallId: call.id, toolName: call.name, input: call.input })),
  ];
  return { messages: content.length === 0 ? [] : [{ role: 'assistant', content }], calls };
}

/** Results wait here for their calls; where an id was used twice, in order. */
class ResultsByCall {
  readonly #waiting = new Map<string, ModelToolResult[]>();
  readonly #called = new Map<string, number>();

  constructor(messages: readonly ModelMessage[]) {
    for (const message of messages) {
      if (message.role === 'assistant') for (const { id } of message.calls) this.#called.set(id, (this.#called.get(id) ?? 0) + 1);
      if (message.role === 'tool')
        for (const result of message.results) this.#waiting.set(result.callId, [...(this.#waiting.get(result.callId) ?? []), result]);
    }
    for (const [id, results] of this.#waiting) this.#waiting.set(id, results.slice(0, this.#called.get(id) ?? 0));
  }

  take(callId: string): ModelToolResult | undefined {
    return this.#waiting.get(callId)?.shift();
  }

  isOrphan(result: ModelToolResult): boolean {
    return !this.#called.has(result.callId);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
