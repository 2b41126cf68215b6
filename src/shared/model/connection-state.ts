import type { ErrorCode } from '../errors.ts';
import type { ConfigScope, SecretKey } from './config-value.ts';

/** Why a connection is not there, in full: the person reads it on the server's row. */
export interface ConnectionFailure {
  readonly code: ErrorCode;
  /** One line, secrets masked, at most 500 characters. */
  readonly message: string;
  /** The end of stderr, the HTTP body's first words, directories searched…; at most 8 KiB, secrets masked. */
  readonly detail?: string;
  readonly exitCode?: number;
  readonly signal?: string;
  readonly httpStatus?: number;
}

export type ConnectionState =
  /** `asleep` starts when used; `queued`: it is to connect, and waits for its turn. `by-person` stays off until started. `disabled` refuses to start. */
  | { readonly phase: 'stopped'; readonly why: 'asleep' | 'by-person' | 'disabled'; readonly queued?: true }
  | { readonly phase: 'starting'; readonly since: number; readonly attempt: number }
  | {
      readonly phase: 'ready'; readonly since: number; readonly protocolVersion: string; readonly era: 'modern' | 'legacy'; readonly server: ServerIdentity; readonly pid?: number;
      /** When it is stopped if nobody uses it before; absent while it is used, and for one that is never stopped. */
      readonly stopsAt?: number;
      /** Run without the package manager that its command names. */
      readonly package?: LaunchedPackage;
    }
  /** Was ready, lost its link, and is being brought back; its tools stay listed. */
  | { readonly phase: 'reconnecting'; readonly since: number; readonly attempt: number; readonly retryAt: number; readonly failure: ConnectionFailure }
  /** `secret` says which value is missing, so that it can be asked for. */
  | { readonly phase: 'needs'; readonly what: 'sign-in' | 'secret' | 'trust' | 'project'; readonly message: string; readonly secret?: MissingSecret }
  /** `retryAt` is absent when only a person starts it again. */
  | { readonly phase: 'failed'; readonly at: number; readonly failure: ConnectionFailure; readonly retryAt?: number };

/** A package whose program is run by Node itself, in place of the `npx` that would stay beside it (F-176). */
export interface LaunchedPackage {
  readonly name: string;
  readonly version: string;
  /** Resident bytes of the `npx` (and its shell) that does not run: measured once on this machine; absent where that was not possible. */
  readonly savedBytes?: number;
}
export interface MissingSecret {
  readonly key: SecretKey;
  readonly scope: ConfigScope;
  /** As a path within the entry: `env.API_KEY`. */
  readonly field: string;
  /** The `${input:id}` whose value it is. */
  readonly input?: string;
}
export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
}

/** One line of a server's log: its stderr, text on stdout that is no protocol, logging notifications, and what the app did. Secrets masked. */
export interface ServerLogLine {
  readonly at: number;
  readonly from: 'stderr' | 'stdout' | 'server' | 'gatehouse';
  readonly level: 'debug' | 'info' | 'warning' | 'error';
  readonly text: string;
}
