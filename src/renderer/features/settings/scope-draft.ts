import { create } from 'zustand';
import type { ScopeEntry, ScopeView, ServerEdit } from '../../../shared/ipc/contract/config.ts';
import type { ConfigScope, ConfigValues } from '../../../shared/model/config-value.ts';
import type { ServerDefinition, ServerDraft, TransportConfig, TransportType } from '../../../shared/model/server-definition.ts';
import { targetText } from '../../bridge/target-text.ts';

/** What a person changed of one server and has not saved. `seen` is the mark of the entry as it was when they looked at it. */
export type EntryChange =
  | {
      readonly kind: 'put';
      readonly what: 'new' | 'edit' | 'override';
      readonly draft: ServerDraft;
      /** What its form holds, to go on with it. */
      readonly typed: unknown;
      readonly previousName?: string;
      readonly seen: string;
    }
  | { readonly kind: 'switch'; readonly enabled: boolean; readonly seen: string }
  | { readonly kind: 'remove'; readonly seen: string };

/** Nothing of it takes effect before it is saved (U-59). Changes are kept by the name that an entry has in its file; a new one by its own. */
export interface ScopeDraft {
  readonly switch?: boolean;
  readonly changes: Readonly<Record<string, EntryChange>>;
}
export const emptyDraft: ScopeDraft = { changes: {} };
export const changeCount = (draft: ScopeDraft): number => Object.keys(draft.changes).length + (draft.switch === undefined ? 0 : 1);

export const withChange = (draft: ScopeDraft, name: string, change: EntryChange | undefined): ScopeDraft => {
  const { [name]: _old, ...others } = draft.changes;
  return { ...draft, changes: change === undefined ? others : { ...others, [name]: change } };
};

/** On, as far as it is about this server: a scope that is switched off as a whole does not count. */
export const isOnItself = ({ definition, provenance }: ScopeEntry): boolean =>
  definition?.enabled === true ||
  (definition !== undefined && provenance?.disabledBy !== undefined && !provenance.fields.some(({ field, source }) => field === 'enabled' && source === provenance.disabledBy));

/** On or off, beside whatever else was changed of it. Back to what the file says is no change. */
export function withSwitched(draft: ScopeDraft, name: string, entry: ScopeEntry | undefined, enabled: boolean): ScopeDraft {
  const change = draft.changes[name];
  if (change?.kind === 'put') return withChange(draft, name, { ...change, draft: { ...change.draft, enabled } });
  if (change?.kind === 'remove' || entry === undefined) return draft;
  return withChange(draft, name, isOnItself(entry) === enabled ? undefined : { kind: 'switch', enabled, seen: entry.seen });
}

export function withScopeSwitch({ switch: _old, ...draft }: ScopeDraft, view: ScopeView, on: boolean): ScopeDraft {
  return view.on === on ? draft : { ...draft, switch: on };
}

/** What is sent to be looked at or saved. */
export function editsOf(draft: ScopeDraft): ServerEdit[] {
  const edits = Object.entries(draft.changes).map(([name, change]): ServerEdit => {
    switch (change.kind) {
      case 'put':
        return { op: 'put', draft: change.draft, seen: change.seen, ...(change.previousName === undefined ? {} : { previousName: change.previousName }) };
      case 'switch':
        return { op: 'patch', name, fields: { enabled: change.enabled }, seen: change.seen };
      case 'remove':
        return { op: 'remove', name, seen: change.seen };
    }
  });
  return draft.switch === undefined ? edits : [{ op: 'switch', enabled: draft.switch }, ...edits];
}

/** A line of a scope's page: an entry as it stands, what is changed of it, and what it would be then. */
export interface ScopeRow {
  /** By which its change is kept. */
  readonly key: string;
  /** As it would be called. */
  readonly name: string;
  readonly entry?: ScopeEntry;
  readonly change?: EntryChange;
  readonly type?: TransportType;
  readonly target: string;
  readonly enabled: boolean;
  /** The entry is not any more what the change was made from. */
  readonly movedOn: boolean;
}

export function rowsOf(view: ScopeView, draft: ScopeDraft): readonly ScopeRow[] {
  const known = new Map(view.entries.map((entry) => [entry.name, entry]));
  const added = Object.keys(draft.changes).filter((name) => !known.has(name));
  return [...view.entries.map(({ name }) => name), ...added]
    .map((name) => rowOf(name, known.get(name), draft.changes[name]))
    .toSorted((a, b) => order(a) - order(b) || a.name.localeCompare(b.name, undefined, { numeric: true, sensitivity: 'base' }));
}
/** What is wrong stands first; what comes with Gatehouse last. */
const order = ({ entry }: ScopeRow): number => (entry?.state === 'invalid' ? 0 : entry?.definition?.owner === 'built-in' ? 2 : 1);

