import { describe, expect, it } from 'vitest';
import type { ModelTool } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';
import { blamedTool, modelFailure } from './model-failure.ts';
import { headerKey, providerFetch } from './provider-fetch.ts';

const tools: readonly ModelTool[] = ['zero', 'one', 'two', 'mcp_three'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
}));
const context = { key: 'sk-ant-very-secret-key', tools, partial: false };
const http = (statusCode: number, error: object, headers: Record<string, string> = {}) =>
  Object.assign(new Error('Bad Request'), {
    statusCode,
    data: { error },
    responseHeaders: headers,
    requestBodyValues: { messages: 'private' },
  });

describe('a provider that blames one tool', () => {
  it.each([
    ["Invalid 'tools[3].function.name': string does not match pattern", 3],
    ['tools.2.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12', 2],
    ["Invalid schema for function 'mcp_three': schema must have type 'object'", 3],
    ['* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties: should be non-empty for OBJECT type', 1],
    ['Unable to generate parser for this template: tools[1]', 1],
    ['tool `two` has no parameters', 2],
  ])('is understood: %s', (words, index) => {
    expect(blamedTool(words, tools)).toEqual({ toolIndex: index, toolName: tools[index]?.name });
  });

  it.each([
    'tools: array too long, maximum length 128',
    'tools[77] is wrong',
    "function 'unknown' is wrong",
    'messages.3.content: text must be non-empty',
  ])('is not imagined: %s', (words) => {
    expect(blamedTool(words, tools)).toEqual({});
  });
});

describe('a failure', () => {
  it.each([
    [http(401, { message: 'no' }), 'model/key-refused', false],
    [http(403, { message: 'no', type: 'permission_error' }), 'model/key-refused', false],
    [http(400, { message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' }), 'model/key-refused', false],
    [http(400, { message: 'no' }), 'model/refused', false],
    [http(404, { message: 'model not found' }), 'model/refused', false],
    [http(429, { message: 'slow down' }), 'model/overloaded', true],
    [http(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }), 'model/refused', false],
    [http(503, { message: 'overloaded', status: 'UNAVAILABLE' }), 'model/overloaded', true],
    [http(529, { message: 'Overloaded', type: 'overloaded_error' }), 'model/overloaded', true],
    [http(500, { message: 'oops' }), 'model/failed', true],
    [http(307, {}), 'model/failed', false],
    [
      Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
      }),
      'model/unreachable',
      false,
    ],
    [
      Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('getaddrinfo ENOTFOUND nowhere'), { code: 'ENOTFOUND' }),
      }),
      'model/unreachable',
      false,
    ],
    [
      Object.assign(new TypeError('terminated'), { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) }),
      'model/unreachable',
      true,
    ],
    [
      Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('unable to verify'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }),
      }),
      'model/unreachable',
      false,
    ],
    [new Error('something odd'), 'model/failed', false],
    ['words alone', 'model/failed', false],
    [undefined, 'model/failed', false],
  ])('has the code that tells what to do: %s → %s', (thrown, code, retry) => {
    const failure = modelFailure(thrown, context);
    expect([failure.error.code, failure.retry]).toEqual([code, retry]);
  });

  it("is told in at most 1,000 characters of the provider's own words, without the key or the conversation", () => {
    const { error } = modelFailure(
      http(400, { message: `sk-ant-very-secret-key is wrong, also sk-proj-ab****wxyz. ${'x'.repeat(5000)}` }),
      context,
    );
    expect(error.message).toMatch(/^\[key\] is wrong, also \[key\]\. x+…$/);
    expect(error.message).toHaveLength(1000);
    expect(error.cause).toBeUndefined();
    expect(JSON.stringify(error.toData())).not.toContain('private');
  });

  it('says how long the provider wants to be left alone, however it says it', () => {
    const waitOf = (headers: Record<string, string>) => modelFailure(http(429, { message: 'x' }, headers), context).error.data;
    expect(waitOf({ 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7000 });
    expect(waitOf({ 'retry-after-ms': '250' })).toMatchObject({ retryAfterMs: 250 });
    expect(waitOf({ 'retry-after': new Date(Date.now() + 60_000).toUTCString() })).toMatchObject({
      retryAfterMs: expect.closeTo(60_000, -4),
    });
    expect(waitOf({ 'retry-after': 'soon' })).toEqual({ status: 429 });
  });

  it('that is already told stays as it is', () => {
    const told = new AppError('model/key-refused', 'No');
    expect(modelFailure(told, context).error).toBe(told);
  });
});

describe('the way out to a provider', () => {
  it('leads to its own origin and nowhere else', async () => {
    const asked: string[] = [];
    const send = providerFetch(
      async (input) => {
        asked.push(input instanceof Request ? input.url : String(input));
        return new Response('{}');
      },
      'https://models.example/v1',
      true,
    );
    await send('https://models.example/v1/chat');
    await expect(send('https://elsewhere.example/v1/chat')).rejects.toMatchObject({ code: 'internal/bug' });
    await expect(send('http://models.example/v1/chat')).rejects.toMatchObject({ code: 'internal/bug' });
    expect(asked).toEqual(['https://models.example/v1/chat']);
  });

  it('takes a key without the spaces of the clipboard, and no key that would break a header', () => {
    expect(headerKey(' sk-1\n')).toBe('sk-1');
    expect(() => headerKey('sk-1\r\nx-evil: 1')).toThrow(AppError);
    expect(() => headerKey('sk-…')).toThrow(AppError);
  });
});
