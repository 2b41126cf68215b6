import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { ConfigScope } from '../../shared/model/config-value.ts';
import type { TrustStatus } from '../../shared/model/project-trust.ts';
import type { FileRunLayers } from '../../shared/model/run-layer.ts';
import type { ServerDefinition, ServerDraft } from '../../shared/model/server-definition.ts';
import type { ConfigIssue, Provenance } from '../../shared/model/source.ts';
import type { SavePreview, ScopeView, ServerEdit, ValidationReport } from '../../shared/ipc/contract/config.ts';
import { editSource } from '../formats/edit-source.ts';
import { hashOf } from '../kernel/hash.ts';
import { Lanes } from '../kernel/lanes.ts';
import type { ConfigFiles } from '../ports.ts';
import { ConfigSources, runLayersOf, type ConfigSourcesDeps, type ReadSource } from './config-sources.ts';
import { definitionOf } from './definition-of.ts';
import type { DraftedSecret } from './draft-fields.ts';
import { maskedDiff } from './masked-diff.ts';
import { prepareEdits, refuseChanged, type EditContext } from './prepare-edits.ts';
import type { LaunchMaterial } from './launch-material.ts';
import { mergeLayers, type Merged } from './merge.ts';
import { scopeView } from './scope-view.ts';
import { issuesOf } from './source-views.ts';
import { digestOf, type TrustStore } from './trust-store.ts';

export interface ServerChange {
  readonly definition: ServerDefinition;
  readonly provenance: Provenance;
  readonly pending: boolean;
  /** What it would be launched with is another, even where the definition shows no difference (a value). */
  readonly relaunch: boolean;
}
export interface ServerStoreDeps extends ConfigSourcesDeps {
  readonly configFiles: ConfigFiles;
  readonly trust: TrustStore;
  readonly project: () => string | undefined;
  /** Around each reading of the sources: what whoever watches them is to compare with. */
  readonly reading: <T>(read: () => Promise<T>) => Promise<T>;
  /** Other files of the project that its trust is about: they too say what would run. */
  readonly alsoOfProject: (project: string, signal: AbortSignal) => Promise<readonly ReadSource[]>;
  /** Something runs that must not see its servers change under it (U-59). */
  readonly running: () => boolean;
  /** Before a file names them. Throws `vault/*`, `secret/exists`. */
  readonly storeSecrets: (secrets: readonly DraftedSecret[], scope: ConfigScope, signal: AbortSignal) => Promise<void>;
  readonly onChange: (change: { readonly put: readonly ServerChange[]; readonly removed: readonly ServerId[] }) => void;
  /** The app's own write made the trusted content another: what was granted at the old one goes on. */
  /** By a person's edit a server has another id, or is in no list any more. */
  readonly onMoved: (from: ServerId, to: ServerId | undefined, signal: AbortSignal) => Promise<void>;
  readonly onTrustRenewed: (from: string, to: string, signal: AbortSignal) => Promise<void>;
  readonly onProblems: (problems: readonly ConfigIssue[]) => void;
  readonly onTrust: (trust: TrustStatus) => void;
  /** Any file was read anew and said something else. */
  readonly onRead: () => void;
}
interface Known {
  readonly definition: ServerDefinition;
  readonly provenance: Provenance;
  readonly material: LaunchMaterial;
  /** Of everything that is launched with, values included. Stays here. */
  readonly mark: string;
}

/** The servers that a person has, from every source, and the only way to change the two files that the app owns. */
export class ServerStore {
  readonly #deps: ServerStoreDeps;
  readonly #sources: ConfigSources;
  readonly #lane = new Lanes<'files'>();
  #read: readonly ReadSource[] = [];
  #also: readonly ReadSource[] = [];
  #merged: Merged = { servers: [], orphans: [], on: true };
  #wanted: ReadonlyMap<ServerId, Known> = new Map();
  #applied: ReadonlyMap<ServerId, Known> = new Map();
  #pending: ReadonlySet<ServerId> = new Set();
  #seen = '';
  #runLayers: FileRunLayers = {};

  constructor(deps: ServerStoreDeps) {
    this.#deps = deps;
    this.#sources = new ConfigSources(deps);
  }

