import { AppError } from '../../shared/errors.ts';
import { ModelProviderId, SecretId } from '../../shared/ids.ts';
import { Settings, type FileSetting, type FileSettings, type ModelProvider, type SettingOrigins, type SettingsPatch } from '../../shared/model/settings.ts';
import type { ProviderDraft } from '../../shared/ipc/contract/models.ts';
import { Secret } from '../kernel/secret.ts';
import { joinApproveTools } from '../policy/join-approve-tools.ts';
import type { Documents, Vault } from '../ports.ts';

const file = 'settings.json';

export interface SettingsStoreDeps {
  readonly documents: Documents;
  readonly vault: Vault;
  readonly newId: () => string;
  readonly onChange: (settings: Settings, origins: SettingOrigins) => void;
}

/** What the person's own files say of settings, and for each that they say, the file with the last word. */
export interface SettingsOfFiles {
  readonly said: FileSettings;
  readonly files: Readonly<Partial<Record<FileSetting, string>>>;
}

/** What the person said here; what they did not say is as their files say, else the usual. */
type Said = Partial<Settings>;

/** What the person chose. Keys of model providers live in the vault; here stand their names. */
export class SettingsStore {
  readonly #deps: SettingsStoreDeps;
  #said: Said = {};
  #ofFiles: SettingsOfFiles = { said: {}, files: {} };
  #current = Settings.parse({});

  constructor(deps: SettingsStoreDeps) {
    this.#deps = deps;
  }

  get current(): Settings {
    return this.#current;
  }

  /** What the person's files say now. It is not saved here. */
  hearFiles(ofFiles: SettingsOfFiles): void {
    if (JSON.stringify(ofFiles) === JSON.stringify(this.#ofFiles)) return;
    this.#ofFiles = ofFiles;
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
    const { said, files } = this.#ofFiles;
    const approveTools = joinApproveTools(said.approveTools, this.#said.approveTools);
    this.#current = Settings.parse({ ...defined(said), ...this.#said, ...defined({ approveTools }) });
    const origins = Object.entries(files).map(([name, file]) => [name, { file, says: said[name as FileSetting], chosenHere: Object.hasOwn(this.#said, name) }]); // its keys are those
    this.#deps.onChange(this.#current, Object.fromEntries(origins) as SettingOrigins);
  }

  /** `null` takes one out, but for a script's time, of which it is a value. */
  async update(patch: SettingsPatch, signal: AbortSignal): Promise<void> {
    const out = new Set(Object.entries(patch).flatMap(([name, value]) => (value === null && name !== 'scriptTimeoutMs' ? [name] : [])));
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
