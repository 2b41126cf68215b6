import type { EntryState, FieldOrigin, Place, Provenance, SourceRef } from '../../shared/model/source.ts';
import type { ServerOwner } from '../../shared/model/server-definition.ts';
import type { ParsedSource, RawEntry, RawField, RawFields } from '../formats/raw-entry.ts';
import { joinApproveTools } from '../policy/join-approve-tools.ts';
import { withoutForeign } from './credential-rule.ts';

/** One source that counts: read, and trusted where it has to be. */
export interface Layer {
  readonly source: SourceRef;
  readonly parsed: ParsedSource;
}
export interface MergedServer {
  readonly name: string;
  readonly owner: ServerOwner;
  readonly enabled: boolean;
  readonly fields: RawFields;
  readonly origins: Readonly<Partial<Record<RawField, SourceRef>>>;
  readonly provenance: Provenance;
}
export interface Merged {
  readonly servers: readonly MergedServer[];
  /** Entries that switch or filter a server that no layer defines. */
  readonly orphans: readonly { readonly source: SourceRef; readonly entry: RawEntry }[];
  readonly on: boolean;
  /** Whose switch turned everything off. */
  readonly offBy?: SourceRef;
}

/** Sources whose entry stands for itself: nothing of a lower one shows through. JSON layers merge field by field. */
const wholeKinds: ReadonlySet<SourceRef['kind']> = new Set(['host', 'import', 'environment', 'home-toml', 'project-toml']);
export const definesTransport = (fields: RawFields): boolean => fields.command !== undefined || fields.url !== undefined || fields.socket !== undefined;

interface Building {
  fields: RawFields;
  readonly origins: Map<RawField, FieldOrigin>;
  readonly chain: { readonly source: SourceRef; readonly place?: Place }[];
  /** The layer that last said how to reach it. */
  definedBy: SourceRef | undefined;
  readonly orphan: RawEntry;
}

/**
 * The effective set of layers, lowest first (decisions, section 2). Pure, and never throws: what cannot be used was left out when its file was read.
 * With `project`, servers that only global layers know are `inherited`.
 */
export function mergeLayers(layers: readonly Layer[], project: boolean): Merged {
  const building = new Map<string, Building>();
  let on = true;
  let offBy: SourceRef | undefined;
  for (const { source, parsed } of layers) {
    if (parsed.enabled !== undefined) {
      on = parsed.enabled;
      offBy = on ? undefined : source;
    }
    for (const entry of parsed.entries) {
      const below = building.get(entry.name);
      if (below) overlay(below, entry, source);
      else building.set(entry.name, begin(entry, source));
    }
  }
  const all = [...building];
  return {
    servers: all.flatMap(([name, built]) => (definesTransport(built.fields) ? [finished(name, built, { project, on, offBy })] : [])),
    orphans: all.flatMap(([, built]) => (definesTransport(built.fields) ? [] : built.chain.map(({ source }) => ({ source, entry: built.orphan })))),
    on,
    ...(offBy === undefined ? {} : { offBy }),
  };
}

function begin(entry: RawEntry, source: SourceRef): Building {
  const built: Building = { fields: {}, origins: new Map(), chain: [], definedBy: undefined, orphan: entry };
  overlay(built, entry, source);
  return built;
}

function overlay(built: Building, entry: RawEntry, source: SourceRef): void {
  built.chain.push({ source, ...(entry.place === undefined ? {} : { place: entry.place }) });
  const defines = definesTransport(entry.fields);
  const replaces = (wholeKinds.has(source.kind) && !continues(source, built.definedBy)) || (built.chain[0]?.source.kind === 'built-in' && defines);
  if (defines) built.definedBy = source;
  const lost = replaces && defines ? keysOf(built.fields) : foreignTo(built.fields, entry.fields, source);
  const kept = withoutKeys(built.fields, lost);
  for (const field of lost) {
    if (Object.hasOwn(entry.fields, field)) continue;
    const old = built.origins.get(field);
    built.origins.delete(field);
    if (credentialFields.has(field) && old) built.origins.set(field, { field, source: source.id, overrode: [...old.overrode, old.source], dropped: true });
  }
  const own = source.scope === 'project' ? withJoinedApprovals(entry.fields, built.fields) : entry.fields;
  for (const field of keysOf(own)) {
    const old = built.origins.get(field);
    const place = entry.fieldPlaces?.[field];
    built.origins.set(field, { field, source: source.id, ...(place === undefined ? {} : { place }), overrode: old ? [...old.overrode, old.source] : [] });
  }
  built.fields = { ...kept, ...own };
}

