import { describe, expect, it } from 'vitest';
import { answerEvents, answerJson, startHttpServer, type PlainHttpServer } from '../../../test/support/plain-http-server.ts';
import type { ModelEvent, ModelMessage, ModelStep } from '../../core/ports.ts';
import { Secret } from '../../core/kernel/secret.ts';
import { AppError } from '../../shared/errors.ts';
import { ModelProviderId } from '../../shared/ids.ts';
import { ProviderKind } from '../../shared/model/settings.ts';
import { createModels } from './models.ts';

const never = new AbortController().signal;
const models = createModels({ log: { info: () => undefined, warn: () => undefined, error: () => undefined }, firstDelayMs: 5 });
const stepAt = (kind: ProviderKind, origin: string, more: Partial<ModelStep> = {}): ModelStep => ({
  provider: { id: ModelProviderId.parse('p'), kind, name: 'P', baseUrl: origin, models: [] },
  key: new Secret('sk-test-1234'),
  model: kind === 'google' ? 'gemini-3-pro' : 'some-model',
  system: '',
  messages: [{ role: 'user', text: 'Hi' }],
  tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: {} } }],
  ...more,
});
const eventsOf = async (step: ModelStep, signal = never) => {
  const events: ModelEvent[] = [];
  for await (const event of models.step(step, signal)) events.push(event);
  return events;
};
const failureOf = async (step: ModelStep): Promise<AppError> => {
  try {
    await eventsOf(step);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('It did not fail');
};

function signalled() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  return { promise, resolve };
}

/** "Hel" in each protocol's words, without an end. */
const beginning: Readonly<Record<ProviderKind, readonly unknown[]>> = {
  anthropic: [
    {
      type: 'message_start',
      message: { id: 'm', type: 'message', role: 'assistant', model: 'c', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
  ],
  openai: [
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg', phase: null } },
    { type: 'response.output_text.delta', item_id: 'msg', output_index: 0, delta: 'Hel' },
  ],
  google: [{ candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] } }] }],
  'openai-compatible': [chat({ content: 'Hel' })],
};
function chat(delta: object, finish: string | null = null) {
  return { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] };
}
const chatCall = (call: object) => [chat({ tool_calls: [{ index: 0, type: 'function', ...call }] }), chat({}, 'tool_calls'), '[DONE]'];

