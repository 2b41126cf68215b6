import * as z from 'zod';
import { deadline } from '../../core/kernel/deadline.ts';
import { ModelProviderId } from '../../shared/ids.ts';
import type { ModelProvider } from '../../shared/model/settings.ts';
import { providerFetch } from './provider-fetch.ts';
import { readJson } from './read-json.ts';

export interface LocalServer {
  readonly id: 'ollama' | 'lm-studio' | 'llama-cpp';
  readonly origin: string;
}
export type LocalServers = readonly LocalServer[];
/** Where model servers listen on loopback by custom. */
export const localServers: LocalServers = [
  { id: 'ollama', origin: 'http://127.0.0.1:11434' },
  { id: 'lm-studio', origin: 'http://127.0.0.1:1234' },
  { id: 'llama-cpp', origin: 'http://127.0.0.1:8080' },
];

const limitMs = 400;
const maxModels = 500;

const Name = z.string().min(1).max(200);
const OllamaTags = z.object({ models: z.array(z.object({ name: Name })) });
const LmStudioModels = z.object({ object: z.literal('list'), data: z.array(z.object({ id: Name, object: z.literal('model') })) });
const LlamaCppModels = z.object({ data: z.array(z.object({ id: Name, owned_by: z.literal('llamacpp') })).min(1) });

const known: Readonly<
  Record<LocalServer['id'], { readonly name: string; readonly path: string; readonly models: (body: unknown) => string[] }>
> = {
  ollama: { name: 'Ollama', path: '/api/tags', models: (body) => OllamaTags.parse(body).models.map(({ name }) => name) },
  'lm-studio': { name: 'LM Studio', path: '/v1/models', models: (body) => LmStudioModels.parse(body).data.map(({ id }) => id) },
  'llama-cpp': { name: 'llama.cpp', path: '/v1/models', models: (body) => LlamaCppModels.parse(body).data.map(({ id }) => id) },
};

/** Asks all at once, at most 400 ms each. What answers in another shape is something else; nothing is ever thrown. */
export async function detectProviders(servers: LocalServers, send: typeof fetch, signal: AbortSignal): Promise<readonly ModelProvider[]> {
  const found = await Promise.all(servers.map((server) => probe(server, send, signal)));
  return found.filter((one) => one !== undefined);
}

async function probe({ id, origin }: LocalServer, send: typeof fetch, signal: AbortSignal): Promise<ModelProvider | undefined> {
  const { name, path, models } = known[id];
  using limit = deadline(limitMs, signal);
  try {
    const response = await providerFetch(send, origin, false)(`${origin}${path}`, { signal: limit.signal });
    const body = await readJson(response);
    if (!response.ok) return undefined;
    return {
      id: ModelProviderId.parse(id),
      kind: 'openai-compatible',
      name,
      baseUrl: `${origin}/v1`,
      models: [...new Set(models(body))].sort().slice(0, maxModels),
      detected: true,
    };
  } catch {
    return undefined; // nobody there, too slow, or something else that listens on this port
  }
}
