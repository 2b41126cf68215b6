import { AppError } from '../../shared/errors.ts';
import { ModelProviderId, SecretId } from '../../shared/ids.ts';
import { Settings, type FileSettings, type ModelProvider, type SettingsPatch } from '../../shared/model/settings.ts';
import type { ProviderDraft } from '../../shared/ipc/contract/models.ts';
import { Secret } from '../kernel/secret.ts';
import { joinApproveTools } from '../policy/join-approve-tools.ts';
import type { Documents, Vault } from '../ports.ts';

const file = 'settings.json';

export interface SettingsStoreDeps {
  readonly documents: Documents;
  readonly vault: Vault;
  readonly newId: () => string;
  readonly onChange: (settings: Settings) => void;
}

/** What the person said here; what they did not say is as their files say, else the usual. */
type Said = Partial<Settings>;

/** What the person chose. Keys of model providers live in the vault; here stand their names. */
export class SettingsStore {
  readonly #deps: SettingsStoreDeps;
  #said: Said = {};
  #ofFiles: FileSettings = {};
  #current = Settings.parse({});

  constructor(deps: SettingsStoreDeps) {
    this.#deps = deps;
  }

  get current(): Settings {
    return this.#current;
  }

  /** What the person's files say now. It is not saved here. */
  hearFiles(said: FileSettings): void {
    if (JSON.stringify(said) === JSON.stringify(this.#ofFiles)) return;
    this.#ofFiles = said;
    this.#settle();
  }

  /** Throws `config/invalid` for a file that cannot be understood; the defaults hold then and the file is left alone. */
  async load(signal: AbortSignal): Promise<void> {
    const text = await this.#deps.documents.read(file, signal);
    if (text === undefined) return;
    this.#said = parse(text);
    this.#settle();
  }

  #settle(): void {
    // What is asked for before it runs is never taken back by one who says less.
    const approveTools = joinApproveTools(this.#ofFiles.approveTools, this.#said.approveTools);
    this.#current = Settings.parse({ ...defined(this.#ofFiles), ...this.#said, ...defined({ approveTools }) });
    this.#deps.onChange(this.#current);
  }

  /** `null` takes one out. */
  async update(patch: SettingsPatch, signal: AbortSignal): Promise<void> {
    const out = new Set<string>((['model', 'contentDays', 'authRequiredMessage', 'clientMetadataUrl'] as const).filter((name) => patch[name] === null));
    await this.#change((said) => Object.fromEntries(Object.entries({ ...said, ...defined(patch) }).filter(([name]) => !out.has(name))), signal);
  }

  async setProject(folder: string | undefined, signal: AbortSignal): Promise<void> {
    await this.#change(({ project: _old, ...rest }) => ({ ...rest, ...(folder === undefined ? {} : { project: folder }) }), signal);
  }

  /** A new key reaches the vault before the settings name it. */
  async saveProvider(draft: ProviderDraft, signal: AbortSignal): Promise<ModelProviderId> {
    if (draft.kind === 'openai-compatible' && draft.baseUrl === undefined) throw new AppError('request/invalid', 'An OpenAI-compatible provider needs its address', { data: { field: 'baseUrl' } });
    const id = draft.id ?? ModelProviderId.parse(`${draft.kind}-${this.#deps.newId().slice(0, 8).toLowerCase()}`);
    const old = this.#current.providers.find((provider) => provider.id === id);
    // A saved key goes only where the person entered it for: another address asks for the key again.
    if (draft.key === undefined && old?.keyRef !== undefined && old.baseUrl !== draft.baseUrl) throw new AppError('secret/missing', 'The address changed: enter the key again', { data: { field: 'key' } });
    const keyRef = draft.key === undefined ? old?.keyRef : SecretId.parse(`model.${id}.key`);
    if (draft.key !== undefined && keyRef !== undefined) await this.#deps.vault.put(keyRef, new Secret(draft.key), 'global', signal);
    const provider: ModelProvider = {
      id, kind: draft.kind, name: draft.name, models: draft.models,
      ...(draft.baseUrl === undefined ? {} : { baseUrl: draft.baseUrl }),
      ...(keyRef === undefined ? {} : { keyRef }),
    };
    await this.#change((said) => ({ ...said, providers: [...(said.providers ?? []).filter((other) => other.id !== id), provider] }), signal);
    return id;
  }

  async removeProvider(id: ModelProviderId, signal: AbortSignal): Promise<void> {
    const old = this.#current.providers.find((provider) => provider.id === id);
    await this.#change(({ model, providers = [], ...said }) => ({ ...said, providers: providers.filter((provider) => provider.id !== id), ...(model && model.providerId !== id ? { model } : {}) }), signal);
    if (old?.keyRef !== undefined) await this.#deps.vault.remove(old.keyRef, signal);
  }

  async #change(change: (said: Said) => Said, signal: AbortSignal): Promise<void> {
    await this.#deps.documents.update(
      file,
      (current) => {
        this.#said = saidIn(change(current === undefined ? this.#said : parse(current)));
        return `${JSON.stringify(this.#said, null, 2)}\n`;
      },
      signal,
    );
    this.#settle();
  }
}

function parse(text: string): Said {
  try {
    return saidIn(JSON.parse(text));
  } catch (cause) {
    throw new AppError('config/invalid', `${file} cannot be understood`, { data: { file }, cause });
  }
}
/** Checked, and no more than was said: the usual may be another in a later version. */
function saidIn(value: object): Said {
  const settings = Settings.parse(value);
  return Object.fromEntries(Object.entries(settings).filter(([name]) => Object.hasOwn(value, name)));
}
const defined = <T extends object>(patch: T) => Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