  get(id: ServerId): ServerDefinition | undefined {
    return this.#applied.get(id)?.definition;
  }
  all(): readonly ServerDefinition[] {
    return [...this.#applied.values()].map(({ definition }) => definition);
  }
  provenanceOf(id: ServerId): Provenance | undefined {
    return this.#applied.get(id)?.provenance;
  }
  launchOf(id: ServerId): LaunchMaterial | undefined {
    return this.#applied.get(id)?.material;
  }
  /** Sources as last read, lowest first, and what came of them. */
  get current(): { readonly read: readonly ReadSource[]; readonly merged: Merged } {
    return { read: this.#read, merged: this.#merged };
  }
  /** What `config.toml` of the home, and of the trusted project, says of runs now (H-13). */
  runLayers(): FileRunLayers {
    return this.#runLayers;
  }
  /** At what content the open project is trusted; its profiles are part of it. */
  projectDigest(): string | undefined {
    const project = this.#deps.project();
    return project === undefined ? undefined : digestOf(project, this.#ofProject());
  }
  watched(): readonly string[] {
    return this.#sources.watched(this.#deps.project());
  }
  ownedFile(scope: ConfigScope): string {
    const path = this.#sources.ownedFile(scope, this.#deps.project())?.path;
    if (path === undefined) throw new AppError('project/needed', 'Open a project first');
    return path;
  }

  /** Its files count: it is trusted at their content, or has none. Without a project too. */
  get projectIsTrusted(): boolean {
    const { phase } = this.#deps.trust.status(this.#deps.project(), this.#ofProject());
    return phase === 'trusted' || phase === 'not-needed';
  }

  /** Reads everything again. What cannot be read is a problem that is shown, and hides nothing else. */
  load(signal: AbortSignal): Promise<void> {
    return this.#lane.run('files', () => this.#load(signal));
  }

  async #load(signal: AbortSignal): Promise<void> {
    const project = this.#deps.project();
    const { trust } = this.#deps;
    this.#also = project === undefined ? [] : await this.#deps.alsoOfProject(project, signal);
    this.#read = await this.#deps.reading(() => this.#sources.read(project, (files) => project === undefined || trust.trusts(project, [...files, ...this.#also]), signal));
    this.#deps.onTrust(trust.status(project, this.#ofProject()));
    const layers = this.#read.filter(({ status }) => status === 'read');
    this.#merged = mergeLayers(layers, project !== undefined);
    this.#runLayers = runLayersOf(this.#read);
    this.#deps.onProblems(issuesOf(this.#read, this.#merged));
    const digest = project === undefined ? undefined : digestOf(project, this.#ofProject());
    const inputs = Object.fromEntries(layers.flatMap(({ source, parsed }) => (parsed.inputs.length > 0 ? [[source.id, parsed.inputs] as const] : [])));
    this.#wanted = new Map(
      this.#merged.servers.map((server) => {
        const ownerKey = server.owner === 'project' ? (project ?? '') : server.owner;
        const definition = definitionOf(server.name, server.owner, ownerKey, server.enabled, server.fields);
        const material: LaunchMaterial = {
          fields: server.fields, owner: server.owner, origins: server.origins, inputs,
          ...(server.owner === 'project' && project !== undefined ? { project } : {}),
          ...(server.owner === 'project' && digest !== undefined ? { digest } : {}),
        };
        return [definition.id, { definition, provenance: server.provenance, material, mark: hashOf(server.fields) }] as const;
      }),
    );
    const seen = hashOf(this.#read.map(({ source, status, digest: text }) => [source.id, status, text]));
    if (seen !== this.#seen) this.#deps.onRead();
    this.#seen = seen;
    this.#publish(false);
  }

  /** What was changed while something ran holds from now on. */
  applyPending(): void {
    if (this.#pending.size > 0) this.#publish(true);
  }

  #publish(everything: boolean): void {
    const held = !everything && this.#deps.running();
    const next = new Map<ServerId, Known>();
    const pending = new Set<ServerId>();
    const put: ServerChange[] = [];
    for (const [id, wanted] of this.#wanted) {
      const old = this.#applied.get(id);
      const waits = held && old !== undefined && !sameLaunch(old, wanted) && !(old.definition.enabled && !wanted.definition.enabled);
      const now = waits ? old : wanted;
      if (waits) pending.add(id);
      next.set(id, now);
      if (!old || !sameKnown(old, now) || waits !== this.#pending.has(id)) {
        put.push({ definition: now.definition, provenance: now.provenance, pending: waits, relaunch: old !== undefined && old.mark !== now.mark });
      }
    }
    const removed = [...this.#applied.keys()].filter((id) => !next.has(id));
    this.#applied = next;
    this.#pending = pending;
    if (put.length > 0 || removed.length > 0) this.#deps.onChange({ put, removed });
  }

  // — changing the files that the app owns —

  /** All edits or none (U-59). Throws `server/exists`, `config/changed`, `config/invalid`, `project/needed`, `trust/needed`, `vault/*`, `request/invalid`. */
  save(scope: ConfigScope, edits: readonly ServerEdit[], signal: AbortSignal): Promise<void> {
    return this.#lane.run('files', async () => {
      const context = await this.#editContext(scope, signal);
      const moving = edits.flatMap((edit): readonly { readonly from: ServerId | undefined; readonly name: string | undefined }[] => {
        if (edit.op === 'remove') return [{ from: this.#named(edit.name)?.id, name: undefined }];
        return edit.op === 'put' && edit.previousName !== undefined && edit.previousName !== edit.draft.name ? [{ from: this.#named(edit.previousName)?.id, name: edit.draft.name }] : [];
      });
      const prepared = prepareEdits(edits, context);
      await this.#deps.storeSecrets(prepared.secrets, scope, signal);
      await this.#write(context, (current) => {
        refuseChanged(edits, current);
        return editSource(current, prepared.edits);
      }, signal);
      for (const { from, name } of moving) {
        const to = name === undefined ? undefined : this.#named(name)?.id;
        if (from !== undefined && (name === undefined || to !== undefined)) await this.#deps.onMoved(from, to, signal);
      }
    });
  }

  /** Any other change to an owned file: references that are renamed, `imports`, settings. */
  rewrite(scope: ConfigScope, edit: (current: string | undefined) => string, signal: AbortSignal): Promise<void> {
    return this.#lane.run('files', async () => this.#write(await this.#editContext(scope, signal), edit, signal));
  }

  /** Another file of the project that its trust is about. Throws `project/needed`, `trust/needed`. */
  writeToProject(path: string, write: () => Promise<void>, signal: AbortSignal): Promise<void> {
    return this.#lane.run('files', async () => {
      await this.#editContext('project', signal);
      await this.#renewing(path, async () => (await write(), true), signal);
    });
  }

  /** The project's `.mcp.json`, which others who work on it share. The app makes it, and edits only its own beside it. Throws `project/needed`. */
  projectFile(): string {
    const path = this.#read.find(({ source }) => source.kind === 'project-mcp')?.source.path;
    if (path === undefined) throw new AppError('project/needed', 'Open a project first');
    return path;
  }
  /** Never over one that is there: `storage/failed` with `reason: 'exists'`. */
  async makeProjectFile(text: string, signal: AbortSignal): Promise<void> {
    const path = this.projectFile();
    const make = (current: string | undefined): string => {
      if (current !== undefined) throw new AppError('storage/failed', 'The project has a .mcp.json already', { data: { reason: 'exists', path } });
      return text;
    };
    await this.writeToProject(path, () => this.#deps.configFiles.update(path, make, signal), signal);
  }

  async #write({ path, scope }: EditContext, edit: (current: string | undefined) => string, signal: AbortSignal): Promise<void> {
    if (scope === 'global') {
      await this.#deps.configFiles.update(path, edit, signal);
      return this.#load(signal);
    }
    const known = this.#read.find(({ source }) => source.path === path)?.digest;
    return this.#renewing(path, async () => {
      let asKnown = true;
      await this.#deps.configFiles.update(path, (current) => {
        asKnown = (current === undefined ? 'absent' : hashOf(current)) === known;
        return edit(current);
      }, signal);
      return asKnown;
    }, signal);
  }

  /**
   * The app's own writes renew the trust that stood before them (decisions, section 2). What somebody else wrote meanwhile, into this file or another of the project, was
   * shown to nobody: then the trust ends, and the person is asked. `write` says whether the file was as it was known.
   */
  async #renewing(path: string, write: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
    const project = this.#deps.project();
    const before = this.#ofProject();
    const asKnown = await write();
    if (project !== undefined && asKnown) {
      this.#read = await this.#sources.read(project, () => true, signal);
      this.#also = await this.#deps.alsoOfProject(project, signal);
      const files = this.#ofProject();
      if (files.length > 0 && sameFiles(others(before, path), others(files, path))) {
        const [from, to] = [digestOf(project, before), digestOf(project, files)];
        await this.#deps.trust.trust(project, to, files, signal);
        await this.#deps.onTrustRenewed(from, to, signal);
      }
    }
    await this.#load(signal);
  }

  async preview(scope: ConfigScope, edits: readonly ServerEdit[], signal: AbortSignal): Promise<SavePreview> {
    const context = await this.#editContext(scope, signal);
    const before = await this.#deps.configFiles.read(context.path, signal);
    refuseChanged(edits, before);
    const after = editSource(before, prepareEdits(edits, context).edits);
    return { diff: maskedDiff(context.path, before, after), file: context.path, issues: [] };
  }

  /** For a server that is in the list: writes to the file of its own scope. Answers the id, which is another one when the name changed. */
  async update(id: ServerId, draft: ServerDraft, signal: AbortSignal): Promise<ServerId> {
    const { definition } = this.#find(id);
    if (definition.owner === 'built-in') throw new AppError('server/read-only', `“${definition.name}” comes with Gatehouse; it can only be switched on and off`);
    const scope = definition.owner;
    await this.save(scope, [{ op: 'put', draft, previousName: definition.name }], signal);
    return this.idOf(draft.name, scope);
  }
  async remove(id: ServerId, signal: AbortSignal): Promise<void> {
    const { definition } = this.#find(id);
    if (definition.owner === 'built-in') throw new AppError('server/read-only', `“${definition.name}” comes with Gatehouse; it can only be switched on and off`);
    await this.save(definition.owner, [{ op: 'remove', name: definition.name }], signal);
  }
  /** Where it was switched off, or where it is defined: a foreign file is never written, an owned one above it speaks instead (F-16). */
  async setEnabled(id: ServerId, enabled: boolean, signal: AbortSignal): Promise<void> {
    const { definition, provenance } = this.#find(id);
    const by = this.#read.find(({ source }) => source.id === provenance.disabledBy)?.source.scope;
    const scope = enabled && by !== undefined ? by : definition.owner === 'project' ? 'project' : 'global';
    await this.save(scope, [{ op: 'patch', name: definition.name, fields: { enabled } }], signal);
  }
  /** After a save: the server of this name, whoever owns it now. */
  idOf(name: string, scope: ConfigScope): ServerId {
    const found = this.#named(name);
    if (!found) throw new AppError('server/not-found', `“${name}” is in the ${scope} file and not in use`);
    return found.id;
  }
  #named(name: string): ServerDefinition | undefined {
    return [...this.#wanted.values()].find(({ definition }) => definition.name === name)?.definition;
  }

  // — looking —

  async scope(scope: ConfigScope, signal: AbortSignal): Promise<ScopeView> {
    const context = await this.#editContext(scope, signal);
    return scopeView(scope, context.path, await this.#deps.configFiles.read(context.path, signal), this.#read, this.#deps.project());
  }
  validate(scope: 'global' | 'project' | 'effective'): ValidationReport {
    const project = this.#deps.project();
    if (scope === 'project' && project === undefined) throw new AppError('project/needed', 'Open a project first');
    const read = scope === 'effective' ? this.#read : this.#read.filter(({ source }) => source.scope === scope);
    const issues = issuesOf(read, mergeLayers(read.filter(({ status }) => status === 'read'), project !== undefined));
    const { servers } = scope === 'effective' ? this.#merged : mergeLayers(read.filter(({ status }) => status === 'read'), false);
    return { ok: !issues.some(({ severity }) => severity === 'error'), servers: servers.filter(({ owner }) => owner !== 'built-in').length, issues };
  }

  // — trust —

  async trust(project: string, digest: string, signal: AbortSignal): Promise<void> {
    await this.#answered(project, (files) => this.#deps.trust.trust(project, digest, files, signal), signal);
  }
  async refuse(project: string, digest: string, signal: AbortSignal): Promise<void> {
    await this.#answered(project, (files) => this.#deps.trust.refuse(project, digest, files, signal), signal);
  }
  async distrust(project: string, signal: AbortSignal): Promise<void> {
    await this.#lane.run('files', async () => {
      await this.#deps.trust.distrust(project, signal);
      await this.#load(signal);
    });
  }
  #answered(project: string, answer: (files: readonly ReadSource[]) => Promise<void>, signal: AbortSignal): Promise<void> {
    return this.#lane.run('files', async () => {
      if (project !== this.#deps.project()) throw new AppError('project/needed', 'That project is not the open one', { data: { project } });
      await this.#load(signal);
      await answer(this.#ofProject());
      await this.#load(signal);
    });
  }

  #ofProject(): readonly ReadSource[] {
    return [...this.#read.filter(({ source, status }) => source.scope === 'project' && status !== 'absent'), ...this.#also];
  }
  #find(id: ServerId): Known {
    const known = this.#applied.get(id);
    if (!known) throw new AppError('server/not-found', 'There is no such server');
    return known;
  }
  async #editContext(scope: ConfigScope, signal: AbortSignal): Promise<EditContext> {
    const path = this.ownedFile(scope);
    if (scope === 'project' && !this.projectIsTrusted) {
      throw new AppError('trust/needed', 'Trust the project first', { data: { project: this.#deps.project() } });
    }
    signal.throwIfAborted();
    return { scope, path, read: this.#read };
  }
}

const others = (files: readonly ReadSource[], path: string) => files.filter(({ source }) => source.path !== path);
const sameFiles = (one: readonly ReadSource[], other: readonly ReadSource[]): boolean =>
  hashOf(one.map(({ source, digest }) => [source.id, digest])) === hashOf(other.map(({ source, digest }) => [source.id, digest]));
const sameKnown = (one: Known, other: Known): boolean =>
  one.mark === other.mark && hashOf([one.definition, one.provenance]) === hashOf([other.definition, other.provenance]);
const sameLaunch = (one: Known, other: Known): boolean => one.mark === other.mark && hashOf(one.definition) === hashOf(other.definition);
