import { AppError } from '../../shared/errors.ts';
import type { ConfigScope, SecretKey } from '../../shared/model/config-value.ts';
import { importKinds, Pick as ServerPick, type Candidate, type Discovery, type ExportShape, type ImportPlan } from '../../shared/model/exchange.ts';
import type { SavePreview } from '../../shared/ipc/contract/config.ts';
import type { ConfigIssue } from '../../shared/model/source.ts';
import { editSource, entryMarks, type FileEdit } from '../formats/edit-source.ts';
import { loadYaml } from '../formats/document.ts';
import { readAny } from '../formats/read-any.ts';
import { readSource } from '../formats/read-source.ts';
import { writeShape, type Exported } from '../formats/write-shape.ts';
import type { ConfigFiles, Host } from '../ports.ts';
import type { SecretBook } from '../secrets/secret-book.ts';
import { maskedDiff } from '../servers/masked-diff.ts';
import { mergeLayers } from '../servers/merge.ts';
import type { ServerStore } from '../servers/server-store.ts';
import { candidateOf, type FoundServer } from './found-server.ts';
import { HostLooker } from './host-looker.ts';
import { inputEdits } from './input-edits.ts';
import { planOf, type Chosen, type Plan } from './plan.ts';
import { takenNames } from './taken-names.ts';

export interface ExchangeDeps {
  readonly configFiles: Pick<ConfigFiles, 'read'>;
  readonly host: Host;
  readonly servers: Pick<ServerStore, 'current' | 'ownedFile' | 'projectIsTrusted' | 'rewrite'>;
  readonly secrets: Pick<SecretBook, 'list' | 'put' | 'remove'>;
  /** The vault is open: its names may be looked at without asking anybody for a keyring. */
  readonly vaultIsOpen: () => boolean;
  readonly project: () => string | undefined;
}

/** Pasted text, as a source. */
const pasted = 'text';

interface Offer {
  readonly format: string;
  readonly chosen: readonly Chosen[];
  readonly candidates: readonly Candidate[];
  readonly issues: readonly ConfigIssue[];
  /** Beside the servers themselves. */
  readonly more: readonly FileEdit[];
}
interface Prepared extends Plan {
  readonly file: string;
  readonly before: string | undefined;
}

/** The ways in from other programs and out to them. Looking, planning and previewing read files and nothing else: no process, no network, no secret command (U-48). */
export class Exchange {
  readonly #deps: ExchangeDeps;
  readonly #looker: HostLooker;

  constructor(deps: ExchangeDeps) {
    this.#deps = deps;
    this.#looker = new HostLooker(deps);
  }

