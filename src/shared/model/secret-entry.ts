import * as z from 'zod';
import type { ServerId } from '../ids.ts';
import type { ConfigScope, SecretKey } from './config-value.ts';

/** `prompt` asks once per launch identity and secret, and remembers; `deny` is read by nothing. */
export const SecretPolicy = z.enum(['auto', 'prompt', 'deny']);
export type SecretPolicy = z.infer<typeof SecretPolicy>;

/** Where a secret is named. */
export interface SecretUse {
  readonly server: string;
  readonly serverId?: ServerId;
  /** The source's label. */
  readonly source: string;
  /** As a path within the entry: `env.API_KEY`. */
  readonly field: string;
}
export interface SecretEntry {
  readonly key: SecretKey;
  readonly scope: ConfigScope;
  /** Absent: the global default holds. */
  readonly policy?: SecretPolicy;
  readonly updatedAt: number;
  readonly lastReadAt?: number;
  /** The server's name, or what else read it. */
  readonly lastReadBy?: string;
  readonly usedBy: readonly SecretUse[];
  /** Named by a file and not in the vault. */
  readonly missing: boolean;
}

/** A secret-looking text in a file, in the open. Its value is not here. */
export interface FoundLiteral {
  readonly source: string;
  readonly file: string;
  readonly server: string;
  /** As a path within the entry: `env.API_KEY`, `headers.Authorization`, `args.3`, `url`, `bearerToken`, `oauth.clientSecret`. */
  readonly field: string;
  readonly suggestedKey: SecretKey;
  readonly scope: ConfigScope;
  readonly line?: number;
  /** Why it can only be moved by hand: a file that the app does not write, or a place (`args`) that would show the value to every program. */
  readonly fixed?: 'foreign-file' | 'argument';
}

/** A launch that wants a secret whose policy is `prompt`, and waits. */
export interface SecretQuestion {
  readonly id: string;
  readonly serverId: ServerId;
  readonly server: string;
  /** Command line or address, masked. */
  readonly target: string;
  readonly key: SecretKey;
  readonly scope: ConfigScope;
  /** A project file asks for a global secret: a grant is needed whatever the policy. */
  readonly fromProject?: string;
}
