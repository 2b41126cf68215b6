import { expect, it } from 'vitest';
import type { ModelChoice, ModelProvider } from '../../shared/model/settings.ts';
import { Providers, type ProvidersDeps } from './providers.ts';

const provider = { id: 'p1', kind: 'google', name: 'P', models: ['m'] } as unknown as ModelProvider; // ids are compared, nothing else is looked at
const deps = { all: () => [provider] } as unknown as ProvidersDeps; // no key is read here

it('loads ahead what the chosen model’s provider needs, and nothing where none is chosen or it is gone', async () => {
  const providers = new Providers(deps);
  const loaded: string[] = [];
  const models = { prepare: async (kind: string) => void loaded.push(kind) };
  await providers.prepare(models, undefined);
  await providers.prepare(models, { providerId: 'gone', model: 'm' } as unknown as ModelChoice);
  expect(loaded).toEqual([]);
  await providers.prepare(models, { providerId: 'p1', model: 'm' } as unknown as ModelChoice);
  expect(loaded).toEqual(['google']);
});