describe.each(ProviderKind.options)('an answer of kind %s', (kind) => {
  it('that ends cleanly but unfinished is told as broken off', async () => {
    await using server = await startHttpServer((_, response) => answerEvents(response, beginning[kind]));
    expect(await failureOf(stepAt(kind, server.origin))).toMatchObject({ code: 'model/unreachable', data: { partial: true } });
    expect(server.seen).toHaveLength(1);
  });

  it('is closed at the provider when it is stopped', async () => {
    const closed = signalled();
    await using server = await startHttpServer((_, response) => {
      response.on('close', closed.resolve);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(beginning[kind].map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    });
    const abort = new AbortController();
    const reading = (async () => {
      for await (const event of models.step(stepAt(kind, server.origin), abort.signal)) if (event.type === 'text') abort.abort();
    })();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
    await closed.promise;
  });

  it('that never begins can be stopped too', async () => {
    const asked = signalled();
    await using server = await startHttpServer(() => asked.resolve());
    const abort = new AbortController();
    const reading = eventsOf(stepAt(kind, server.origin), abort.signal);
    await asked.promise;
    abort.abort();
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is not looked for at another address: a redirect is a failure, and the key stays here', async () => {
    await using elsewhere = await startHttpServer((_, response) => answerJson(response, {}));
    await using server = await startHttpServer((_, response) => response.writeHead(307, { location: `${elsewhere.origin}/v1/x` }).end());
    expect(await failureOf(stepAt(kind, server.origin))).toMatchObject({ code: 'model/failed', data: { status: 307 } });
    await expect(models.list(stepAt(kind, server.origin).provider, new Secret('sk-test-1234'), never)).rejects.toMatchObject({
      code: 'model/failed',
    });
    expect(elsewhere.seen).toHaveLength(0);
  });

  it('cannot come from where nobody listens', async () => {
    const server = await startHttpServer(() => undefined);
    await server[Symbol.asyncDispose]();
    const error = await failureOf(stepAt(kind, server.origin));
    expect(error.code).toBe('model/unreachable');
    expect(error.message).toContain('ECONNREFUSED');
  });

  it('cannot be a web page', async () => {
    await using server = await startHttpServer((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in to the hotel network</html>'),
    );
    expect(await failureOf(stepAt(kind, server.origin))).toMatchObject({
      code: 'model/failed',
      message: expect.stringContaining('a web page'),
    });
  });

  it('is not asked for with a key that no header can carry, nor is the key shown', async () => {
    await using server = await startHttpServer((_, response) => answerJson(response, {}));
    const error = await failureOf(stepAt(kind, server.origin, { key: new Secret('sk-one\nsk-two') }));
    expect(error.code).toBe('model/key-refused');
    expect(error.message).not.toContain('sk-');
    expect(server.seen).toHaveLength(0);
  });
});

describe('an answer', () => {
  const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

  it('is asked for again when the provider is overloaded before it began, though it said 200', async () => {
    await using server = await startHttpServer((_, response) => answerEvents(response, [overloaded]));
    expect(await failureOf(stepAt('anthropic', server.origin))).toMatchObject({ code: 'model/overloaded', message: 'Overloaded' });
    expect(server.seen).toHaveLength(3);
  });

  it('is not begun twice: overloaded in the middle is told', async () => {
    await using server = await startHttpServer((_, response) => answerEvents(response, [...beginning.anthropic, overloaded]));
    expect(await failureOf(stepAt('anthropic', server.origin))).toMatchObject({ code: 'model/overloaded', data: { partial: true } });
    expect(server.seen).toHaveLength(1);
  });

  it('says why it was refused within the stream', async () => {
    await using server = await startHttpServer((_, response) =>
      answerEvents(response, [{ error: { message: 'the model runs out of memory', type: 'server_error' } }]),
    );
    expect(await failureOf(stepAt('openai-compatible', server.origin))).toMatchObject({
      code: 'model/failed',
      message: 'the model runs out of memory',
    });
  });

  it.each([
    ['no arguments at all', { id: 'c1', function: { name: 'add' } }, { args: {} }],
    ['empty arguments', { id: 'c1', function: { name: 'add', arguments: '' } }, { args: {} }],
    ['null', { id: 'c1', function: { name: 'add', arguments: 'null' } }, { args: {} }],
    ['an object', { id: 'c1', function: { name: 'add', arguments: '{"a":1}' } }, { args: { a: 1 } }],
    ['an object in a string', { id: 'c1', function: { name: 'add', arguments: '"{\\"a\\":1}"' } }, { args: { a: 1 } }],
    ['a list', { id: 'c1', function: { name: 'add', arguments: '[1]' } }, { args: undefined, invalid: '[1]' }],
    ['half an object', { id: 'c1', function: { name: 'add', arguments: '{"a":' } }, { args: undefined, invalid: '{"a":' }],
    [
      'a poisoned key',
      { id: 'c1', function: { name: 'add', arguments: '{"__proto__":{"x":1}}' } },
      { args: undefined, invalid: '{"__proto__":{"x":1}}' },
    ],
  ])('[S7] has usable arguments, or says that they are none: %s', async (_, call, expected) => {
    await using server = await startHttpServer((_request, response) => answerEvents(response, chatCall(call)));
    const events = await eventsOf(stepAt('openai-compatible', server.origin));
    expect(events[0]).toEqual({ type: 'tool-call', id: 'c1', name: 'add', ...expected });
    expect(events.at(-1)).toMatchObject({ type: 'finished', finish: 'tool-calls' });
  });

  it('has call ids that are used once, though the server numbers every answer from the start', async () => {
    await using server = await startHttpServer((_, response) =>
      answerEvents(response, [
        chat({ tool_calls: [{ index: 0, id: 'call_0', type: 'function', function: { name: 'add', arguments: '{}' } }] }),
        chat({ tool_calls: [{ index: 1, id: 'call_0', type: 'function', function: { name: 'add', arguments: '{}' } }] }),
        chat({}, 'stop'),
        '[DONE]',
      ]),
    );
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '', calls: [{ id: 'call_0', name: 'add', args: {} }] },
      { role: 'tool', results: [{ callId: 'call_0', name: 'add', text: '1', isError: false, images: [] }] },
    ];
    const events = await eventsOf(stepAt('openai-compatible', server.origin, { messages }));
    const ids = events.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []));
    expect(new Set([...ids, 'call_0']).size).toBe(3);
    expect(events.at(-1)).toMatchObject({ finish: 'tool-calls' });
    expect(events.at(-1)).not.toHaveProperty('replay');
  });

  it('of Gemini keeps its thought signatures on the way back', async () => {
    await using server = await startHttpServer((_, response) =>
      answerEvents(response, [
        {
          candidates: [
            {
              content: { role: 'model', parts: [{ functionCall: { name: 'add', args: { a: 1 } }, thoughtSignature: 'c2lnbmVk' }] },
              finishReason: 'STOP',
            },
          ],
        },
      ]),
    );
    const events = await eventsOf(stepAt('google', server.origin));
    const call = events.find((event) => event.type === 'tool-call');
    const finished = events.at(-1);
    if (call === undefined || finished?.type !== 'finished' || finished.replay === undefined) throw new Error('No call');
    await eventsOf(
      stepAt('google', server.origin, {
        messages: [
          { role: 'user', text: 'Hi' },
          {
            role: 'assistant',
            text: '',
            calls: [{ id: call.id, name: call.name, args: call.args }],
            replay: JSON.parse(JSON.stringify(finished.replay)) as typeof finished.replay,
          }, // as read from disk
          { role: 'tool', results: [{ callId: call.id, name: 'add', text: '2', isError: false, images: [] }] },
        ],
      }),
    );
    expect(server.seen[1]?.body).toContain('"thoughtSignature":"c2lnbmVk"');
  });

  it('comes without the images when the model takes none', async () => {
    await using server = await startHttpServer((request, response) => {
      if (request.body.includes('image_url'))
        answerJson(response, { error: { message: 'image input is not supported by this model', code: 500 } }, 500);
      else answerEvents(response, [chat({ content: 'Fine' }), chat({}, 'stop'), '[DONE]']);
    });
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    const messages: ModelMessage[] = [
      { role: 'user', text: 'Look' },
      { role: 'assistant', text: '', calls: [{ id: 'c', name: 'add', args: {} }] },
      {
        role: 'tool',
        results: [{ callId: 'c', name: 'add', text: 'shot', isError: false, images: [{ mimeType: 'image/png', bytes: png }] }],
      },
    ];
    const events = await eventsOf(stepAt('openai-compatible', server.origin, { messages }));
    expect(events[0]).toEqual({ type: 'text', delta: 'Fine' });
    expect(server.seen.at(-1)?.body).toContain('this model takes no images');
  });

  it('comes over an address that names only a host, by the path that is custom', async () => {
    await using server: PlainHttpServer = await startHttpServer((_, response) =>
      answerEvents(response, [chat({ content: 'Fine' }), chat({}, 'stop'), '[DONE]']),
    );
    await eventsOf(stepAt('openai-compatible', server.origin, { key: undefined }));
    await eventsOf(stepAt('openai-compatible', `${server.origin}/api/custom/`));
    expect(server.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/chat/completions', undefined],
      ['/api/custom/chat/completions', 'Bearer sk-test-1234'],
    ]);
  });
});
