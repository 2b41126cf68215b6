import { describe, expect, it } from 'vitest';
import { ModelProviderId, SecretId } from '../../../shared/ids.ts';
import { ProviderDraft } from '../../../shared/ipc/contract/models.ts';
import type { ModelProvider } from '../../../shared/model/settings.ts';
import { checkProvider, formFor } from './provider-draft.ts';

const saved: ModelProvider = {
  id: ModelProviderId.parse('anthropic-1'),
  kind: 'anthropic',
  name: 'Work',
  keyRef: SecretId.parse('model.anthropic-1.key'),
  models: ['a', 'b'],
};

describe('the form of a provider', () => {
  it('wants a key from a provider that needs one, and keeps a saved one without showing it', () => {
    expect(checkProvider(formFor('anthropic', undefined), 'anthropic', undefined)).toEqual({
      ok: false,
      problems: { key: 'Enter its key.' },
    });
    expect(formFor('anthropic', saved).key).toBe('');
    expect(checkProvider(formFor('anthropic', saved), 'anthropic', saved)).toEqual({
      ok: true,
      draft: { id: saved.id, kind: 'anthropic', name: 'Work', models: ['a', 'b'] },
    });
  });

  it('asks for the key again when the address changes', () => {
    const moved = { ...formFor('anthropic', saved), baseUrl: 'https://proxy.example.com' };
    expect(checkProvider(moved, 'anthropic', saved)).toMatchObject({ problems: { key: 'The address changed: enter the key again.' } });
    expect(checkProvider({ ...moved, key: 'new' }, 'anthropic', saved)).toMatchObject({
      ok: true,
      draft: { key: 'new', baseUrl: 'https://proxy.example.com' },
    });
  });

  it('wants the address of an OpenAI-compatible provider, and no key', () => {
    const form = { ...formFor('openai-compatible', undefined), name: 'Mine' };
    expect(checkProvider(form, 'openai-compatible', undefined)).toEqual({ ok: false, problems: { baseUrl: 'What is its address?' } });
    expect(checkProvider({ ...form, baseUrl: 'localhost:8000' }, 'openai-compatible', undefined)).toMatchObject({
      problems: { baseUrl: 'Begin it with https:// or http://.' },
    });
    const checked = checkProvider(
      { ...form, baseUrl: 'http://localhost:8000/v1', models: ' m1 \n\nm1\nm2' },
      'openai-compatible',
      undefined,
    );
    expect(checked.ok && ProviderDraft.parse(checked.draft)).toEqual({
      kind: 'openai-compatible',
      name: 'Mine',
      baseUrl: 'http://localhost:8000/v1',
      models: ['m1', 'm2'],
    });
  });
});
