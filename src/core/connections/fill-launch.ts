import { AppError } from '../../shared/errors.ts';
import type { SecretId } from '../../shared/ids.ts';
import { looksSecret } from '../../shared/text/looks-secret.ts';
import { Secret } from '../kernel/secret.ts';
import type { Host } from '../ports.ts';
import type { Redactor } from '../secrets/redactor.ts';
import { idOf, type SecretReader, type SecretWant } from '../secrets/secret-desk.ts';
import { allPieces, fillText, type FactName, type FilledText, type Lookups } from '../secrets/variables.ts';
import { inputWant, isOpen, secretWant, type PlannedText } from './launch-plan.ts';
import type { LaunchProgress } from './session.ts';

export type Filled = string | Secret;
export interface LaunchFillerDeps {
  readonly server: string;
  /** What `${workspaceFolder}` means. */
  readonly project: string | undefined;
  /** What `${VAR}` means. */
  readonly variables: Readonly<Record<string, string>>;
  readonly host: Pick<Host, 'platform' | 'homeFolder'>;
  readonly redactor: Redactor;
  readonly progress: LaunchProgress;
}

/** The texts of one launch, filled in. Whatever is secret is known to the redactor before it is handed on. */
export class LaunchFiller {
  readonly #deps: LaunchFillerDeps;
  #read: ((want: SecretWant) => Secret | undefined) | undefined;

  constructor(deps: LaunchFillerDeps) {
    this.#deps = deps;
  }

  get server(): string {
    return this.#deps.server;
  }

  /** From now on there are secrets. */
  use(reader: SecretReader, values: ReadonlyMap<SecretId, Secret>): void {
    this.#read = (want) => values.get(idOf(reader, want));
  }

  /** What can be said without secrets: throws `variable/missing` and `project/needed`. */
  check(text: PlannedText): void {
    if (text.value.kind !== 'template') return;
    const { missing, text: filled } = fillText(text.value.pieces, this.#lookups(text));
    if (missing.includes('workspaceFolder') || missing.includes('workspaceFolderBasename')) {
      throw new AppError('project/needed', `${text.path} of “${this.server}” names the project’s folder, and none is open`, { data: { server: this.server, field: text.path } });
    }
    const names = missing.filter((name) => !name.includes(':'));
    if (text.needed && names.length > 0) throw this.#unset(text, names);
    const ofTheVault = allPieces(text.value.pieces).some(({ kind }) => kind === 'secret' || kind === 'input');
    if (text.credential && !ofTheVault && isEmptyCredential(filled)) throw this.#unset(text, names);
  }

  /** Without what the vault holds: for the path of a file. */
  open(text: PlannedText): string {
    return text.value.kind === 'template' ? fillText(text.value.pieces, this.#lookups(text)).text : '';
  }

  /** Throws `secret/command-failed` that names the field, and `variable/missing` for a credential that came out empty. */
  async fill(text: PlannedText, run: (command: string) => Promise<Secret>): Promise<Filled> {
    const value = await this.#value(text, run);
    if (text.credential && isEmptyCredential(typeof value === 'string' ? value : value.reveal())) {
      const names = text.value.kind === 'template' ? fillText(text.value.pieces, this.#lookups(text)).missing : [];
      throw this.#unset(text, names);
    }
    return value;
  }

  /** A value that its name says to be secret. */
  guarded(name: string, value: string): Filled {
    return looksSecret(name) && isTelling(value) ? this.#masked(value) : value;
  }

  async #value(text: PlannedText, run: (command: string) => Promise<Secret>): Promise<Filled> {
    const { value, path } = text;
    switch (value.kind) {
      case 'plain':
        return text.secret && isTelling(value.text) ? this.#masked(value.text) : value.text;
      case 'reference': {
        const secret = this.#read?.(value.want);
        if (!secret) throw new AppError('secret/missing', `${path} of “${this.server}” names a secret without a value`, { data: { server: this.server, field: path, secretRef: value.want.key, scope: value.want.scope } });
        return secret;
      }
      case 'command': {
        const secret = await this.#run(value.command, path, run);
        this.#deps.redactor.register(secret);
        return secret;
      }
      case 'template': {
        const filled = fillText(value.pieces, this.#lookups(text));
        this.#warn(text, filled);
        for (const part of filled.secret) if (isTelling(part)) this.#deps.redactor.register(new Secret(part));
        if (text.secret && isTelling(filled.text)) return this.#masked(filled.text);
        return filled.secret.length > 0 ? new Secret(filled.text) : filled.text;
      }
    }
  }

  #masked(value: string): Secret {
    const secret = new Secret(value);
    this.#deps.redactor.register(secret);
    return secret;
  }

  async #run(command: string, path: string, run: (command: string) => Promise<Secret>): Promise<Secret> {
    try {
      return await run(command);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'secret/command-failed') throw error;
      const data = typeof error.data === 'object' ? error.data : {};
      throw new AppError(error.code, `${path} of “${this.server}”: ${error.message}`, { data: { ...data, server: this.server, field: path }, cause: error });
    }
  }

  #warn({ path }: PlannedText, { missing, text }: FilledText): void {
    if (missing.length === 0) return;
    this.#deps.progress.warn(`${listed(missing)} not set: ${path} is ${text === '' ? 'empty' : 'sent without it'}`);
  }

  #unset({ path }: PlannedText, names: readonly string[]): AppError {
    const [name] = names;
    const why = name === undefined ? `${path} is empty` : `${listed(names)} not set`;
    return new AppError('variable/missing', `${why} (${path} of “${this.server}”)`, { data: { server: this.server, field: path, names: [...names] } });
  }

  #lookups(text: PlannedText): Lookups {
    return {
      variable: (name) => this.#variable(name),
      fact: (name) => this.#fact(name),
      secret: (key) => this.#read?.(secretWant(text, { kind: 'secret', written: '', key })),
      input: (id) => {
        const value = this.#read?.(inputWant(text, id));
        if (value === undefined) return text.inputs.declared.find((declared) => declared.id === id)?.default;
        return isOpen(text.inputs, id) ? value.reveal() : value;
      },
    };
  }

  /** On Windows a name is the same in any case. */
  #variable(name: string): string | undefined {
    const { variables, host } = this.#deps;
    if (Object.hasOwn(variables, name)) return variables[name];
    if (host.platform !== 'win32') return undefined;
    const key = Object.keys(variables).find((candidate) => candidate.toUpperCase() === name.toUpperCase());
    return key === undefined ? undefined : variables[key];
  }

  #fact(name: FactName): string | undefined {
    const { project, host } = this.#deps;
    switch (name) {
      case 'workspaceFolder':
        return project;
      case 'workspaceFolderBasename':
        return project?.split(/[\\/]+/).findLast((part) => part !== '');
      case 'userHome':
        return host.homeFolder;
      case 'pathSeparator':
        return host.platform === 'win32' ? '\\' : '/';
    }
  }
}

const listed = (names: readonly string[]): string => `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;

/** Nothing, or a scheme with nothing behind it. */
const isEmptyCredential = (value: string): boolean => /^\s*(?:(?:Bearer|Basic|Token|Bot|ApiKey|DPoP)\s*)?$/i.test(value);

/** Words of switches give nothing away, and masked everywhere they would spoil every text. */
export const isTelling = (value: string): boolean =>
  value.trim().length > 2 && !/^(true|false|yes|no|on|off|none|null|undefined|basic|bearer|oauth2?|required|optional|enabled|disabled|\d{1,3})$/i.test(value.trim());
