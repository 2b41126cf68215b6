import * as z from 'zod';
import { ConfigScope, SecretKey } from './config-value.ts';
import { ServerName, type TransportConfig } from './server-definition.ts';
import type { ServerOptions } from './server-options.ts';
import type { ConfigIssue, Place } from './source.ts';

/** Other programs whose files are understood. */
export const clientKinds = [
  'claude-desktop', 'claude-code', 'cursor', 'windsurf', 'vscode', 'codex', 'opencode', 'zed', 'gemini-cli', 'cline', 'goose', 'harnessd', 'fitch-mcp-adapter', 'fusion',
] as const;
export type ClientKind = (typeof clientKinds)[number];
/** F-8: what `imports` in a file may name. */
export const importKinds = ['cursor', 'claude-code', 'claude-desktop', 'opencode', 'vscode', 'windsurf', 'codex'] as const;

export interface SecretDescriptor {
  /** `env`, `headers`, `url`, `args`, `bearerToken`, `oauth.clientSecret`… ; `input` for a value that the other program asks for and that no file holds. */
  readonly field: string;
  readonly key: string;
  readonly suggestedKey: SecretKey;
  readonly scope: ConfigScope;
}
/** A server found elsewhere, or read from pasted text: inert, with placeholder references where secrets stood. */
export interface Candidate {
  /** Within its source; names may repeat over sources. */
  readonly name: string;
  readonly transport: TransportConfig;
  readonly options: ServerOptions;
  readonly enabled: boolean;
  /** Command line or address, masked. */
  readonly target: string;
  readonly alreadyConfigured: boolean;
  readonly hasPlaintextSecrets: boolean;
  readonly secretDescriptors: readonly SecretDescriptor[];
  readonly place?: Place;
}
export interface DiscoveredSource {
  readonly id: string;
  readonly client: ClientKind;
  readonly label: string;
  readonly scope: ConfigScope;
  readonly path: string;
  /** Claude Code keeps servers per project; which one these belong to. */
  readonly project?: string;
  readonly candidates: readonly Candidate[];
}
export interface Discovery {
  readonly sources: readonly DiscoveredSource[];
  readonly issues: readonly ConfigIssue[];
}

/** What becomes of one candidate. */
export const Pick = z.strictObject({
  /** A discovered source's id; `text` for what was pasted. */
  source: z.string().max(400),
  name: z.string().max(400),
  as: ServerName.optional(),
  onDuplicate: z.enum(['refuse', 'skip', 'rename', 'replace']).default('refuse'),
  /**
   * By `field.key`: bind a secret that exists, store the plain text under this name, or keep it in the open because it is no secret (`request/invalid` for
   * what looks like one). Unnamed ones are stored under their suggested names.
   */
  secrets: z
    .record(z.string(), z.union([z.strictObject({ use: SecretKey, scope: ConfigScope }), z.strictObject({ create: SecretKey }), z.strictObject({ plain: z.literal(true) })]))
    .default({}),
});
export type Pick = z.infer<typeof Pick>;
/** What would happen: nothing is written and nothing is stored yet. */
export interface ImportPlan {
  /** Shape that was recognised, for people. */
  readonly format: string;
  readonly candidates: readonly Candidate[];
  readonly rows: readonly {
    readonly source: string;
    readonly name: string;
    readonly as: string;
    readonly action: 'add' | 'replace' | 'rename' | 'skip' | 'refuse';
    readonly secretsToCreate: readonly SecretKey[];
  }[];
  /** Unified diff of the file that will change. */
  readonly diff: string;
  readonly file: string;
  readonly issues: readonly ConfigIssue[];
}
export const ExportShape = z.enum(['gatehouse', 'claude', 'vscode', 'cursor']);
export type ExportShape = z.infer<typeof ExportShape>;
