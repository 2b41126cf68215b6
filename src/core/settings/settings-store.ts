import { AppError } from '../../shared/errors.ts';
import { ModelProviderId, SecretId } from '../../shared/ids.ts';
import { Settings, type FileSettings, type ModelProvider, type SettingsPatch } from '../../shared/model/settings.ts';
import type { ProviderDraft } from '../../shared/ipc/contract/models.ts';
import { Secret } from '../kernel/secret.ts';
import type { Documents, Vault } from '../ports.ts';

const file = 'settings.json';

export interface SettingsStoreDeps {
  readonly documents: Documents;
  readonly vault: Vault;
  readonly newId: () => string;
  readonly onChange: (settings: Settings) => void;
}

/** What the person chose. Keys of model providers live in the vault; here stand their names. */
export class SettingsStore {
  readonly #deps: SettingsStoreDeps;
  #settings = Settings.parse({});
  #ofFiles: FileSettings = {};

  constructor(deps: SettingsStoreDeps) {
    this.#deps = deps;
  }

  /** With what the person's files say where the person said nothing here. */
  get current(): Settings {
    return { ...this.#ofFiles, ...this.#settings };
  }

  /** What the person's files say now. It is not saved here. */
  hearFiles(said: FileSettings): void {
    const same = said.autoAuth === this.#ofFiles.autoAuth && said.authRequiredMessage === this.#ofFiles.authRequiredMessage && said.elicitation === this.#ofFiles.elicitation;
    this.#ofFiles = said;
    if (!same) this.#deps.onChange(this.current);
  }

  /** Throws `config/invalid` for a file that cannot be understood; the defaults hold then and the file is left alone. */
  async load(signal: AbortSignal): Promise<void> {
    const text = await this.#deps.documents.read(file, signal);
    if (text === undefined) return;
    this.#settings = parse(text);
    this.#deps.onChange(this.current);
  }

  /** `null` takes one out. */
  async update(patch: SettingsPatch, signal: AbortSignal): Promise<void> {
    const out = new Set<string>((['model', 'contentDays', 'authRequiredMessage', 'clientMetadataUrl'] as const).filter((name) => patch[name] === null));
    await this.#change((settings) => Object.fromEntries(Object.entries({ ...settings, ...defined(patch) }).filter(([name]) => !out.has(name))), signal);
  }

  async setProject(folder: string | undefined, signal: AbortSignal): Promise<void> {
    await this.#change(({ project: _old, ...rest }) => ({ ...rest, ...(folder === undefined ? {} : { project: folder }) }), signal);
  }

  /** A new key reaches the vault before the settings name it. */
  async saveProvider(draft: ProviderDraft, signal: AbortSignal): Promise<ModelProviderId> {
    if (draft.kind === 'openai-compatible' && draft.baseUrl === undefined) throw new AppError('request/invalid', 'An OpenAI-compatible provider needs its address', { data: { field: 'baseUrl' } });
    const id = draft.id ?? ModelProviderId.parse(`${draft.kind}-${this.#deps.newId().slice(0, 8).toLowerCase()}`);
    const old = this.#settings.providers.find((provider) => provider.id === id);
    // A saved key goes only where the person entered it for: another address asks for the key again.
    if (draft.key === undefined && old?.keyRef !== undefined && old.baseUrl !== draft.baseUrl) throw new AppError('secret/missing', 'The address changed: enter the key again', { data: { field: 'key' } });
    const keyRef = draft.key === undefined ? old?.keyRef : SecretId.parse(`model.${id}.key`);
    if (draft.key !== undefined && keyRef !== undefined) await this.#deps.vault.put(keyRef, new Secret(draft.key), 'global', signal);
    const provider: ModelProvider = {
      id, kind: draft.kind, name: draft.name, models: draft.models,
      ...(draft.baseUrl === undefined ? {} : { baseUrl: draft.baseUrl }),
      ...(keyRef === undefined ? {} : { keyRef }),
    };
    await this.#change((settings) => ({ ...settings, providers: [...settings.providers.filter((other) => other.id !== id), provider] }), signal);
    return id;
  }

  async removeProvider(id: ModelProviderId, signal: AbortSignal): Promise<void> {
    const old = this.#settings.providers.find((provider) => provider.id === id);
    await this.#change(({ model, ...settings }) => ({ ...settings, providers: settings.providers.filter((provider) => provider.id !== id), ...(model && model.providerId !== id ? { model } : {}) }), signal);
    if (old?.keyRef !== undefined) await this.#deps.vault.remove(old.keyRef, signal);
  }

  async #change(change: (settings: Settings) => object, signal: AbortSignal): Promise<void> {
    await this.#deps.documents.update(
      file,
      (current) => {
        this.#settings = Settings.parse(change(current === undefined ? this.#settings : parse(current)));
        return `${JSON.stringify(this.#settings, null, 2)}\n`;
      },
      signal,
    );
    this.#deps.onChange(this.current);
  }
}

function parse(text: string): Settings {
  try {
    return Settings.parse(JSON.parse(text));
  } catch (cause) {
    throw new AppError('config/invalid', `${file} cannot be understood`, { data: { file }, cause });
  }
}
const defined = <T extends object>(patch: T) => Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
