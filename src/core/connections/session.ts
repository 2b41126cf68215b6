import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { ConnectionState, ServerIdentity, ServerLogLine } from '../../shared/model/connection-state.ts';
import type { AskingCall, ElicitationAction, ElicitationContent } from '../../shared/model/elicitation.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ServerRules } from '../../shared/model/server-rules.ts';
import type { Revision, ServerId } from '../../shared/ids.ts';
import type { HttpAuth } from '../auth/http-auth.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Clock, Log, NetworkEvents, PackageCommands, ReadyStdioLaunch, Transports } from '../ports.ts';
import type { MessageTap } from './message-tap.ts';

/** A definition with everything filled in, for the moment of connecting. */
export type ReadyLaunch =
  | { readonly type: 'stdio'; readonly launch: ReadyStdioLaunch }
  | {
      readonly type: 'streamable-http' | 'sse';
      readonly url: string | Secret;
      readonly headers: Readonly<Record<string, string | Secret>>;
      /** Who signs its requests; absent for a server that is never signed in to (F-154). */
      readonly auth?: HttpAuth;
    }
  | { readonly type: 'socket'; readonly path: string };

/** What a server listed, item by item as it came: whoever reads it parses each on its own. `warnings` say what did not arrive. */
export interface ServerListing {
  readonly server: ServerIdentity;
  readonly instructions?: string;
  readonly tools: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly resourceTemplates: readonly unknown[];
  readonly prompts: readonly unknown[];
  /** It can be asked for skills. None has been asked for. */
  readonly skills?: true;
  readonly warnings: readonly string[];
}

/** A tool's answer as it came. An `isError` answer is data like any other; `structuredContent` has been checked by nobody. */
export interface RawToolResult {
  readonly content: readonly unknown[];
  readonly structuredContent?: unknown;
  readonly isError: boolean;
  readonly meta?: JsonObject;
  /** The whole result object. */
  readonly raw: JsonObject;
}
export interface CallProgress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}
export interface CallOptions {
  /** Silence that ends the call, in milliseconds; progress starts it anew. */
  readonly idleMs: number;
  /** The end of the call whatever it reports, in milliseconds. */
  readonly totalMs: number;
  readonly onProgress?: (progress: CallProgress) => void;
  /** Whose call it is, for what its server asks meanwhile. */
  readonly from?: AskingCall;
}

export interface CompletionWanted {
  readonly ref: { readonly type: 'ref/prompt'; readonly name: string } | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** What the others are, as far as they are filled in. */
  readonly others: Readonly<Record<string, string>>;
}

/** One server's connection while it is used. Everything here throws AppError and nothing of the SDK's. */
export interface ServerSession {
  readonly identity: ServerIdentity;
  readonly protocolVersion: string;
  readonly era: 'modern' | 'legacy';
  readonly capabilities: JsonObject;
  /**
   * Throws `tool/failed` (the server's JSON-RPC error), `tool/timed-out`, `tool/outcome-unknown` (sent, and no answer came: never
   * sent again by the app), `run/cancelled` once `signal` aborts, and whatever connecting can throw.
   */
  callTool(name: string, args: JsonObject, options: CallOptions, signal: AbortSignal): Promise<RawToolResult>;
  /** The raw result: `contents` is the server's. */
  readResource(uri: string, signal: AbortSignal): Promise<JsonObject>;
  /** What the server suggests for an argument of a prompt or a variable of a template; nothing from one that does not suggest. */
  complete(wanted: CompletionWanted, signal: AbortSignal): Promise<JsonObject | undefined>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<JsonObject>;
  /** A page of its skills; nothing from a server that does not say that it has any (SEP-2640). */
  listSkills(cursor: string | undefined, signal: AbortSignal): Promise<JsonObject | undefined>;
  /** What it says of one skill, by the address of its SKILL.md; the same. */
  getSkill(uri: string, signal: AbortSignal): Promise<JsonObject | undefined>;
}

/** How a server was last reached, so that the next connect need not find out again. */
export type EraVerdict =
  | { readonly era: 'modern'; readonly at: number }
  | { readonly era: 'legacy'; readonly at: number; readonly over?: 'sse'; readonly offered?: '2024-11-05' };
/** Keyed by the definition's revision. */
export interface EraCache {
  get(key: Revision): EraVerdict | undefined;
  set(key: Revision, verdict: EraVerdict | undefined): void;
}

/** What a server may ask of the app. Only what has a handler here is advertised. */
export interface ServerRequests {
  /** `file://` URIs of the open project; empty without one. */
  readonly roots?: (serverId: ServerId, signal: AbortSignal) => Promise<readonly { readonly uri: string; readonly name?: string }[]>;
  /** Questions for the person. Advertised when it is on as the connection is made. */
  readonly elicitation?: {
    readonly isOn: () => boolean;
    /** `params` is untrusted; `calls` are those that it may be about. Throws `request/invalid` for what cannot be asked, and the signal's reason. */
    readonly ask: (params: unknown, from: { readonly serverId: ServerId; readonly calls: readonly AskingCall[] }, signal: AbortSignal) => Promise<{ readonly action: ElicitationAction; readonly content?: ElicitationContent }>;
    /** The server says that the business of one of its pages is over; `id` is its own. */
    readonly completed: (serverId: ServerId, id: string) => void;
  };
}

/** What goes on while a launch is worked out. */
export interface LaunchProgress {
  /** A person started it: what they denied before may be asked again. */
  readonly byPerson: boolean;
  /** A person is being asked for something, until `undefined` or the launch's failure. */
  readonly asking: (message: string | undefined) => void;
  /** Something of it is not as the person may expect; without secrets. */
  readonly warn: (text: string) => void;
}

export interface ConnectionPoolDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly transports: Transports;
  readonly packages?: PackageCommands;
  readonly network: NetworkEvents;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /**
   * The only way from definition to launch. Throws `secret/*`, `vault/*`, `trust/needed`, `project/needed`, `auth/sign-in-required` for
   * what a person must do first. May wait for a person: the handshake's time starts after it.
   */
  readonly resolveLaunch: (definition: ServerDefinition, progress: LaunchProgress, signal: AbortSignal) => Promise<ReadyLaunch>;
  /** Hides secret values in text for people and logs. */
  readonly mask: (text: string) => string;
  readonly onState: (serverId: ServerId, state: ConnectionState) => void;
  readonly onLog: (serverId: ServerId, line: ServerLogLine) => void;
  /** Asked once for each link. */
  readonly tap?: (serverId: ServerId, over: 'stdio' | 'socket' | 'http' | 'sse') => MessageTap;
  /** After each connect, and when a server's lists have changed; never for a list that came out the same. */
  readonly onListing: (serverId: ServerId, listing: ServerListing) => void;
  readonly eraCache: EraCache;
  /** How it lives and how long it may take; asked at each use, for settings change. */
  readonly rules: (definition: ServerDefinition) => ServerRules;
  /** What it offers has to be looked at, for tools of it are pinned and nothing current is known of them (F-42). */
  readonly needsDiscovery?: (serverId: ServerId) => boolean;
  readonly serverRequests?: ServerRequests;
  /** 0 ≤ n < 1, for jitter. */
  readonly random?: () => number;
}
/** What one link needs of it. */
export type LinkDeps = Omit<ConnectionPoolDeps, 'rules' | 'needsDiscovery'>;
