import * as z from 'zod';
import { ConfigScope } from '../../model/config-value.ts';
import { ServerDraft, ServerName, type ServerDefinition } from '../../model/server-definition.ts';
import { OptionsPatch } from '../../model/server-options.ts';
import type { ConfigIssue, EntryState, Provenance, SourceView } from '../../model/source.ts';
import { request } from '../define.ts';

/** `seen` is the entry's mark when the person looked at it: a change on disk since then is `config/changed` and nothing is written. */
const Seen = z.string().max(100).optional();
/** One change to the owned file of a scope. */
export const ServerEdit = z.discriminatedUnion('op', [
  /** Adds, or replaces what is known of it (keys unknown to Gatehouse stay); `previousName` renames. */
  z.strictObject({ op: z.literal('put'), draft: ServerDraft, previousName: ServerName.optional(), seen: Seen }),
  /** Fields alone, also for a server that is defined elsewhere. `null` takes a field out; an entry that holds nothing then goes. */
  z.strictObject({ op: z.literal('patch'), name: ServerName, fields: OptionsPatch, seen: Seen }),
  z.strictObject({ op: z.literal('remove'), name: ServerName, seen: Seen }),
  /** The scope's own switch; `null` takes it out, so that the default (on) or the lower scope holds. */
  z.strictObject({ op: z.literal('switch'), enabled: z.boolean().nullable() }),
]);
export type ServerEdit = z.infer<typeof ServerEdit>;

/** A server as one scope's page shows it. */
export interface ScopeEntry {
  readonly name: string;
  readonly state: EntryState;
  /** What would run with this scope and those below it; absent for an invalid entry. */
  readonly definition?: ServerDefinition;
  /** The owned file of this scope holds something of it. */
  readonly here: boolean;
  /** What stands there alone defines a transport: it can be edited and removed here. */
  readonly editable: boolean;
  /** Mark of the entry in the owned file, for `seen`; `absent` when it has none. */
  readonly seen: string;
  readonly provenance?: Provenance;
  readonly issues: readonly ConfigIssue[];
}
export interface ScopeView {
  readonly scope: ConfigScope;
  /** The owned file. */
  readonly file: string;
  readonly exists: boolean;
  /** What the file itself says of the scope's switch. */
  readonly switch?: boolean;
  /** What holds after all layers. */
  readonly on: boolean;
  readonly entries: readonly ScopeEntry[];
  readonly issues: readonly ConfigIssue[];
}
export interface ValidationReport {
  readonly ok: boolean;
  readonly servers: number;
  readonly issues: readonly ConfigIssue[];
}
const edits = z.strictObject({ scope: ConfigScope, edits: z.array(ServerEdit).max(1000) });
export interface SavePreview {
  /** Unified diff of the owned file; empty when nothing changes. Drafted secrets stand in it as the references that they become. */
  readonly diff: string;
  readonly file: string;
  readonly issues: readonly ConfigIssue[];
}

export const config = {
  'config.sources': request<readonly SourceView[]>()(z.void()),
  /** `project/needed` without an open project; `trust/needed` while its files are not trusted. */
  'config.scope': request<ScopeView>()(z.strictObject({ scope: ConfigScope })),
  /** Writes nothing and stores nothing. */
  'config.preview': request<SavePreview>()(edits),
  /** All edits or none. Secrets reach the vault before the file names them. `server/exists`, `config/changed`, `config/invalid`, `vault/*`. */
  'config.save': request<void>()(edits),
  /** By schema alone: nothing is started, resolved or fetched. */
  'config.validate': request<ValidationReport>()(z.strictObject({ scope: z.enum(['global', 'project', 'effective']).default('effective') })),
};
