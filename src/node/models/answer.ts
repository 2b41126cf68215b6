import type { LanguageModel, LanguageModelUsage, ModelMessage as SdkMessage, ToolSet } from 'ai';
import type { ModelEvent, ModelStep } from '../../core/ports.ts';
import type { Usage } from '../../shared/model/transcript-entry.ts';
import { reasoningOptions } from './reasoning-effort.ts';
import { replayOf } from './replay.ts';
import { toolArguments } from './tool-arguments.ts';
import { wellFormed } from './well-formed.ts';

/** The stream ended before the provider said that it was finished. */
class CutOff extends Error {
  readonly code = 'cut-off';
  constructor() {
    super('The answer stopped before it was finished');
  }
}

/** One request, one answer, no retry. Throws what the SDK or the provider throws; ends the request when the reader leaves. */
export async function* answer(
  step: ModelStep,
  model: LanguageModel,
  messages: SdkMessage[],
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { streamText } = await import('ai');
  globalThis.AI_SDK_LOG_WARNINGS = false;
  using request = linkedAbort(signal);
  const result = streamText({
    model,
    ...(step.system.trim() === '' ? {} : { instructions: wellFormed(step.system) }),
    messages,
    ...(step.tools.length === 0 ? {} : { tools: await toolSet(step) }),
    // Nothing is kept at the provider: the history that is sent is the whole of it, and reasoning comes back sealed within it.
    // Whole arguments are wanted, not their growth; and servers that only imitate Anthropic know nothing of the switch.
    // An effort alone would make the SDK ask OpenAI for summaries too, which organisations that are not verified are refused.
    providerOptions: { openai: { store: false, reasoningSummary: null }, anthropic: { toolStreaming: false } },
    ...reasoningOptions(step),
    maxRetries: 0,
    abortSignal: request.signal,
    onError: () => undefined, // the error arrives in the stream as well
    // Nothing in a history is an address to fetch from.
    experimental_download: async (files) => files.map(() => null),
  });
  const ids = new CallIds(step);
  let last: { readonly finish: string; readonly usage: LanguageModelUsage } | undefined;
  const parts = result.stream[Symbol.asyncIterator]();
  for (;;) {
    const next = await Promise.race([parts.next(), request.aborted]);
    if (next.done === true) break;
    const part = next.value;
    switch (part.type) {
      case 'text-delta':
        if (part.text !== '') yield { type: 'text', delta: part.text };
        break;
      case 'reasoning-delta':
        if (part.text !== '') yield { type: 'reasoning', delta: part.text };
        break;
      case 'tool-call':
        if (part.providerExecuted !== true)
          yield { type: 'tool-call', id: ids.take(part.toolCallId), name: part.toolName, ...toolArguments(part.input) };
        break;
      case 'finish-step':
        last = { finish: part.finishReason, usage: part.usage };
        break;
      case 'error':
        throw part.error instanceof Error && /ended without a finish/.test(part.error.message) ? new CutOff() : part.error;
      case 'abort':
        throw new DOMException('The request was ended', 'AbortError');
      default:
        break; // beginnings and ends of parts, and what no tool of ours can cause
    }
  }
  if (last === undefined || last.finish === 'interrupted') throw new CutOff();
  const usage = usageOf(last.usage);
  const replay = ids.renamed ? undefined : replayOf(step.provider.kind, step.model, await result.responseMessages);
  yield {
    type: 'finished',
    finish: finishOf(last.finish, ids.count),
    ...(usage === undefined ? {} : { usage }),
    ...(replay === undefined ? {} : { replay }),
  };
}

async function toolSet({ tools, provider }: ModelStep): Promise<ToolSet> {
  const { dynamicTool, jsonSchema } = await import('ai');
  // Responses makes optional arguments required when nothing is said; imitators of Chat Completions may not know the word.
  const mode = provider.kind === 'openai' ? { strict: false } : {};
  return Object.fromEntries(
    tools.map((tool) => {
      // Arguments are checked by core against the server's own schema; this one is what the model was shown.
      const inputSchema = jsonSchema(tool.inputSchema, { validate: (value) => ({ success: true, value }) });
      return [tool.name, dynamicTool({ description: wellFormed(tool.description), inputSchema, ...mode })];
    }),
  );
}

/**
 * Some servers number the calls of every answer from the same start, or leave the id empty. Everything after relies on ids that are used
 * once.
 */
class CallIds {
  readonly #used: Set<string>;
  count = 0;
  renamed = false;

  constructor(step: ModelStep) {
    this.#used = new Set(step.messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])));
  }

  take(given: string): string {
    this.count += 1;
    let id = given;
    for (let n = 2; id === '' || this.#used.has(id); n += 1) id = `${given === '' ? 'call' : given}-${n}`;
    if (id !== given) this.renamed = true;
    this.#used.add(id);
    return id;
  }
}

function finishOf(finish: string, calls: number): Extract<ModelEvent, { readonly type: 'finished' }>['finish'] {
  switch (finish) {
    case 'stop':
      // Some servers say "stop" although they want tools.
      return calls > 0 ? 'tool-calls' : 'stop';
    case 'tool-calls':
    case 'length':
    case 'content-filter':
      return finish;
    default:
      return calls > 0 ? 'tool-calls' : 'other';
  }
}

function usageOf(usage: LanguageModelUsage): Usage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails } = usage;
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cached = inputTokenDetails.cacheReadTokens;
  return { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0, ...(cached === undefined ? {} : { cachedInputTokens: cached }) };
}

/** A signal that follows the caller's and is aborted when disposed, so that a reader who leaves early leaves no request behind. */
function linkedAbort(parent: AbortSignal): { readonly signal: AbortSignal; readonly aborted: Promise<never> } & Disposable {
  const controller = new AbortController();
  const { promise: aborted, reject } = withResolvers();
  const forward = () => {
    controller.abort(parent.reason);
    reject(new DOMException('The request was ended', 'AbortError'));
  };
  if (parent.aborted) forward();
  else parent.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    aborted,
    [Symbol.dispose]() {
      parent.removeEventListener('abort', forward);
      controller.abort(new DOMException('The answer is no longer read', 'AbortError'));
    },
  };
}

function withResolvers(): { readonly promise: Promise<never>; readonly reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, rejected) => {
    reject = rejected;
  });
  promise.catch(() => undefined); // it may be rejected while nobody waits
  return { promise, reject };
}
