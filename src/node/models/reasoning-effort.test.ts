import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '../../../test/support/model-server.ts';
import type { ModelStep } from '../../core/ports.ts';
import { Secret } from '../../core/kernel/secret.ts';
import { AppError } from '../../shared/errors.ts';
import { ModelProviderId } from '../../shared/ids.ts';
import type { ReasoningEffort } from '../../shared/model/run-layer.ts';
import type { ProviderKind } from '../../shared/model/settings.ts';
import { createModels } from './models.ts';
import { refusesEffort } from './reasoning-effort.ts';

/** Each kind with models that take it in another form, and where it stands in the request. */
const forms = [
  { kind: 'openai', model: 'gpt-5', low: { reasoning: { effort: 'low' } }, high: { reasoning: { effort: 'high' } } },
  { kind: 'anthropic', model: 'claude-opus-4-8', low: { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, high: { output_config: { effort: 'high' } } },
  { kind: 'anthropic', model: 'claude-sonnet-4-5', low: { thinking: { type: 'enabled', budget_tokens: 6400 } }, high: { thinking: { type: 'enabled', budget_tokens: 38_400 } } },
  { kind: 'google', model: 'gemini-3-pro', low: { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }, high: { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } } },
  { kind: 'google', model: 'gemini-2.5-flash', low: { generationConfig: { thinkingConfig: { thinkingBudget: expect.any(Number) } } }, high: { generationConfig: { thinkingConfig: { thinkingBudget: expect.any(Number) } } } },
  { kind: 'openai-compatible', model: 'qwen3', low: { reasoning_effort: 'low' }, high: { reasoning_effort: 'high' } },
] as const satisfies readonly { readonly kind: ProviderKind; readonly model: string; readonly low: object; readonly high: object }[];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
  server.on({ userMessage: /hello/ }, { text: 'Good morning' });
  server.on({ userMessage: /no tools/ }, { status: 400, message: 'Invalid schema for function', type: 'invalid_request_error' });
});
afterAll(() => server.stop());

const bodies: unknown[] = [];
const notes: string[] = [];
afterEach(() => {
  bodies.splice(0);
  notes.splice(0);
});
const mentionsEffort = (body: unknown): boolean => /reasoning|thinking|effort/.test(JSON.stringify({ ...(body as object), include: [] })); // an object of JSON

const refusals: readonly { readonly status: number; readonly body: object }[] = [
  { status: 400, body: { error: { message: "Unsupported parameter: 'reasoning.effort' is not supported with this model.", type: 'invalid_request_error', param: 'reasoning.effort', code: 'unsupported_parameter' } } },
  { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: 'This model does not support the effort parameter.' } } },
  { status: 400, body: { error: { code: 400, message: 'Thinking is not enabled for this model', status: 'INVALID_ARGUMENT' } } },
  { status: 400, body: { error: { message: '"llama3.2" does not support thinking', type: 'api_error' } } },
  { status: 422, body: { detail: [{ type: 'extra_forbidden', loc: ['body', 'reasoning_effort'], msg: 'Extra inputs are not permitted' }] } },
];

/** What the stand-in accepts, in front of which `refuse` answers whatever asks for an effort. */
function modelsThat(refuse?: { readonly status: number; readonly body: object }) {
  return createModels({
    log: { info: (message) => void notes.push(message), warn: () => undefined, error: () => undefined }, firstDelayMs: 1,
    fetch: (url, init) => {
      const body: unknown = JSON.parse(typeof init?.body === 'string' ? init.body : '{}');
      bodies.push(body);
      if (refuse && mentionsEffort(body)) return Promise.resolve(Response.json(refuse.body, { status: refuse.status }));
      return fetch(url, init);
    },
  });
}
async function answerTo(text: string, { kind, model, effort, refuse }: { readonly kind: ProviderKind; readonly model: string; readonly effort?: ReasoningEffort; readonly refuse?: (typeof refusals)[number] | undefined }): Promise<string> {
  const step: ModelStep = {
    provider: { id: ModelProviderId.parse('p'), kind, name: 'P', baseUrl: server.baseUrl(kind), models: [] },
    key: new Secret('sk-secret-0123456789'), model, system: '', tools: [], messages: [{ role: 'user', text }], ...(effort === undefined ? {} : { reasoningEffort: effort }),
  };
  let said = '';
  for await (const event of modelsThat(refuse).step(step, new AbortController().signal)) if (event.type === 'text') said += event.delta;
  return said;
}

describe.each(forms)('a $model of $kind', ({ kind, model, low, high }) => {
  it('is asked for an effort in its provider’s own form, and for none where none is set', async () => {
    for (const [effort, form] of [['low', low], ['high', high]] as const) {
      expect(await answerTo('hello', { kind, model, effort })).toBe('Good morning');
      expect(bodies.at(-1)).toMatchObject(form);
    }
    expect(JSON.stringify(bodies[0])).not.toBe(JSON.stringify(bodies[1]));
    await answerTo('hello', { kind, model });
    expect(mentionsEffort(bodies.at(-1))).toBe(false);
    expect(bodies).toHaveLength(3);
  });

  it.each(refusals)('that refuses it answers without it, once that is known: $body', async (refuse) => {
    expect(await answerTo('hello', { kind, model, effort: 'high', refuse })).toBe('Good morning');
    expect(bodies.map(mentionsEffort)).toEqual([true, false]);
    expect(notes).toEqual(['The model takes no reasoning effort, and is asked again without it']);
  });

  it('that refuses something else is not asked again', async () => {
    await expect(answerTo('no tools', { kind, model, effort: 'high' })).rejects.toMatchObject({ code: 'model/refused' });
    expect(bodies).toHaveLength(1);
  });
});

it('sends OpenAI no wish for summaries, which not everybody may have, and no effort to a model that is known to have none', async () => {
  await answerTo('hello', { kind: 'openai', model: 'gpt-5', effort: 'medium' });
  expect(bodies[0]).toMatchObject({ reasoning: { effort: 'medium' } });
  expect(JSON.stringify(bodies[0])).not.toContain('summary');
  await answerTo('hello', { kind: 'openai', model: 'gpt-4o', effort: 'medium' });
  expect(mentionsEffort(bodies[1])).toBe(false);
});

it('takes a tool that is called after thinking for a tool', () => {
  const words = "Invalid schema for function 'sequential_thinking'";
  expect(refusesEffort(new Error(words), new AppError('model/refused', words, { data: { toolIndex: 0, toolName: 'sequential_thinking' } }))).toBe(false);
  expect(refusesEffort(new Error('x'), new AppError('model/overloaded', 'Too many thinking tokens'))).toBe(false);
});
