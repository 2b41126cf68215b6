/** Where servers come from, lowest layer first: a later one wins. */
export const sourceKinds = [
  'built-in', 'host', 'import', 'environment', 'config-mcp', 'agents', 'agents-mcp', 'home-toml', 'home', 'project-mcp', 'project-toml', 'project',
] as const;
export type SourceKind = (typeof sourceKinds)[number];
export interface SourceRef {
  /** Stable: the kind, and for `host` and `import` the client too (`import:cursor`, `import:opencode-project`). */
  readonly id: string;
  readonly kind: SourceKind;
  /** For people: `Cursor`, `.mcp.json`, `GATEHOUSE_MCP_SERVERS`. */
  readonly label: string;
  /** Absent for `built-in` and `environment`. */
  readonly path?: string;
  readonly scope: 'global' | 'project';
}
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Why an entry is not what runs, or that it is. */
export type EntryState =
  /** Runs as it stands here. */
  | 'effective'
  /** In the project's view: comes from a global layer, untouched. */
  | 'inherited'
  /** A higher layer changed it: what runs is the merge. */
  | 'overridden'
  /** Only a project layer defines it. */
  | 'project-local'
  /** Switched off where it is defined. */
  | 'disabled'
  /** Switched off by a higher layer. */
  | 'masked'
  /** In a project file that nobody has trusted at this content. */
  | 'untrusted'
  | 'invalid';

/** One field of an effective server: which source decided it, and whose value lost. Lowest loser first. */
export interface FieldOrigin {
  /** As files name it: `command`, `env`, `oauth`, `enabled`. */
  readonly field: string;
  readonly source: string;
  readonly place?: Place;
  readonly overrode: readonly string[];
  /** Inherited credentials that the credential rule took away because this source changed what is launched or contacted. */
  readonly dropped?: true;
}
export interface Provenance {
  readonly state: EntryState;
  /** The highest source that says anything of it. */
  readonly source: string;
  /** All sources that say something of it, lowest first. */
  readonly chain: readonly { readonly source: string; readonly place?: Place }[];
  readonly fields: readonly FieldOrigin[];
  /** Which source switched it off. */
  readonly disabledBy?: string;
}

/** One entry of one source, as it stands there. */
export interface SourceEntry {
  /** As it stands there, whether or not it can be used. */
  readonly name: string;
  readonly state: EntryState;
  readonly place?: Place;
  /** Command line or address, masked; absent for an entry that only switches or filters. */
  readonly target?: string;
  readonly problem?: string;
}
export type SourceStatus = 'read' | 'absent' | 'broken' | 'untrusted' | 'off';
export interface SourceView extends SourceRef {
  readonly status: SourceStatus;
  readonly entries: readonly SourceEntry[];
  /** The app writes this file. */
  readonly owned: boolean;
}

/** A file or entry that could not be used: shown, never overwritten. */
export interface ConfigIssue {
  /** U-8's codes, and those of whole files. */
  readonly code:
    | 'invalid-shape' | 'invalid-name' | 'duplicate-name' | 'invalid-transport' | 'missing-command' | 'missing-url' | 'invalid-url' | 'invalid-args'
    | 'invalid-sensitive-map' | 'plaintext-secret' | 'invalid-option' | 'unparsable' | 'unreadable' | 'unknown-import' | 'missing-secret' | 'too-large';
  /** `error` keeps an entry or file from being used; `warning` does not. */
  readonly severity: 'error' | 'warning';
  /** A source's path or label. */
  readonly file: string;
  /** Where in the document: `mcpServers.docs.env.API_KEY`. */
  readonly path: string;
  readonly server?: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}