  /** What is found on this machine; of one scope, or all. A file that is not there is silent, one that cannot be read is an issue, and hides nothing. */
  async discover(scope: ConfigScope | undefined, signal: AbortSignal): Promise<Discovery> {
    const { sources, issues } = await this.#looker.look(signal);
    const project = this.#deps.project();
    const fits = (source: { readonly scope: ConfigScope; readonly project?: string }): boolean =>
      scope === undefined || (source.scope === scope && (source.project === undefined || source.project === project));
    return {
      sources: sources.filter(fits).map(({ found, ...source }) => {
        const taken = takenNames(this.#deps.servers.current.read, scope ?? source.scope);
        return { ...source, candidates: found.map((one) => candidateOf(one, scope ?? source.scope, taken.find(one.entry.name) !== undefined)) };
      }),
      issues: issues.filter((issue) => scope === undefined || issue.scope === scope).map(({ scope: _scope, ...issue }) => issue),
    };
  }

  async previewAdopt(scope: ConfigScope, picks: readonly ServerPick[], signal: AbortSignal): Promise<ImportPlan> {
    return this.#preview(scope, await this.#adoption(scope, picks, signal), signal);
  }
  /** Throws `server/exists` for a refused duplicate, before anything is stored; `server/not-found`, `trust/needed`, `project/needed`, `config/*`, `secret/exists`, `vault/*`. */
  async adopt(scope: ConfigScope, picks: readonly ServerPick[], signal: AbortSignal): Promise<{ readonly added: readonly string[] }> {
    return this.#apply(scope, await this.#adoption(scope, picks, signal), signal);
  }

  async previewImport(scope: ConfigScope, text: string, picks: readonly ServerPick[] | undefined, signal: AbortSignal): Promise<ImportPlan> {
    return this.#preview(scope, await this.#offerOf(scope, text, picks), signal);
  }
  /** As `adopt`; throws `config/invalid` with `data.issues` for a text without a usable server. */
  async import(scope: ConfigScope, text: string, picks: readonly ServerPick[] | undefined, signal: AbortSignal): Promise<{ readonly added: readonly string[] }> {
    const offer = await this.#offerOf(scope, text, picks);
    if (offer.candidates.length === 0) throw new AppError('config/invalid', 'There is no server in this text', { data: { issues: offer.issues } });
    return this.#apply(scope, offer, signal);
  }

  /** References only (U-35): of a scope by itself, or of all that is in effect. */
  export(scope: ConfigScope | 'effective', shape: ExportShape): Exported {
    const { read, merged } = this.#deps.servers.current;
    if (scope === 'project' && this.#deps.project() === undefined) throw new AppError('project/needed', 'Open a project first');
    const layers = read.filter(({ source, status }) => status === 'read' && source.scope === scope);
    const { servers } = scope === 'effective' ? merged : mergeLayers(layers, scope === 'project');
    return writeShape(servers.filter(({ owner }) => owner !== 'built-in').map(({ name, enabled, fields }) => ({ name, enabled, fields })), shape);
  }

  /** F-12: in the home's file alone, and only when it does not say so already. */
  async setImport(client: string, on: boolean, signal: AbortSignal): Promise<void> {
    const kind = importKindOf(client);
    if (this.#home()?.parsed.imports.includes(kind) === on) return;
    await this.#deps.servers.rewrite('global', (current) => withImport(current, kind, on), signal);
  }
  /** What `setImport` would write. */
  async previewSetImport(client: string, on: boolean, signal: AbortSignal): Promise<SavePreview> {
    const file = this.#deps.servers.ownedFile('global');
    const before = await this.#deps.configFiles.read(file, signal);
    return { file, diff: maskedDiff(file, before, withImport(before, importKindOf(client), on)), issues: [] };
  }

  /** F-11. Off is the default, and is only said where another file says on. */
  async setDiscovery(on: boolean, signal: AbortSignal): Promise<void> {
    const { read } = this.#deps.servers.current;
    const others = read.filter(({ source, status }) => status === 'read' && source.scope === 'global' && source.kind !== 'home');
    const wanted = on ? 'on' : others.some(({ parsed }) => parsed.settings.hostConfigDiscovery === 'on') ? 'off' : undefined;
    if ((this.#home()?.parsed.settings.hostConfigDiscovery ?? undefined) === wanted) return;
    const edit: FileEdit = { op: 'set', path: ['settings', 'hostConfigDiscovery'], value: wanted };
    await this.#deps.servers.rewrite('global', (current) => editSource(current, [edit]), signal);
  }

  #home() {
    return this.#deps.servers.current.read.find(({ source }) => source.kind === 'home');
  }

  async #adoption(scope: ConfigScope, picks: readonly ServerPick[], signal: AbortSignal): Promise<Offer> {
    const { sources } = await this.#looker.look(signal);
    const taken = takenNames(this.#deps.servers.current.read, scope);
    const chosen = picks.map((pick): Chosen => {
      const found = sources.find(({ id }) => id === pick.source)?.found.find(({ entry }) => entry.name === pick.name);
      if (!found) throw new AppError('server/not-found', `There is no server “${pick.name}” in ${pick.source}`, { data: { source: pick.source, name: pick.name } });
      return { pick, found };
    });
    const labels = new Set(chosen.map(({ found }) => sources.find(({ id }) => id === found.source)?.label ?? found.source));
    // U-56: a scope that was switched off is on once something is adopted into it.
    const off = this.#deps.servers.current.read.find(({ source }) => source.kind === (scope === 'global' ? 'home' : 'project'))?.parsed.enabled === false;
    return {
      format: [...labels].join(', '),
      chosen,
      candidates: chosen.map(({ found }) => candidateOf(found, scope, taken.find(found.entry.name) !== undefined)),
      issues: [],
      more: off ? [{ op: 'switch', enabled: true }] : [],
    };
  }

  async #offerOf(scope: ConfigScope, text: string, picks: readonly ServerPick[] | undefined): Promise<Offer> {
    const { format, parsed } = readAny(text, { file: 'the text', yaml: await loadYaml() });
    const project = this.#deps.project();
    // Claude Code's own file has servers of every project: those of others are not meant.
    const mine = parsed.entries.filter((entry) => entry.project === undefined || (scope === 'project' && entry.project === project));
    const found = (mine.length > 0 ? mine : parsed.entries).map((entry): FoundServer => ({ source: pasted, entry, inputs: parsed.inputs, commands: true }));
    const chosen = picks
      ? picks.map((pick): Chosen => {
          const one = found.find(({ entry }) => pick.source === pasted && entry.name === pick.name);
          if (!one) throw new AppError('server/not-found', `There is no server “${pick.name}” in the text`, { data: { source: pick.source, name: pick.name } });
          return { pick, found: one };
        })
      : found.map((one): Chosen => ({ pick: ServerPick.parse({ source: pasted, name: one.entry.name }), found: one }));
    const taken = takenNames(this.#deps.servers.current.read, scope);
    return {
      format,
      chosen,
      candidates: found.map((one) => candidateOf(one, scope, taken.find(one.entry.name) !== undefined)),
      issues: parsed.issues.filter(({ code, severity }) => code !== 'plaintext-secret' || severity === 'error'),
      more: [],
    };
  }

  async #prepare(scope: ConfigScope, { chosen, more }: Offer, secretKeys: ReadonlySet<string>, signal: AbortSignal): Promise<Prepared> {
    const { servers, configFiles } = this.#deps;
    const file = servers.ownedFile(scope);
    // Before anything is stored; the store refuses it too.
    if (scope === 'project' && !servers.projectIsTrusted) {
      throw new AppError('trust/needed', 'Trust the project first', { data: { project: this.#deps.project() } });
    }
    const before = await configFiles.read(file, signal);
    const plan = planOf(chosen, { scope, taken: takenNames(servers.current.read, scope), secretKeys, file });
    const inputs = inputEdits(before, chosen.flatMap(({ found }) => found.inputs), plan.edits);
    return { ...plan, edits: plan.edits.length === 0 ? [] : [...inputs, ...plan.edits, ...more], file, before };
  }

  async #preview(scope: ConfigScope, offer: Offer, signal: AbortSignal): Promise<ImportPlan> {
    const { rows, edits, issues, file, before } = await this.#prepare(scope, offer, this.#deps.vaultIsOpen() ? await this.#secretKeys(scope, signal) : new Set(), signal);
    const after = edits.length === 0 ? (before ?? '') : editSource(before, edits);
    return {
      format: offer.format, candidates: offer.candidates, rows, file,
      diff: maskedDiff(file, before, after),
      issues: [...offer.issues, ...issues],
    };
  }

  /** Secrets first, then the file, once for all of them. */
  async #apply(scope: ConfigScope, offer: Offer, signal: AbortSignal): Promise<{ readonly added: readonly string[] }> {
    const { servers, secrets } = this.#deps;
    const hasValues = offer.candidates.some(({ secretDescriptors }) => secretDescriptors.length > 0);
    const plan = await this.#prepare(scope, offer, hasValues ? await this.#secretKeys(scope, signal) : new Set(), signal);
    const refused = plan.rows.filter(({ action }) => action === 'refuse').map(({ as }) => as);
    if (refused.length > 0) throw new AppError('server/exists', `There is a server “${refused.join('”, “')}” already`, { data: { name: refused[0], names: refused } });
    if (plan.edits.length === 0) return { added: [] };
    // A file that cannot be edited is found before anything is stored.
    editSource(plan.before, plan.edits);
    const seen = marksOf(plan.edits, plan.before);
    const stored: SecretKey[] = [];
    let edited = false;
    try {
      for (const { key, value } of plan.secrets) {
        await secrets.put(scope, key, value, { policy: 'prompt' }, signal);
        stored.push(key);
      }
      await servers.rewrite(scope, (current) => {
        const changed = changedIn(seen, marksOf(plan.edits, current));
        if (changed !== undefined) throw new AppError('config/changed', `“${changed}” was changed in the file meanwhile`, { data: { name: changed } });
        const after = editSource(current, plan.edits);
        edited = true;
        return after;
      }, signal);
    } catch (error) {
      // A write that failed half way may have put the new file there: its secrets stay then.
      const now = edited ? await this.#deps.configFiles.read(plan.file, new AbortController().signal).catch(() => undefined) : plan.before;
      if (changedIn(seen, marksOf(plan.edits, now)) === undefined) await this.#forget(scope, stored);
      throw error;
    }
    return { added: plan.rows.flatMap(({ action, as }) => (action === 'skip' ? [] : [as])) };
  }

  /** No file names them. */
  async #forget(scope: ConfigScope, keys: readonly SecretKey[]): Promise<void> {
    for (const key of keys) {
      try {
        await this.#deps.secrets.remove(scope, key, true, new AbortController().signal);
      } catch {
        continue; // What is left over is in the list of secrets, and used by nothing.
      }
    }
  }

  /** Those that have a value. Opens the vault. */
  async #secretKeys(scope: ConfigScope, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const all = await this.#deps.secrets.list(signal);
    return new Set(all.filter((entry) => entry.scope === scope && !entry.missing).map(({ key }) => key));
  }
}

const marksOf = (edits: readonly FileEdit[], text: string | undefined): ReadonlyMap<string, string> =>
  entryMarks(text, edits.flatMap((edit) => (edit.op === 'put' ? [edit.name] : [])));
const changedIn = (seen: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): string | undefined => [...seen].find(([name, mark]) => now.get(name) !== mark)?.[0];

function importKindOf(client: string): (typeof importKinds)[number] {
  const kind = importKinds.find((known) => known === client);
  if (kind !== undefined) return kind;
  throw new AppError('request/invalid', `Files of “${client}” cannot be imported; there are: ${importKinds.join(', ')}`, { data: { field: 'client' } });
}

function withImport(current: string | undefined, kind: string, on: boolean): string {
  const imports = current === undefined ? [] : readSource(current, { file: 'mcp.json', shape: 'gatehouse' }).imports;
  const next = on ? [...imports.filter((one) => one !== kind), kind] : imports.filter((one) => one !== kind);
  return editSource(current, [{ op: 'set', path: ['imports'], value: next.length === 0 ? undefined : next }]);
}
