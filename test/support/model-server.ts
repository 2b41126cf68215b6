import { LLMock, type ChatCompletionRequest, type FixtureMatch, type FixtureOpts, type JournalEntry } from '@copilotkit/aimock';
import type { ProviderKind } from '../../src/shared/model/settings.ts';

export interface ModelReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly { readonly name: string; readonly args: unknown; readonly id?: string }[];
  readonly usage?: { readonly input: number; readonly output: number };
}
export interface ModelError {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly code?: string;
  readonly retryAfterSeconds?: number;
}

/** A stand-in for all four model providers: real HTTP and real event streams on loopback, with scripted answers. */
export interface ModelServer extends AsyncDisposable {
  readonly url: string;
  /** What a provider of this kind has as its `baseUrl`. */
  baseUrl(kind: ProviderKind): string;
  /** The first rule that matches answers. `latency` is per chunk, in milliseconds. */
  on(match: FixtureMatch, reply: ModelReply | ModelError, options?: FixtureOpts): void;
  /** Every request so far, its body turned into the form of Chat Completions, whatever the protocol. */
  requests(): readonly JournalEntry[];
  forget(): void;
  stop(): Promise<void>;
}

export async function startModelServer(options: { readonly chunkSize?: number; readonly latency?: number } = {}): Promise<ModelServer> {
  // What no rule matches is an error, not silence; the journal keeps everything.
  const mock = new LLMock({ port: 0, host: '127.0.0.1', journalMaxEntries: 0, strict: true, ...options });
  await mock.start();
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= mock.stop());
  return {
    url: mock.url,
    baseUrl: (kind) => `${mock.url}${kind === 'google' ? '/v1beta' : '/v1'}`,
    on(match, reply, fixture) {
      if ('status' in reply) {
        const { status, retryAfterSeconds, ...error } = reply;
        mock.on(match, { error, status, ...(retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds }) }, fixture);
      } else {
        mock.on(match, (request) => wireReply(reply, request), fixture);
      }
    },
    requests: () => mock.getRequests(),
    forget: () => mock.clearRequests(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function wireReply({ text, reasoning, calls = [], usage = { input: 11, output: 7 } }: ModelReply, request: ChatCompletionRequest) {
  const envelope = {
    ...(reasoning === undefined ? {} : { reasoning }),
    // One set of names for each protocol; each takes its own.
    usage: {
      prompt_tokens: usage.input,
      completion_tokens: usage.output,
      total_tokens: usage.input + usage.output,
      input_tokens: usage.input,
      output_tokens: usage.output,
      promptTokenCount: usage.input,
      candidatesTokenCount: usage.output,
      totalTokenCount: usage.input + usage.output,
    },
    // Gemini says STOP also when it wants tools.
    ...(calls.length > 0 && /gemini/i.test(request.model) ? { finishReason: 'stop' } : {}),
  };
  const toolCalls = calls.map(({ name, args, id }) => ({
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
    ...(id === undefined ? {} : { id }),
  }));
  if (calls.length === 0) return { content: text ?? '', ...envelope };
  return text === undefined ? { toolCalls, ...envelope } : { content: text, toolCalls, ...envelope };
}
