import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '../../../test/support/model-server.ts';
import type { ModelEvent, ModelMessage, ModelStep, ModelTool } from '../../core/ports.ts';
import { Secret } from '../../core/kernel/secret.ts';
import { AppError } from '../../shared/errors.ts';
import { ModelProviderId } from '../../shared/ids.ts';
import { ProviderKind } from '../../shared/model/settings.ts';
import { createModels } from './models.ts';

const modelOf: Readonly<Record<ProviderKind, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  google: 'gemini-3-pro',
  'openai-compatible': 'llama3.2',
};
const key = 'sk-secret-0123456789';
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const tools: readonly ModelTool[] = ['add', 'shot', 'list'].map((name) => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
}));
const never = new AbortController().signal;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ chunkSize: 8, latency: 1 });
  server.on({ userMessage: /hello/ }, { text: 'Good morning to you', usage: { input: 21, output: 5 } });
  server.on({ userMessage: /add/, hasToolResult: false }, { text: 'Let me add.', calls: [{ name: 'add', args: { a: 2 }, id: 'call_1' }] });
  server.on({ userMessage: /add/, hasToolResult: true }, { text: 'The sum is 42.' });
  server.on(
    { userMessage: /both/, hasToolResult: false },
    {
      calls: [
        { name: 'add', args: { a: 1 }, id: 'call_a' },
        { name: 'list', args: {}, id: 'call_b' },
      ],
    },
  );
  server.on({ userMessage: /both/, hasToolResult: true }, { text: 'Both done.' });
  server.on({ userMessage: /nonsense/ }, { calls: [{ name: 'no_such_tool', args: { x: 1 }, id: 'call_n' }] });
  server.on(
    { userMessage: /think/, hasToolResult: false },
    { reasoning: 'I had better look.', calls: [{ name: 'list', args: {}, id: 'call_t' }] },
  );
  server.on({ userMessage: /think/, hasToolResult: true }, { text: 'Thought through.' });
  server.on({ userMessage: /picture/ }, { text: 'I see it.' });
  server.on({ userMessage: /long/ }, { text: 'word '.repeat(2000) }, { latency: 20 });
  server.on(
    { userMessage: /e401/ },
    { status: 401, message: `Incorrect API key provided: ${key}`, type: 'invalid_request_error', code: 'invalid_api_key' },
  );
  server.on({ userMessage: /e429/ }, { status: 429, message: 'Slow down', type: 'rate_limit_error', retryAfterSeconds: 40 });
  server.on({ userMessage: /e500/ }, { status: 500, message: 'Boom', type: 'server_error' });
  server.on(
    { userMessage: /e400/ },
    { status: 400, message: "Invalid schema for function 'shot': None is not of type 'object'", type: 'invalid_request_error' },
  );
  server.on({ userMessage: /drop/ }, { text: 'abcdefgh '.repeat(200) }, { truncateAfterChunks: 20 });
});
afterEach(() => server.forget());
afterAll(() => server.stop());

