import { join } from 'node:path';
import type { SignInCredentials, SignInTarget } from '../../src/core/auth/sign-in-target.ts';
import { resolveLaunch } from '../../src/core/connections/resolve-launch.ts';
import type { ReadyLaunch } from '../../src/core/connections/session.ts';
import { signInTarget } from '../../src/core/connections/sign-in-target.ts';
import type { RawField, RawFields, RawInput, RawOAuth } from '../../src/core/formats/raw-entry.ts';
import { Secret } from '../../src/core/kernel/secret.ts';
import { definitionOf } from '../../src/core/servers/definition-of.ts';
import type { LaunchMaterial } from '../../src/core/servers/launch-material.ts';
import { createConfigFiles } from '../../src/node/files/config-files.ts';
import { createHost } from '../../src/node/host/host.ts';
import { createSecretCommands } from '../../src/node/secrets/secret-commands.ts';
import { SecretKey } from '../../src/shared/model/config-value.ts';
import type { ServerOwner } from '../../src/shared/model/server-definition.ts';
import type { SourceKind, SourceRef } from '../../src/shared/model/source.ts';
import { SecretParts } from './secret-parts.ts';
import { tempFolder } from './temp-folder.ts';

const never = new AbortController().signal;
export const ref = (key: string, scope: 'global' | 'project' = 'global') => ({ secretRef: SecretKey.parse(key), scope });

export interface Given {
  readonly env?: Readonly<Record<string, string>>;
  /** The open project. */
  readonly project?: string;
  readonly owner?: ServerOwner;
  /** Of every field. */
  readonly kind?: SourceKind;
  readonly inputs?: readonly RawInput[];
  readonly enabled?: boolean;
  readonly platform?: 'linux' | 'win32';
}

/** Launches of one server, and sign-ins to it, on the real machine, with a home of the test's own. */
export class LaunchBench {
  readonly home = tempFolder();
  readonly warnings: string[] = [];
  readonly parts: SecretParts;
  byPerson = false;
  /** `false`: it was taken out of the list meanwhile. */
  inUse = true;
  /** Of the last launch of a server that may be signed in to. */
  signIn: SignInTarget | undefined;

  private constructor(parts: SecretParts) {
    this.parts = parts;
  }

  static async open(interaction: 'person' | 'none' = 'person'): Promise<LaunchBench> {
    return new LaunchBench(await SecretParts.open(interaction));
  }

  async resolve(fields: RawFields, given: Given = {}, signal = never): Promise<ReadyLaunch> {
    const { definition, deps } = this.#of(fields, given);
    return await resolveLaunch(definition, deps, { byPerson: this.byPerson, asking: () => undefined, warn: (text) => this.warnings.push(text) }, signal);
  }

  async stdio(fields: RawFields, given: Given = {}) {
    const ready = await this.resolve({ command: 'run', ...fields }, given);
    if (ready.type !== 'stdio') throw new Error(ready.type);
    return { ...ready.launch, env: opened(ready.launch.env) };
  }

  async http(fields: RawFields, given: Given = {}) {
    const ready = await this.resolve({ url: 'https://api.example.com/mcp', ...fields }, given);
    if (ready.type !== 'streamable-http' && ready.type !== 'sse') throw new Error(ready.type);
    return { url: ready.url instanceof Secret ? ready.url.reveal() : ready.url, headers: opened(ready.headers) };
  }

  async signInTo(fields: RawFields, given: Given = {}) {
    const { definition, deps } = this.#of(fields, given);
    return await signInTarget(definition, deps, never);
  }

  /** Of a server that can be signed in to. */
  async target(oauth: RawOAuth, given?: Given, url = 'https://api.example.com/mcp'): Promise<SignInTarget> {
    const target = await this.signInTo({ url, oauth }, given);
    if ('refused' in target) throw new Error(target.refused);
    return target;
  }

  /** What signing in would read, in the open. */
  async credentials(oauth: RawOAuth, given?: Given) {
    return credentialsOf(await (await this.target(oauth, given)).credentials(never));
  }

  #of(fields: RawFields, given: Given) {
    const { env = {}, owner = 'global', kind = owner === 'project' ? 'project' : 'home', project, platform = 'linux' } = given;
    const personEnvironment = async () => ({ PATH: process.env['PATH'] ?? '', SHELL: '/bin/sh', ...env });
    const host = { ...createHost({ env: { HOME: this.home }, platform: 'linux', gatehouseHome: this.home, personEnvironment, log: { warn: () => undefined } }), platform };
    const source: SourceRef = { id: kind, kind, label: kind, scope: owner === 'project' ? 'project' : 'global' };
    const origins = Object.fromEntries(Object.keys(fields).map((field) => [field, source])) as Partial<Record<RawField, SourceRef>>; // the keys of RawFields
    this.parts.project = project;
    const material: LaunchMaterial = {
      fields, owner, origins,
      ...(owner === 'project' && project !== undefined ? { project, digest: 'd1' } : {}),
      ...(given.inputs === undefined ? {} : { inputs: { [kind]: given.inputs } }),
    };
    return {
      definition: definitionOf('docs', owner, owner === 'project' ? (project ?? '') : 'global', given.enabled ?? true, fields),
      deps: {
        builtInServers: { launch: () => ({ command: 'own', args: [], env: {}, ownRuntime: true as const }) },
        host, redactor: this.parts.redactor, secrets: this.parts.desk, project: () => project,
        configFiles: createConfigFiles({ backups: join(this.home, 'backups'), mask: (text) => text, onProblem: () => undefined }),
        secretCommands: createSecretCommands({ platform: 'linux', personEnvironment, homeFolder: this.home }),
        httpAuth: (target: SignInTarget) => void (this.signIn = target),
        material: () => (this.inUse ? material : undefined),
      },
    };
  }
}

export const opened = (values: Readonly<Record<string, string | Secret>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value]));
export function credentialsOf({ crossApp, ...credentials }: SignInCredentials) {
  return { ...opened(credentials), ...(crossApp ? { crossApp: opened(crossApp) } : {}) };
}
