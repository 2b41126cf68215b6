import { AppError } from '../../shared/errors.ts';
import type { ModelProviderId } from '../../shared/ids.ts';
import type { ModelChoice, ModelProvider } from '../../shared/model/settings.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Models, Vault } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';

export interface ProvidersDeps {
  readonly vault: Vault;
  readonly redactor: Redactor;
  /** Saved ones first, then those found on loopback. */
  readonly all: () => readonly ModelProvider[];
}

/** Model providers with their keys, for the moment of a request. */
export class Providers {
  readonly #deps: ProvidersDeps;

  constructor(deps: ProvidersDeps) {
    this.#deps = deps;
  }

  all(): readonly ModelProvider[] {
    return this.#deps.all();
  }

  /** Loads what a first answer of the chosen model needs, so that the person does not wait for it. */
  async prepare(models: Pick<Models, 'prepare'>, choice: ModelChoice | undefined): Promise<void> {
    const provider = this.#deps.all().find((candidate) => candidate.id === choice?.providerId);
    if (provider) await models.prepare(provider.kind);
  }

  /** Throws `model/not-chosen` when the provider is gone, `secret/missing` or `vault/*` when its key cannot be read. */
  async open(id: ModelProviderId, signal: AbortSignal): Promise<{ readonly provider: ModelProvider; readonly key: Secret | undefined }> {
    const provider = this.#deps.all().find((candidate) => candidate.id === id);
    if (!provider) throw new AppError('model/not-chosen', 'The model’s provider is no longer there');
    if (provider.keyRef === undefined) return { provider, key: undefined };
    const key = await this.#deps.vault.get(provider.keyRef, provider.id, signal);
    if (!key) throw new AppError('secret/missing', `The key of ${provider.name} is not in the vault`, { data: { provider: provider.id } });
    this.#deps.redactor.register(key);
    return { provider, key };
  }
}