describe.each(ProviderKind.options)('a model of kind %s', (kind) => {
  const wires: {
    readonly url: string;
    readonly body: string;
    readonly headers: Headers;
    readonly signal: AbortSignal | null | undefined;
  }[] = [];
  afterEach(() => void wires.splice(0));
  const models = createModels({
    log,
    firstDelayMs: 5,
    fetch: (url, init) => {
      wires.push({
        url: url instanceof Request ? url.url : url.toString(),
        body: typeof init?.body === 'string' ? init.body : '',
        headers: new Headers(init?.headers),
        signal: init?.signal,
      });
      return fetch(url, init);
    },
  });
  const stepOf = (messages: readonly ModelMessage[] | string, more: Partial<ModelStep> = {}): ModelStep => ({
    provider: { id: ModelProviderId.parse('p'), kind, name: 'P', baseUrl: server.baseUrl(kind), models: [] },
    key: new Secret(key),
    model: modelOf[kind],
    system: 'Be kind.',
    tools,
    messages: typeof messages === 'string' ? [{ role: 'user', text: messages }] : messages,
    ...more,
  });
  const answerTo = async (messages: readonly ModelMessage[] | string, more?: Partial<ModelStep>) => {
    const events = await eventsOf(models.step(stepOf(messages, more), never));
    const finished = events.at(-1);
    if (finished?.type !== 'finished') throw new Error('The answer did not finish');
    return { events, finished, calls: events.filter((event) => event.type === 'tool-call'), text: textOf(events) };
  };
  const failureOf = async (messages: string): Promise<AppError> => {
    try {
      await answerTo(messages);
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    throw new Error('It did not fail');
  };
  /** The second request of a chat in which the first answer asked for tools. */
  const loop = async (
    text: string,
    result: (callId: string) => { text: string; images?: readonly Uint8Array[] },
    change: (message: ModelMessage) => ModelMessage = (same) => same,
  ) => {
    const first = await answerTo(text);
    const messages: ModelMessage[] = [
      { role: 'user', text },
      change({
        role: 'assistant',
        text: first.text,
        calls: first.calls.map(({ id, name, args }) => ({ id, name, args: args ?? {} })),
        ...(first.finished.replay
          ? { replay: JSON.parse(JSON.stringify(first.finished.replay)) as NonNullable<typeof first.finished.replay> }
          : {}), // to disk and back
      }),
      {
        role: 'tool',
        results: first.calls.map(({ id, name }) => {
          const { text: told, images = [] } = result(id);
          return { callId: id, name, text: told, isError: false, images: images.map((bytes) => ({ mimeType: 'image/png', bytes })) };
        }),
      },
    ];
    return { first, second: await answerTo(messages), wire: wires.at(-1)?.body ?? '' };
  };

  it('answers in pieces, and tells the tokens that the provider counted', async () => {
    const { events, text, finished } = await answerTo('hello');
    expect(text).toBe('Good morning to you');
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(2);
    expect(finished).toMatchObject({ finish: 'stop', usage: { inputTokens: 21, outputTokens: 5 } });
    expect(wires).toHaveLength(1);
    expect(wires[0]?.url.startsWith(server.url)).toBe(true);
    expect(wires[0]?.body).toContain('Be kind.');
  });

  it('asks for a tool, gets its result and answers with it', async () => {
    const { first, second, wire } = await loop('please add', () => ({ text: 'it is 42' }));
    expect(first.text).toBe('Let me add.');
    expect(first.calls).toEqual([{ type: 'tool-call', id: 'call_1', name: 'add', args: { a: 2 } }]);
    expect(first.finished.finish).toBe('tool-calls');
    expect(second.text).toBe('The sum is 42.');
    expect(wire).toContain('it is 42');
    expect(wire.match(/call_1/g)?.length).toBeGreaterThanOrEqual(2);
  });

  it('may ask for several tools at once, each answered under its own id', async () => {
    const { first, second, wire } = await loop('do both', (id) => ({ text: `result of ${id}` }));
    expect(first.calls.map(({ id, name }) => [id, name])).toEqual([
      ['call_a', 'add'],
      ['call_b', 'list'],
    ]);
    expect(second.text).toBe('Both done.');
    expect(wire).toContain('result of call_a');
    expect(wire).toContain('result of call_b');
  });

  it('may ask for a tool that does not exist: the call is passed on, for the run to answer', async () => {
    const { calls, finished } = await answerTo('nonsense');
    expect(calls).toEqual([{ type: 'tool-call', id: 'call_n', name: 'no_such_tool', args: { x: 1 } }]);
    expect(finished.finish).toBe('tool-calls');
  });

  it('sees an image of a result as an image, never as text', async () => {
    const { second, wire } = await loop('add a picture', () => ({ text: 'shot:', images: [png] }));
    expect(second.text).not.toBe('');
    const base64 = png.toString('base64');
    expect(wire.split(base64)).toHaveLength(2);
    expect(imagesIn(JSON.parse(wire))).toEqual([base64]);
  });

  it('sees a note in place of an image that cannot be sent', async () => {
    const { wire } = await loop('add a picture', () => ({
      text: 'shot:',
      images: [Buffer.from('<svg xmlns="x"/>'), Buffer.concat([png, Buffer.alloc(6 * 1024 * 1024)])],
    }));
    expect(wire.length).toBeLessThan(20_000);
    expect(wire).toContain('only PNG, JPEG, GIF and WebP');
    expect(wire).toContain('too large to show');
    expect(imagesIn(JSON.parse(wire))).toEqual([]);
  });

  it('gets its own answer back as it gave it, reasoning and signatures included, also after a restart', async () => {
    const { first, wire } = await loop('think first', () => ({ text: 'a.txt' }));
    expect(first.finished.replay).toMatchObject({ kind, model: modelOf[kind] });
    const { signature } = signatures[kind];
    if (signature !== undefined) expect(wire).toMatch(signature);
  });

  it('gets the plain form of an answer that another model gave', async () => {
    const { second, wire } = await loop(
      'think first',
      () => ({ text: 'a.txt' }),
      (message) =>
        message.role === 'assistant' && message.replay ? { ...message, replay: { ...message.replay, model: 'another' } } : message,
    );
    expect(second.text).toBe('Thought through.');
    expect(wire).toContain('call_t');
    const { signature } = signatures[kind];
    if (signature !== undefined) expect(wire).not.toMatch(signature);
  });

  it('is told that a result is missing, and never sent a call without one', async () => {
    const call = { id: 'call_1', name: 'add', args: { a: 1 } };
    await answerTo([
      { role: 'user', text: 'hello' },
      { role: 'assistant', text: '', calls: [call] },
      { role: 'user', text: 'hello again' },
    ]);
    expect(wires.at(-1)?.body).toContain('whether it took effect is not known');
  });

  it('stops within a second when told to, and says nothing after', async () => {
    const abort = new AbortController();
    const events: ModelEvent[] = [];
    let stoppedAt = 0;
    const reading = (async () => {
      for await (const event of models.step(stepOf('a long one'), abort.signal)) {
        events.push(event);
        if (events.length === 3) {
          stoppedAt = performance.now();
          abort.abort(new Error('the person pressed Stop'));
        }
      }
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    expect(performance.now() - stoppedAt).toBeLessThan(1000);
    expect(events).toHaveLength(3);
    expect(wires.at(-1)?.signal?.aborted).toBe(true);
  });

  it('leaves no request behind when the reader goes away', async () => {
    for await (const event of models.step(stepOf('a long one'), never)) if (event.type === 'text') break;
    expect(wires.at(-1)?.signal?.aborted).toBe(true);
  });

  it('refuses a key in its own words, without the key, and is not asked again', async () => {
    const error = await failureOf('e401');
    expect(error).toMatchObject({ code: 'model/key-refused', message: 'Incorrect API key provided: [key]', data: { status: 401 } });
    expect(wires).toHaveLength(1);
  });

  it('is asked again after "too many requests", as soon as it allows', async () => {
    const other = await startModelServer();
    other.on(
      { userMessage: /patience/, sequenceIndex: 0 },
      { status: 429, message: 'Slow down', type: 'rate_limit_error', retryAfterSeconds: 0 },
    );
    other.on({ userMessage: /patience/ }, { text: 'Thank you for waiting.' });
    const provider = { ...stepOf('').provider, baseUrl: other.baseUrl(kind) };
    const { text } = await answerTo('patience', { provider });
    await other.stop();
    expect(text).toBe('Thank you for waiting.');
    expect(wires).toHaveLength(2);
  });

  it('is overloaded when it asks for a longer wait than a person would bear', async () => {
    expect(await failureOf('e429')).toMatchObject({
      code: 'model/overloaded',
      message: 'Slow down',
      data: { status: 429, retryAfterMs: 40_000 },
    });
    expect(wires).toHaveLength(1);
  });

  it('has failed after three errors of its own', async () => {
    expect(await failureOf('e500')).toMatchObject({ code: 'model/failed', message: 'Boom', data: { status: 500 } });
    expect(wires).toHaveLength(3);
  });

  it('names the tool that it refuses', async () => {
    expect(await failureOf('e400')).toMatchObject({ code: 'model/refused', data: { status: 400, toolIndex: 1, toolName: 'shot' } });
  });

  it('is unreachable when the connection drops in the middle, and says that a part had come', async () => {
    const events: ModelEvent[] = [];
    const reading = (async () => {
      for await (const event of models.step(stepOf('drop it'), never)) events.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'model/unreachable', data: { partial: true } });
    expect(textOf(events)).toMatch(/^abcdefgh/);
    expect(wires).toHaveLength(1);
  });

  it('is sent no key when there is none, whatever the environment holds', async () => {
    const names = {
      ANTHROPIC_API_KEY: 'env-key',
      OPENAI_API_KEY: 'env-key',
      GOOGLE_GENERATIVE_AI_API_KEY: 'env-key',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      OPENAI_BASE_URL: 'http://127.0.0.1:9',
    };
    const before = Object.fromEntries(Object.keys(names).map((name) => [name, process.env[name]]));
    Object.assign(process.env, names);
    try {
      await answerTo('hello', { key: undefined });
    } finally {
      for (const [name, value] of Object.entries(before))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
    const headers = wires[0]?.headers;
    for (const name of ['authorization', 'x-api-key', 'x-goog-api-key']) expect(headers?.get(name)).toBeNull();
    expect(JSON.stringify([...(headers ?? [])])).not.toContain('env-key');
  });
});

/** What a provider signs its reasoning with, as the stand-in does it; Chat Completions has none, Gemini's is tested with raw events. */
const signatures: Readonly<Record<ProviderKind, { readonly signature?: RegExp }>> = {
  anthropic: { signature: /"signature":"[^"]+"/ },
  openai: { signature: /"encrypted_content":"[^"]+"/ },
  google: {},
  'openai-compatible': {},
};

async function eventsOf(answer: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of answer) events.push(event);
  return events;
}

function textOf(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}

/** Image data wherever a protocol has a place for images. */
function imagesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const found: string[] = [];
  const entry = value as Record<string, unknown>; // an object, as the line above says
  const url = typeof entry['image_url'] === 'string' ? entry['image_url'] : (entry['image_url'] as { url?: string } | undefined)?.url;
  if (url !== undefined) found.push(url.replace('data:image/png;base64,', ''));
  if (entry['type'] === 'base64' && entry['media_type'] === 'image/png') found.push(String(entry['data']));
  if (entry['mimeType'] === 'image/png') found.push(String(entry['data']));
  return [...found, ...Object.values(entry).flatMap(imagesIn)];
}
