import type { SourceKind, SourceRef, SourceStatus } from '../../shared/model/source.ts';
import type { FileRunLayers } from '../../shared/model/run-layer.ts';
import { importKinds } from '../../shared/model/exchange.ts';
import { AppError } from '../../shared/errors.ts';
import { readRunLayer } from '../formats/read-run-layer.ts';
import { hostFiles, importFiles, type HostFile } from '../formats/host-files.ts';
import { broken, empty, readSource, readSourceFile, type SourceShape } from '../formats/read-source.ts';
import type { ParsedSource } from '../formats/raw-entry.ts';
import { hashOf } from '../kernel/hash.ts';
import type { ConfigFiles, Host } from '../ports.ts';

/** One source as it was last read. */
export interface ReadSource {
  readonly source: SourceRef;
  readonly status: SourceStatus;
  readonly parsed: ParsedSource;
  /** Of its text; `absent` for no file. */
  readonly digest: string;
}
export interface ConfigSourcesDeps {
  readonly configFiles: ConfigFiles;
  readonly host: Host;
  /** In place of the home's mcp.json (F-20). */
  readonly configPath?: string;
}
interface Place {
  readonly source: SourceRef;
  readonly shape: SourceShape;
}
/** The person's own: what the environment and other programs' files say are no settings of Gatehouse. */
const ownKinds: ReadonlySet<SourceKind> = new Set(['config-mcp', 'agents', 'agents-mcp', 'home-toml', 'home']);
export const isOwn = ({ kind }: SourceRef): boolean => ownKinds.has(kind);
/** Settings of files merge shallowly, a later file over an earlier one (F-3). */
export const ownSettings = (read: readonly ReadSource[]): Readonly<Record<string, unknown>> =>
  Object.assign({}, ...read.flatMap(({ source, parsed }) => (isOwn(source) ? [parsed.settings] : [])));

const builtInNames = ['Notes', 'Files'] as const;
const builtIn: ReadSource = {
  source: { id: 'built-in', kind: 'built-in', label: 'Comes with Gatehouse', scope: 'global' },
  status: 'read', digest: 'built-in',
  parsed: { ...empty, entries: builtInNames.map((name) => ({ name, fields: { command: 'gatehouse', args: [name.toLowerCase()] } })) },
};

/** Which files say what servers there are, lowest first, and what they said when last read. Reads and parses; runs nothing. */
export class ConfigSources {
  readonly #deps: ConfigSourcesDeps;
  /** By path: a file that did not change is not parsed again. */
  readonly #known = new Map<string, { readonly digest: string; readonly shape: SourceShape; readonly parsed: ParsedSource }>();

  constructor(deps: ConfigSourcesDeps) {
    this.#deps = deps;
  }

  /** The file that the app edits for a scope. */
  ownedFile(scope: 'global' | 'project', project: string | undefined): SourceRef | undefined {
    if (scope === 'global') return this.#home();
    return project === undefined ? undefined : this.#project(project).at(-1)?.source;
  }

  /**
   * All of them, lowest first. `imports` and `hostConfigDiscovery` count from global files and, once `trusted`, from the project's; a project's own files are read
   * for the question whether to trust them, and are marked `untrusted` until then.
   */
  async read(project: string | undefined, trusted: (files: readonly ReadSource[]) => boolean, signal: AbortSignal): Promise<readonly ReadSource[]> {
    const environment = this.#environment();
    const global = await this.#readAll(this.#global(), signal);
    const own = project === undefined ? [] : await this.#readAll(this.#project(project), signal);
    const settings = ownSettings(global);
    const files = hostFiles(this.#deps.host, project);
    const hosts = settings.hostConfigDiscovery === 'on' ? await this.#readAll(files.map((file) => placeOf('host', file)), signal) : [];
    const wanted = new Set([...global, ...own].flatMap(({ parsed }) => parsed.imports));
    const imports = await this.#readAll(
      importKinds.filter((kind) => wanted.has(kind)).flatMap((kind) => importFiles(kind, this.#deps.host, project).map((file) => placeOf('import', file))),
      signal,
    );
    const ofProject = [...hosts, ...imports, ...own].filter(({ source, status }) => source.scope === 'project' && status !== 'absent');
    const ok = ofProject.length === 0 || trusted(ofProject);
    const globalImports = new Set(global.flatMap(({ parsed }) => parsed.imports));
    const counts = (read: ReadSource): ReadSource => {
      // What only an untrusted project asks to import does not count either.
      const askedByProject = read.source.kind === 'import' && !globalImports.has(kindOf(read.source.id));
      const hidden = !ok && (read.source.scope === 'project' || askedByProject) && read.status !== 'absent';
      return hidden ? { ...read, status: 'untrusted' } : read;
    };
    const foreign = (reads: readonly ReadSource[]) => reads.map((read) => ofOpenProject(counts(read), project));
    return [builtIn, ...foreign(hosts), ...firstOfEach(foreign(imports)), environment, ...global, ...own.map(counts)];
  }

  /** Every path whose change matters, there or not. */
  watched(project: string | undefined): readonly string[] {
    const { host } = this.#deps;
    const places = [...this.#global(), ...(project === undefined ? [] : this.#project(project))].flatMap(({ source }) => (source.path === undefined ? [] : [source.path]));
    return [...new Set([...places, ...hostFiles(host, project).map(({ path }) => path), ...importKinds.flatMap((kind) => importFiles(kind, host, project).map(({ path }) => path))])];
  }

  #environment(): ReadSource {
    const { environmentServers } = this.#deps.host;
    const source: SourceRef = { id: 'environment', kind: 'environment', label: environmentServers?.variable ?? 'GATEHOUSE_MCP_SERVERS', scope: 'global' };
    if (!environmentServers) return { source, status: 'absent', parsed: empty, digest: 'absent' };
    const parsed = readSource(environmentServers.text, { file: environmentServers.variable, shape: 'environment'});
    return { source, status: parsed.broken ? 'broken' : 'read', parsed, digest: hashOf(environmentServers.text) };
  }

  #home(): SourceRef {
    const path = this.#deps.configPath ?? join(this.#deps.host.gatehouseHome, 'mcp.json');
    return { id: 'home', kind: 'home', label: 'mcp.json', scope: 'global', path };
  }

  #global(): readonly Place[] {
    const { configFolder, homeFolder, gatehouseHome } = this.#deps.host;
    return [
      { source: { id: 'config-mcp', kind: 'config-mcp', label: '~/.config/mcp/mcp.json', scope: 'global', path: join(configFolder, 'mcp', 'mcp.json') }, shape: 'gatehouse' },
      { source: { id: 'agents', kind: 'agents', label: '~/.agents/mcp.json', scope: 'global', path: join(homeFolder, '.agents', 'mcp.json') }, shape: 'gatehouse' },
      { source: { id: 'agents-mcp', kind: 'agents-mcp', label: '~/.agents/mcp/mcp.json', scope: 'global', path: join(homeFolder, '.agents', 'mcp', 'mcp.json') }, shape: 'gatehouse' },
      { source: { id: 'home-toml', kind: 'home-toml', label: 'config.toml', scope: 'global', path: join(gatehouseHome, 'config.toml') }, shape: 'gatehouse-toml' },
      { source: this.#home(), shape: 'gatehouse' },
    ];
  }

  #project(project: string): readonly Place[] {
    const ref = (kind: SourceKind, label: string, ...parts: readonly string[]): SourceRef => ({ id: kind, kind, label, scope: 'project', path: join(project, ...parts) });
    return [
      { source: ref('project-mcp', '.mcp.json', '.mcp.json'), shape: 'gatehouse' },
      { source: ref('project-toml', '.gatehouse/config.toml', '.gatehouse', 'config.toml'), shape: 'gatehouse-toml' },
      { source: ref('project', '.gatehouse/mcp.json', '.gatehouse', 'mcp.json'), shape: 'gatehouse' },
    ];
  }