/** F-9: OpenCode's own two files are one configuration: fields of the project's win, the others stay. */
const continues = (source: SourceRef, below: SourceRef | undefined): boolean =>
  source.kind === 'import' && source.scope === 'project' && source.id.startsWith('import:opencode') && below?.id.startsWith('import:opencode') === true;

const credentialFields: ReadonlySet<RawField> = new Set<RawField>(['env', 'headers', 'auth', 'bearerToken', 'bearerTokenEnv', 'oauth']);
const foreignTo = (below: RawFields, above: RawFields, source: SourceRef): readonly RawField[] => withoutForeign(below, above, source.scope === 'project');

function withJoinedApprovals(own: RawFields, below: RawFields): RawFields {
  const { approveTools, ...rest } = own;
  const joined = joinApproveTools(below.approveTools, approveTools);
  return joined === undefined || approveTools === undefined ? rest : { ...rest, approveTools: joined };
}

function finished(name: string, built: Building, view: { readonly project: boolean; readonly on: boolean; readonly offBy: SourceRef | undefined }): MergedServer {
  const top = built.chain.at(-1)?.source;
  const enabledOrigin = built.origins.get('enabled');
  const enabled = view.on && built.fields.enabled !== false;
  const disabledBy = built.fields.enabled === false ? enabledOrigin?.source : view.on ? undefined : view.offBy?.id;
  const launchSource = built.definedBy;
  const owner: ServerOwner = built.chain.length > 0 && launchSource?.kind === 'built-in' ? 'built-in' : ownerOf(built);
  return {
    name, owner, enabled, fields: built.fields,
    origins: Object.fromEntries([...built.origins.values()].filter(({ dropped }) => !dropped).map(({ field, source }) => [field, built.chain.find((link) => link.source.id === source)?.source])),
    provenance: {
      state: stateOf(built, owner, enabled, disabledBy, view.project),
      source: top?.id ?? '',
      chain: built.chain.map(({ source, place }) => ({ source: source.id, ...(place === undefined ? {} : { place }) })),
      fields: [...built.origins.values()],
      ...(disabledBy === undefined ? {} : { disabledBy }),
    },
  };
}

/** A project owns what it launches: a project layer that says anything of the launch makes the server the project's. */
function ownerOf({ origins, chain }: Building): ServerOwner {
  const project = new Set(chain.filter(({ source }) => source.scope === 'project').map(({ source }) => source.id));
  return [...origins.values()].some(({ field, source }) => launchFields.has(field as RawField) && project.has(source)) ? 'project' : 'global';
}
const launchFields: ReadonlySet<RawField> = new Set<RawField>(['command', 'args', 'cwd', 'env', 'envFile', 'url', 'type', 'headers', 'socket', 'auth', 'bearerToken', 'bearerTokenEnv', 'oauth']);

function stateOf({ chain, definedBy }: Building, owner: ServerOwner, enabled: boolean, disabledBy: string | undefined, project: boolean): EntryState {
  if (!enabled) return disabledBy === definedBy?.id ? 'disabled' : 'masked';
  if (owner === 'project' && chain.every(({ source }) => source.scope === 'project')) return 'project-local';
  if (chain.length > 1) return 'overridden';
  return project && chain[0]?.source.scope === 'global' ? 'inherited' : 'effective';
}

const keysOf = (fields: RawFields) => Object.keys(fields) as RawField[]; // readers make no other keys
const withoutKeys = (fields: RawFields, gone: readonly RawField[]): RawFields => {
  if (gone.length === 0) return fields;
  const set = new Set<string>(gone);
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !set.has(key)));
};
