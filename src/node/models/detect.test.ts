import { describe, expect, it } from 'vitest';
import { answerJson, startHttpServer } from '../../../test/support/plain-http-server.ts';
import { detectProviders } from './detect.ts';

const never = new AbortController().signal;
const models = {
  object: 'list',
  data: [
    { id: 'b-model', object: 'model', owned_by: 'organization_owner' },
    { id: 'a-model', object: 'model', owned_by: 'organization_owner' },
  ],
};

describe('model servers on this machine', () => {
  it('are found by themselves, with their models sorted', async () => {
    await using ollama = await startHttpServer((request, response) =>
      request.path === '/api/tags' ? answerJson(response, { models: [{ name: 'llama3.2:latest' }] }) : answerJson(response, {}, 404),
    );
    await using studio = await startHttpServer((request, response) =>
      request.path === '/v1/models' ? answerJson(response, models) : answerJson(response, {}, 404),
    );
    await using llama = await startHttpServer((request, response) =>
      request.path === '/v1/models'
        ? answerJson(response, { data: [{ id: 'q.gguf', owned_by: 'llamacpp' }] })
        : answerJson(response, {}, 404),
    );
    const found = await detectProviders(
      [
        { id: 'ollama', origin: ollama.origin },
        { id: 'lm-studio', origin: studio.origin },
        { id: 'llama-cpp', origin: llama.origin },
      ],
      fetch,
      never,
    );
    expect(found).toEqual([
      {
        id: 'ollama',
        kind: 'openai-compatible',
        name: 'Ollama',
        baseUrl: `${ollama.origin}/v1`,
        models: ['llama3.2:latest'],
        detected: true,
      },
      {
        id: 'lm-studio',
        kind: 'openai-compatible',
        name: 'LM Studio',
        baseUrl: `${studio.origin}/v1`,
        models: ['a-model', 'b-model'],
        detected: true,
      },
      { id: 'llama-cpp', kind: 'openai-compatible', name: 'llama.cpp', baseUrl: `${llama.origin}/v1`, models: ['q.gguf'], detected: true },
    ]);
    for (const server of [ollama, studio, llama]) expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('are nobody else who listens there: another shape, an error, a page, a redirect, silence', async () => {
    await using other = await startHttpServer((_, response) =>
      answerJson(response, { data: [{ id: 'x', object: 'model', owned_by: 'somebody' }] }),
    );
    await using failing = await startHttpServer((_, response) => answerJson(response, { models: [] }, 500));
    await using page = await startHttpServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'));
    await using redirect = await startHttpServer((_, response) => response.writeHead(302, { location: `${other.origin}/api/tags` }).end());
    await using silent = await startHttpServer(() => undefined);
    const started = performance.now();
    const found = await detectProviders(
      [
        { id: 'llama-cpp', origin: other.origin },
        { id: 'lm-studio', origin: other.origin },
        { id: 'ollama', origin: other.origin },
        { id: 'ollama', origin: failing.origin },
        { id: 'ollama', origin: page.origin },
        { id: 'ollama', origin: redirect.origin },
        { id: 'ollama', origin: silent.origin },
        { id: 'ollama', origin: 'http://127.0.0.1:1' },
      ],
      fetch,
      never,
    );
    expect(found).toEqual([]);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('are not looked for any longer once nobody wants to know', async () => {
    await using silent = await startHttpServer(() => undefined);
    expect(await detectProviders([{ id: 'ollama', origin: silent.origin }], fetch, AbortSignal.abort())).toEqual([]);
    expect(silent.seen).toHaveLength(0);
  });
});
