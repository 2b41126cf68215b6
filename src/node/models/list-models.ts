import * as z from 'zod';
import { deadline } from '../../core/kernel/deadline.ts';
import type { Secret } from '../../core/kernel/secret.ts';
import { AppError } from '../../shared/errors.ts';
import type { ModelProvider } from '../../shared/model/settings.ts';
import { modelFailure } from './model-failure.ts';
import { providerAddress } from './provider-address.ts';
import { headerKey, providerFetch } from './provider-fetch.ts';
import { readJson } from './read-json.ts';

const limitMs = 10_000;
const maxPages = 20;

const OpenAiList = z.object({ data: z.array(z.object({ id: z.string() })) });
const AnthropicList = z.object({
  data: z.array(z.object({ id: z.string() })),
  has_more: z.boolean().optional(),
  last_id: z.string().nullish(),
});
const GoogleList = z.object({
  models: z.array(z.object({ name: z.string(), supportedGenerationMethods: z.array(z.string()).optional() })).default([]),
  nextPageToken: z.string().optional(),
});

/** A provider's models, sorted by name: also the test of its address and key. At most 10 s. */
export async function listModels(
  provider: ModelProvider,
  secret: Secret | undefined,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const address = providerAddress(provider);
  const key = headerKey(secret?.reveal() ?? '');
  const ask = providerFetch(send, address, key !== '');
  using limit = deadline(limitMs, signal);
  try {
    const names = await listed(provider.kind, address, key, async (path, headers) => {
      const response = await ask(`${address}${path}`, { headers, signal: limit.signal });
      const body = await readJson(response);
      if (!response.ok) throw Object.assign(new Error(response.statusText), { statusCode: response.status, data: body });
      return body;
    });
    return [...new Set(names)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  } catch (error) {
    if (signal.aborted) throw new DOMException('The list of models is no longer wanted', 'AbortError');
    if (error instanceof z.ZodError) throw new AppError('model/failed', 'The address answered, but not with a list of models');
    throw modelFailure(error, { key, tools: [], partial: false }).error;
  }
}

type Ask = (path: string, headers: Record<string, string>) => Promise<unknown>;

async function listed(kind: ModelProvider['kind'], address: string, key: string, ask: Ask): Promise<string[]> {
  switch (kind) {
    case 'openai':
    case 'openai-compatible':
      return OpenAiList.parse(await ask('/models', { authorization: `Bearer ${key}` })).data.map(({ id }) => id);
    case 'anthropic':
      return pages(async (after) => {
        const page = AnthropicList.parse(await ask(`/models?limit=1000${after}`, { 'x-api-key': key, 'anthropic-version': '2023-06-01' }));
        const last = page.has_more === true ? page.last_id : undefined;
        return {
          names: page.data.map(({ id }) => id),
          next: typeof last === 'string' ? `&after_id=${encodeURIComponent(last)}` : undefined,
        };
      });
    case 'google':
      return pages(async (after) => {
        const page = GoogleList.parse(await ask(`/models?pageSize=1000${after}`, { 'x-goog-api-key': key }));
        const able = page.models.filter(
          ({ supportedGenerationMethods: methods }) => methods === undefined || methods.includes('generateContent'),
        );
        return {
          names: able.map(({ name }) => name.replace(/^models\//, '')),
          next:
            page.nextPageToken === undefined || page.nextPageToken === ''
              ? undefined
              : `&pageToken=${encodeURIComponent(page.nextPageToken)}`,
        };
      });
  }
}

async function pages(
  page: (after: string) => Promise<{ readonly names: readonly string[]; readonly next: string | undefined }>,
): Promise<string[]> {
  const names: string[] = [];
  let after: string | undefined = '';
  for (let n = 0; after !== undefined && n < maxPages; n += 1) {
    const one = await page(after);
    names.push(...one.names);
    after = one.next;
  }
  return names;
}
