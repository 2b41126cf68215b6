import * as z from 'zod';
import { deadline } from '../../core/kernel/deadline.ts';
import { ModelProviderId } from '../../shared/ids.ts';
import type { ModelProvider } from '../../shared/model/settings.ts';
import { providerFetch } from './provider-fetch.ts';
import { readJson } from './read-json.ts';

/** Origins on loopback at which model servers listen by custom. */
export interface LocalServers {
  readonly ollama: string;
  readonly lmStudio: string;
  readonly llamaCpp: string;
}
export const localServers: LocalServers = { ollama: 'http://127.0.0.1:11434', lmStudio: 'http://127.0.0.1:1234', llamaCpp: 'http://127.0.0.1:8080' };

const limitMs = 400;
const maxModels = 500;

const Name = z.string().min(1).max(200);
const OllamaTags = z.object({ models: z.array(z.object({ name: Name })) });
const LmStudioModels = z.object({ object: z.literal('list'), data: z.array(z.object({ id: Name, object: z.literal('model') })) });
const LlamaCppModels = z.object({ data: z.array(z.object({ id: Name, owned_by: z.literal('llamacpp') })).min(1) });

/** Asks the three at once, at most 400 ms each. What answers in another shape is something else; nothing is ever thrown. */
export async function detectProviders(servers: LocalServers, send: typeof fetch, signal: AbortSignal): Promise<readonly ModelProvider[]> {
  const found = await Promise.all([
    probe(servers.ollama, '/api/tags', (body) => OllamaTags.parse(body).models.map(({ name }) => name), send, signal).then(provider('ollama', 'Ollama')),
    probe(servers.lmStudio, '/v1/models', (body) => LmStudioModels.parse(body).data.map(({ id }) => id), send, signal).then(provider('lm-studio', 'LM Studio')),
    probe(servers.llamaCpp, '/v1/models', (body) => LlamaCppModels.parse(body).data.map(({ id }) => id), send, signal).then(provider('llama-cpp', 'llama.cpp')),
  ]);
  return found.filter((one) => one !== undefined);
}

interface Found {
  readonly origin: string;
  readonly models: readonly string[];
}

function provider(id: string, name: string): (found: Found | undefined) => ModelProvider | undefined {
  return (found) =>
    found && {
      id: ModelProviderId.parse(id),
      kind: 'openai-compatible',
      name,
      baseUrl: `${found.origin}/v1`,
      models: [...new Set(found.models)].sort().slice(0, maxModels),
      detected: true,
    };
}

async function probe(origin: string, path: string, read: (body: unknown) => string[], send: typeof fetch, signal: AbortSignal): Promise<Found | undefined> {
  using limit = deadline(limitMs, signal);
  try {
    const response = await providerFetch(send, origin, false)(`${origin}${path}`, { signal: limit.signal });
    const body = await readJson(response);
    return response.ok ? { origin, models: read(body) } : undefined;
  } catch {
    return undefined; // nobody there, too slow, or something else that listens on this port
  }
}
