import * as z from 'zod';
import { ModelProviderId } from '../../ids.ts';
import { HttpUrl } from '../../model/server-definition.ts';
import { ProviderKind } from '../../model/settings.ts';
import { request } from '../define.ts';

export const ProviderDraft = z.strictObject({
  id: ModelProviderId.optional(),
  kind: ProviderKind,
  name: z.string().trim().min(1).max(100),
  baseUrl: HttpUrl.optional(),
  /** A new key for the vault; absent keeps the saved one. */
  key: z.string().min(1).max(10_000).optional(),
  models: z.array(z.string().trim().min(1).max(200)).max(500).default([]),
});
export type ProviderDraft = z.infer<typeof ProviderDraft>;

export const models = {
  'models.save-provider': request<{ readonly providerId: ModelProviderId }>()(ProviderDraft),
  'models.remove-provider': request<void>()(z.strictObject({ providerId: ModelProviderId })),
  /** Asks the provider which models it has: also the test of address and key. Sorted by name. */
  'models.list': request<readonly string[]>()(z.strictObject({ providerId: ModelProviderId })),
  /** Looks for Ollama, LM Studio and llama.cpp on loopback; what it finds enters the state. */
  'models.detect': request<void>()(z.void()),
};
