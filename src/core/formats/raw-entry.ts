import type { SecretReference } from '../../shared/model/config-value.ts';
import type { ApproveTools, Lifecycle, ProtocolMode, ServerLimits, ToolPrefix } from '../../shared/model/server-options.ts';
import type { RunLayer } from '../../shared/model/run-layer.ts';
import type { ConfigIssue, Place } from '../../shared/model/source.ts';

/**
 * What files say, before anything is filled in or masked. It may hold secrets in the open: it never leaves core, is never logged, and never
 * becomes state. `ServerDefinition` is what may be shown of it.
 */
export type RawValue = string | { readonly plain: string } | SecretReference;
export type RawValues = Readonly<Record<string, RawValue>>;
export interface RawOAuth {
  readonly grantType?: 'authorization_code' | 'client_credentials' | 'jwt-bearer';
  readonly clientId?: string;
  readonly clientSecret?: RawValue;
  readonly scope?: string;
  readonly redirectUri?: string;
  readonly clientName?: string;
  readonly clientUri?: string;
  readonly clientMetadataUrl?: string | false;
  readonly skipIssuerMetadataValidation?: boolean;
  readonly authorizationParams?: Readonly<Record<string, string>>;
  readonly privateKeyJwt?: {
    /** A JWK object is kept as its JSON text. */
    readonly privateKey: RawValue;
    readonly algorithm: string;
    readonly audience?: string;
    readonly lifetimeSeconds?: number;
    readonly claims?: Readonly<Record<string, unknown>>;
  };
  /** What a workload proves itself with (`jwt-bearer`). */
  readonly assertion?: RawValue;
  readonly crossAppAccess?: { readonly idpUrl: string; readonly clientId: string; readonly idToken: RawValue; readonly clientSecret?: RawValue };
}
/** By the names of Gatehouse's own files, whatever the file called them. Absent means that the file does not say. */
export interface RawFields {
  readonly enabled?: boolean;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: RawValues;
  readonly envFile?: string;
  readonly url?: string;
  /** Absent with a url: Streamable HTTP with SSE fallback. */
  readonly type?: 'stdio' | 'sse' | 'streamable-http';
  readonly headers?: RawValues;
  readonly socket?: string;
  readonly auth?: 'bearer' | 'oauth' | false;
  readonly bearerToken?: RawValue;
  readonly bearerTokenEnv?: string;
  readonly oauth?: RawOAuth | false;
  readonly autoAuth?: boolean;
  readonly protocolVersion?: ProtocolMode;
  readonly limits?: ServerLimits;
  readonly requestTimeoutMs?: number;
  readonly lifecycle?: Lifecycle;
  readonly idleTimeout?: number;
  readonly required?: boolean;
  readonly approveTools?: ApproveTools;
  readonly exposeResources?: boolean;
  readonly directTools?: boolean | readonly string[];
  readonly toolPrefix?: ToolPrefix;
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly retryOnTransportFailure?: boolean;
  readonly debug?: boolean;
  readonly trace?: boolean;
}
export type RawField = keyof RawFields;
export interface RawEntry {
  readonly name: string;
  readonly fields: RawFields;
  /** Of the entry's name in the file. */
  readonly place?: Place;
  readonly fieldPlaces?: Readonly<Partial<Record<RawField, Place>>>;
  /** Claude Code keeps servers by project: the folder that they belong to. */
  readonly project?: string;
}
/** VS Code's `inputs`: what `${input:id}` stands for. */
export interface RawInput {
  readonly id: string;
  readonly description?: string;
  readonly password: boolean;
  readonly default?: string;
}
/** A file, read. One bad entry never hides the others; `broken` means that nothing of it could be read and that it must not be written. */
export interface ParsedSource {
  readonly entries: readonly RawEntry[];
  readonly issues: readonly ConfigIssue[];
  readonly broken: boolean;
  /** The scope's own switch: `mcpServers: { enabled, servers: [] }`, or `enabled` of a TOML `[mcp]` table. */
  readonly enabled?: boolean;
  readonly imports: readonly string[];
  /** The adapter's `settings`, as they stand. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly inputs: readonly RawInput[];
  /** What a `config.toml` says of runs. */
  readonly run?: RunLayer;
}