  async #readAll(places: readonly Place[], signal: AbortSignal): Promise<readonly ReadSource[]> {
    return Promise.all(places.map((place) => this.#readOne(place, signal)));
  }

  async #readOne({ source, shape }: Place, signal: AbortSignal): Promise<ReadSource> {
    const path = source.path ?? '';
    let text: string | undefined;
    try {
      text = await this.#deps.configFiles.read(path, signal);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'storage/failed') throw error;
      const issue = { code: 'unreadable', severity: 'error', file: path, path: '', message: error.message } as const;
      return { source, status: 'broken', digest: `unreadable:${error.message}`, parsed: broken(issue) };
    }
    if (text === undefined) {
      this.#known.delete(path);
      return { source, status: 'absent', parsed: empty, digest: 'absent' };
    }
    const digest = hashOf(text);
    const known = this.#known.get(path);
    const parsed = known?.digest === digest && known.shape === shape ? known.parsed : await readFile(text, path, shape);
    this.#known.set(path, { digest, shape, parsed });
    return { source, status: parsed.broken ? 'broken' : 'read', parsed, digest };
  }
}

const placeOf = (kind: 'host' | 'import', file: HostFile): Place => ({
  source: { id: `${kind}:${file.id}`, kind, label: file.label, scope: file.scope, path: file.path },
  shape: file.shape,
});
/** A `config.toml` says something of runs too (H-13). */
async function readFile(text: string, file: string, shape: SourceShape): Promise<ParsedSource> {
  const parsed = await readSourceFile(text, { file, shape });
  if (shape !== 'gatehouse-toml' || parsed.broken) return parsed;
  const { run, issues } = readRunLayer(text, file);
  return { ...parsed, run, issues: [...parsed.issues, ...issues] };
}
/** What the home's `config.toml` says of runs, and the project's where that is trusted: of sources that count only. */
export function runLayersOf(read: readonly ReadSource[]): FileRunLayers {
  const of = (kind: SourceKind) => read.find(({ source, status }) => source.kind === kind && status === 'read')?.parsed.run;
  return { home: of('home-toml'), project: of('project-toml') };
}

const kindOf = (id: string): string => importKinds.find((kind) => id.startsWith(`import:${kind}`)) ?? '';

/** What another program keeps for one project is none of another's. */
function ofOpenProject(read: ReadSource, project: string | undefined): ReadSource {
  const entries = read.parsed.entries.filter((entry) => entry.project === undefined || entry.project === project);
  return entries.length === read.parsed.entries.length ? read : { ...read, parsed: { ...read.parsed, entries } };
}

/** Of a client's alternative places the first that exists counts, by scope (F-9). */
function firstOfEach(imports: readonly ReadSource[]): readonly ReadSource[] {
  const found = new Set<string>();
  return imports.filter(({ source, status }) => {
    if (status === 'absent') return false;
    const group = `${kindOf(source.id)}:${source.scope}`;
    const first = !found.has(group);
    found.add(group);
    return first;
  });
}

/** With the separator that the folder uses: core knows no platform. */
export function join(folder: string, ...parts: readonly string[]): string {
  const separator = /^([A-Za-z]:)?\\/.test(folder) || /^[A-Za-z]:/.test(folder) ? '\\' : '/';
  return [folder.replace(/[\\/]+$/, ''), ...parts].join(separator);
}
