import { describe, expect, it } from 'vitest';
import { answerJson, startHttpServer, type SeenRequest } from '../../../test/support/plain-http-server.ts';
import { Secret } from '../../core/kernel/secret.ts';
import { ModelProviderId } from '../../shared/ids.ts';
import { ProviderKind, type ModelProvider } from '../../shared/model/settings.ts';
import { listModels } from './list-models.ts';

const never = new AbortController().signal;
const key = new Secret(' sk-list-0123456789\n');
const providerAt = (kind: ProviderKind, origin: string): ModelProvider => ({
  id: ModelProviderId.parse('p'),
  kind,
  name: 'P',
  baseUrl: origin,
  models: [],
});

/** Each protocol's list, the first two in two pages. */
const answers: Readonly<Record<ProviderKind, (request: SeenRequest) => unknown>> = {
  anthropic: ({ path }) =>
    path.includes('after_id=claude-b')
      ? { data: [{ id: 'claude-a' }], has_more: false }
      : { data: [{ id: 'claude-c' }, { id: 'claude-b' }], has_more: true, last_id: 'claude-b' },
  google: ({ path }) =>
    path.includes('pageToken=next')
      ? { models: [{ name: 'models/gemini-a', supportedGenerationMethods: ['generateContent'] }] }
      : {
          models: [
            { name: 'models/gemini-b', supportedGenerationMethods: ['countTokens', 'generateContent'] },
            { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] },
          ],
          nextPageToken: 'next',
        },
  openai: () => ({ object: 'list', data: [{ id: 'gpt-b' }, { id: 'gpt-a' }] }),
  'openai-compatible': () => ({ data: [{ id: 'llama' }, { id: 'llama' }] }),
};
const expected: Readonly<Record<ProviderKind, { readonly models: readonly string[]; readonly path: string; readonly header: string }>> = {
  anthropic: { models: ['claude-a', 'claude-b', 'claude-c'], path: '/v1/models', header: 'x-api-key' },
  google: { models: ['gemini-a', 'gemini-b'], path: '/v1beta/models', header: 'x-goog-api-key' },
  openai: { models: ['gpt-a', 'gpt-b'], path: '/v1/models', header: 'authorization' },
  'openai-compatible': { models: ['llama'], path: '/v1/models', header: 'authorization' },
};

describe.each(ProviderKind.options)('the models of a provider of kind %s', (kind) => {
  const { models, path, header } = expected[kind];

  it('are listed whole, sorted, each once, asked for with the key in its place', async () => {
    await using server = await startHttpServer((request, response) => answerJson(response, answers[kind](request)));
    expect(await listModels(providerAt(kind, server.origin), key, fetch, never)).toEqual(models);
    for (const request of server.seen) {
      expect(request.path.split('?')[0]).toBe(path);
      expect(String(request.headers[header]).replace('Bearer ', '')).toBe('sk-list-0123456789');
      expect(request.path).not.toContain('sk-list');
    }
    if (kind === 'anthropic') expect(server.seen[0]?.headers['anthropic-version']).toBe('2023-06-01');
  });

  it('are not told to whom the key is refused', async () => {
    await using server = await startHttpServer((_, response) =>
      answerJson(response, { error: { message: 'Wrong key sk-list-0123456789', type: 'authentication_error' } }, 401),
    );
    await expect(listModels(providerAt(kind, server.origin), key, fetch, never)).rejects.toMatchObject({
      code: 'model/key-refused',
      message: 'Wrong key [key]',
      data: { status: 401 },
    });
  });

  it('are not what another kind of server answers', async () => {
    await using server = await startHttpServer((_, response) => answerJson(response, { models: 'none' }));
    await expect(listModels(providerAt(kind, server.origin), key, fetch, never)).rejects.toMatchObject({ code: 'model/failed' });
  });
});

describe('a list of models', () => {
  it('cannot be had where nobody listens', async () => {
    await expect(listModels(providerAt('openai-compatible', 'http://127.0.0.1:1'), undefined, fetch, never)).rejects.toMatchObject({
      code: 'model/unreachable',
    });
  });

  it('ends at once when it is no longer wanted', async () => {
    const abort = new AbortController();
    await using server = await startHttpServer(() => abort.abort());
    await expect(listModels(providerAt('openai', server.origin), key, fetch, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('needs an address where the protocol has no home', async () => {
    const { baseUrl: _, ...homeless } = providerAt('openai-compatible', 'http://x');
    await expect(listModels(homeless, key, fetch, never)).rejects.toMatchObject({ code: 'request/invalid' });
  });
});