function rowOf(key: string, entry: ScopeEntry | undefined, change: EntryChange | undefined): ScopeRow {
  const base = { key, ...(entry === undefined ? {} : { entry }), ...(change === undefined ? {} : { change }) };
  const movedOn = change !== undefined && (entry?.seen ?? 'absent') !== change.seen;
  if (change?.kind === 'put') {
    const { draft } = change;
    return { ...base, name: draft.name, type: draft.transport.type, target: draftTarget(draft, entry?.definition), enabled: draft.enabled ?? (entry?.definition ? isOnItself(entry) : true), movedOn };
  }
  const definition = entry?.definition;
  return {
    ...base, name: key, movedOn,
    ...(definition === undefined ? {} : { type: definition.transport.type }),
    target: definition === undefined ? '' : definition.owner === 'built-in' ? '' : targetText(definition.transport),
    enabled: change?.kind === 'switch' ? change.enabled : entry !== undefined && isOnItself(entry),
  };
}

/** Where a drafted server will be, with what stays as it is. */
function draftTarget({ transport }: ServerDraft, old: ServerDefinition | undefined): string {
  const before: TransportConfig | undefined = old?.transport;
  switch (transport.type) {
    case 'stdio': {
      const kept = before?.type === 'stdio' ? before.args : [];
      const args = (transport.args ?? kept).map((arg) => (typeof arg === 'string' ? arg : (kept[arg.kept] ?? '•••')));
      return targetText({ type: 'stdio', command: transport.command, args, env: {} });
    }
    case 'streamable-http':
    case 'sse':
      return transport.url ?? (before && 'url' in before ? before.url : '');
    case 'socket':
      return transport.path;
  }
}

/** A server as it is saved, for a test: what is not shown stays as the file has it. */
export function savedDraft({ name, transport }: ServerDefinition): ServerDraft {
  const kept = (values: ConfigValues): DraftValues =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, 'literal' in value ? { kept: true } : value]));
  switch (transport.type) {
    case 'stdio': {
      const { args: _args, env, ...rest } = transport;
      return { name, transport: { ...rest, env: kept(env) } };
    }
    case 'streamable-http':
    case 'sse':
      return { name, transport: { type: transport.type, headers: kept(transport.headers) } };
    case 'socket':
      return { name, transport };
  }
}
type DraftValues = Extract<ServerDraft['transport'], { readonly type: 'stdio' }>['env'];

/** A draft belongs to its file: another project has its own. */
export const draftKey = (scope: ConfigScope, project: string | undefined): string => (scope === 'global' ? 'global' : `project ${project ?? ''}`);

interface Kept {
  readonly drafts: Readonly<Record<string, ScopeDraft>>;
  /** What was let go last, to take it back. */
  readonly discarded: Readonly<Record<string, ScopeDraft>>;
}
const useKept = create<Kept>(() => ({ drafts: {}, discarded: {} }));

/** Lasts as long as the window, wherever one goes in it. */
export const useScopeDraft = (key: string): ScopeDraft => useKept(({ drafts }) => drafts[key] ?? emptyDraft);
export const useDiscarded = (key: string): ScopeDraft | undefined => useKept(({ discarded }) => discarded[key]);

export function changeDraft(key: string, change: (draft: ScopeDraft) => ScopeDraft): void {
  const { drafts, discarded } = useKept.getState();
  const { [key]: _gone, ...others } = discarded;
  useKept.setState({ drafts: { ...drafts, [key]: change(drafts[key] ?? emptyDraft) }, discarded: others });
}
export function discardDraft(key: string): void {
  const { drafts, discarded } = useKept.getState();
  const { [key]: draft, ...others } = drafts;
  useKept.setState({ drafts: others, discarded: draft === undefined ? discarded : { ...discarded, [key]: draft } });
}
export function restoreDraft(key: string): void {
  const { discarded } = useKept.getState();
  const draft = discarded[key];
  if (draft) changeDraft(key, () => draft);
}
/** After it was saved: what was added meanwhile stays. */
export const forgetSaved = (key: string, saved: ScopeDraft): void =>
  changeDraft(key, (draft) => ({
    ...(draft.switch === undefined || draft.switch === saved.switch ? {} : { switch: draft.switch }),
    changes: Object.fromEntries(Object.entries(draft.changes).filter(([name, change]) => saved.changes[name] !== change)),
  }));
