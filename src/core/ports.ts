import type { Transport } from '@modelcontextprotocol/client';
import type { ChatId, ContentId, SecretId } from '../shared/ids.ts';
import type { BackupReport } from '../shared/ipc/contract/home.ts';
import type { ServerLogLine } from '../shared/model/connection-state.ts';
import type { ContentRef } from '../shared/model/content.ts';
import type { JsonObject } from '../shared/model/catalog.ts';
import type { ReasoningEffort, RunLayer } from '../shared/model/run-layer.ts';
import type { ModelProvider, ProviderKind, VaultStatus } from '../shared/model/settings.ts';
import type { Usage } from '../shared/model/transcript-entry.ts';
import type { Secret } from './kernel/secret.ts';

/** Everything that core needs from outside. `node/` and `main/` fill it; tests fill it with fakes. */
export interface Ports {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly documents: Documents;
  readonly configFiles: ConfigFiles;
  readonly host: Host;
  readonly secretCommands: SecretCommands;
  readonly transcripts: TranscriptStore;
  readonly contents: ContentStore;
  readonly traces: TraceFiles;
  readonly vault: Vault;
  readonly sealed: SealedStore;
  readonly homeArchive: HomeArchive;
  readonly transports: Transports;
  readonly signInFetch: SignInFetch;
  readonly signInListeners: SignInListeners;
  readonly browser: Browser;
  readonly locks: Locks;
  readonly packages: PackageCommands;
  readonly builtInServers: BuiltInServers;
  readonly schemas: SchemaValidator;
  readonly scripts: ScriptSandbox;
  readonly models: Models;
  readonly tokens: TokenCounter;
  readonly network: NetworkEvents;
  /** Is there somebody to ask? With none, a question becomes `user/needed` at once. */
  readonly interaction: 'person' | 'none';
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Like `sleep`, and a process that has nothing else to do may end meanwhile. */
  doze(ms: number, signal: AbortSignal): Promise<void>;
}

/** For developers, on disk. Callers never pass secrets, arguments or results. */
export interface Log {
  info(message: string, data?: JsonObject): void;
  warn(message: string, data?: JsonObject): void;
  error(message: string, error: unknown): void;
}

/** Where lines about protocol messages go. Nothing here throws: what cannot be written is dropped. */
export interface TraceFiles {
  /** Appends to `file`, from the home where it is relative; without one to a new file in `traces/`, of which the newest 20 are kept. Made with its first line, for its owner alone. */
  open(file: string | undefined): TraceFile;
}
export interface TraceFile extends Disposable {
  append(line: string): void;
}

/** Small named text files of the home, such as `mcp.json`. */
export interface Documents {
  /** `undefined` when there is no such file. Throws `storage/failed`. */
  read(name: string, signal: AbortSignal): Promise<string | undefined>;
  /** Reads, edits and replaces in one step, against other processes too; atomic and durable. `edit` may throw to leave the file as it is. */
  update(name: string, edit: (current: string | undefined) => string, signal: AbortSignal): Promise<void>;
}

/** Configuration files anywhere on this machine, the person's and other programs'. Nothing is run, resolved or fetched by any of it. */
export interface ConfigFiles {
  /** UTF-8 text without its byte-order mark; `undefined` when there is no such file. Throws `storage/failed` with `data.reason` (`not-utf-8`, `too-large` over 8 MiB). */
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Reads, edits and replaces in one step, against other processes too; atomic and durable. Byte-order mark, mode and symlink stay; what the file held before
   * is kept in the home's backups. Missing folders are made. `edit` may throw to leave the file as it is.
   */
  update(path: string, edit: (current: string | undefined) => string, signal: AbortSignal): Promise<void>;
  remove(path: string, signal: AbortSignal): Promise<void>;
  /** Names of the files in a folder; empty when there is no folder. */
  list(folder: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Calls back once writing has settled when one of these files changes, appears or goes; also through a symlink and an editor's rename. */
  watch(paths: readonly string[], onChange: (path: string) => void): FileWatch;
}
export interface FileWatch extends Disposable {
  /**
   * Around a reading of these files. Afterwards a change is what differs from how they stood before it: a file that came, was read and went again before
   * anybody looked is told, though it is as it was when last looked at. Where `read` fails, nothing is taken as read.
   */
  reading<T>(read: () => Promise<T>): Promise<T>;
}
/** The machine and the person's folders. */
export interface Host {
  readonly platform: 'linux' | 'darwin' | 'win32';
  readonly homeFolder: string;
  /** `XDG_CONFIG_HOME`, or ~/.config. */
  readonly configFolder: string;
  /** Windows: %APPDATA%; macOS: ~/Library/Application Support; Linux: the config folder. */
  readonly appDataFolder: string;
  readonly gatehouseHome: string;
  /** `GATEHOUSE_MCP_SERVERS`, or `HARNESS_MCP_SERVERS` when the first is unset. */
  readonly environmentServers: { readonly variable: string; readonly text: string } | undefined;
  /**
   * `GATEHOUSE_MODEL`, `…_MAX_STEPS`, `…_MAX_COST_USD`, `…_REASONING_EFFORT` and `…_SYSTEM_PROMPT`, or the same with `HARNESS_` when the first is unset (H-13). What is
   * blank says nothing; what cannot be understood is left out and in the log.
   */
  readonly environmentRun: RunLayer;
  /** `MCP_OUTPUT_GUARD`: `0|false|no|off` and `1|true|yes|on` force the guard on results off and on, whatever the settings say; anything else does not count (F-123). */
  readonly outputGuard: boolean | undefined;
  /** `MCP_OAUTH_CALLBACK_PORT`, where it is a port (F-164). */
  readonly signInPort: number | undefined;
  /** `MCP_DIRECT_TOOLS`, as it is written (F-103). */
  readonly directTools: string | undefined;
  /** The person's login-shell environment: what `${VAR}` means. Asked for at launch only. */
  environment(signal: AbortSignal): Promise<Readonly<Record<string, string>>>;
  /** What an `envFile` says: its `NAME=value` lines. */
  readEnvFile(text: string): Readonly<Record<string, string>>;
}
/** `!command` values. */
export interface SecretCommands {
  /**
   * Runs in the person's shell with no stdin and no stderr; what it prints, trimmed. Throws `secret/command-failed`, with `data.why`: `timed-out` after 10 s, `too-large` over 1 MiB,
   * `not-started`, `exit` with `data.exitCode`, `empty`. Its output is in no message.
   */
  run(command: string, signal: AbortSignal): Promise<Secret>;
}

/** Append-only logs, one a chat. What was appended durably survives kill −9 and power loss. */
export interface TranscriptStore {
  list(signal: AbortSignal): Promise<readonly ChatId[]>;
  /** Opens or creates; cuts a half-written last line. One writer per chat. */
  open(chatId: ChatId, signal: AbortSignal): Promise<TranscriptFile>;
  remove(chatId: ChatId, signal: AbortSignal): Promise<void>;
}
export interface TranscriptFile extends AsyncDisposable {
  /** Every whole record, in order, as parsed JSON. A line that is no JSON is left out and counted. */
  readonly records: readonly unknown[];
  readonly skipped: number;
  /** Resolves when written (`durable`: when it would survive a power cut). Calls are kept in order. */
  append(records: readonly JsonObject[], durable: boolean): Promise<void>;
}

/** What is put: bytes, text in pieces, or base64 in any of its alphabets. The last two are written as they come; the whole is in memory once at most. */
export type ContentSource = Uint8Array | { readonly text: Iterable<string>; /** It stands elsewhere too: a power cut may take it. */ readonly spare?: boolean } | { readonly base64: string };
export interface KeptContent {
  readonly id: ContentId;
  readonly keeper: ChatId;
  /** Milliseconds since the epoch. */
  readonly keptAt: number;
}
/** Large or binary results, files of mode 0600 that live as long as their chat. Throws `storage/failed`, with `data.reason` where the system gave one. */
export interface ContentStore {
  /** Nothing is left behind when it fails. */
  put(keeper: ChatId, source: ContentSource, mimeType: string, signal: AbortSignal): Promise<ContentRef>;
  /** `undefined` for what is not there. Nothing outside of the store is ever found, through links neither. */
  keeperOf(id: ContentId, signal: AbortSignal): Promise<ChatId | undefined>;
  /** Removes what a crash left half written, everything of a keeper that is `gone`, and of one to `look` at the contents that are over. */
  tidy(over: { readonly keeper: (keeper: ChatId) => 'gone' | 'look' | 'keep'; readonly content: (content: KeptContent) => boolean }, signal: AbortSignal): Promise<void>;
  read(id: ContentId, offset: number, limit: number, signal: AbortSignal): Promise<{ readonly bytes: Uint8Array; readonly total: number; readonly mimeType: string }>;
  removeChat(chatId: ChatId, signal: AbortSignal): Promise<void>;
}

/** Where secret values live. Throws `vault/unavailable | locked | key-missing | damaged`; stores nothing in the open, ever. */
export interface Vault {
  readonly status: VaultStatus;
  onStatus(listener: (status: VaultStatus) => void): Disposable;
  /** Finds the keyring and the file. Never throws for a missing keyring: the status says so. */
  open(signal: AbortSignal): Promise<VaultStatus>;
  useMemoryOnly(): VaultStatus;
  put(id: SecretId, value: Secret, scope: string, signal: AbortSignal): Promise<void>;
  get(id: SecretId, reader: string, signal: AbortSignal): Promise<Secret | undefined>;
  remove(id: SecretId, signal: AbortSignal): Promise<void>;
  /** `empty`: its value was given up by a reset, its name is kept. */
  list(signal: AbortSignal): Promise<readonly { readonly id: SecretId; readonly scope: string; readonly updatedAt: number; readonly lastReadAt?: number; readonly lastReadBy?: string; readonly empty?: true }[]>;
  /** Gives up every value, keeps ids and scopes, and begins anew with a new key. */
  reset(signal: AbortSignal): Promise<VaultStatus>;
}

/** Texts too large or too short-lived for the vault, sealed with its key (AES-256-GCM), each bound to its name and in a file of its own. */
export interface SealedStore {
  /** Replaces. `memory`: the vault can keep nothing now, so it ends with the process. Throws `storage/failed`. */
  put(name: string, text: string, expiresAt: number, signal: AbortSignal): Promise<'disk' | 'memory'>;
  /** `undefined` for what is not there, is over its time, was changed or moved, or belongs to another key. */
  get(name: string, signal: AbortSignal): Promise<string | undefined>;
  remove(name: string, signal: AbortSignal): Promise<void>;
}

/** The whole home in one file. One thing at a time. */
export interface HomeArchive {
  /**
   * Everything but what belongs to this machine or this run; values of the vault only under a passphrase. A new file of mode 0600. Throws
   * `storage/failed` (`data.reason` `exists`), `request/invalid` for a path within the home, `vault/*` when there is a passphrase.
   */
  backup(path: string, passphrase: Secret | undefined, signal: AbortSignal): Promise<BackupReport>;
  /**
   * Checks the file, which is not trusted, and lays it ready for the next start, which puts it in the home's place and keeps the old home. Values go
   * into a vault under this machine's own key. Throws `config/invalid` with `data.reason` (`not-a-backup`, `damaged`, `unsafe-path`, `too-large`),
   * `secret/missing` for a wrong passphrase, `home/newer`, `vault/*`; the home is untouched then.
   */
  stageRestore(path: string, passphrase: Secret | undefined, signal: AbortSignal): Promise<BackupReport>;
}

/** A stdio launch with everything filled in. Exists only while it is being started; never stored, never shown. */
export interface ReadyStdioLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | Secret>>;
  /** The app's own runtime: started as it is, with no search along PATH and without the login shell's environment. */
  readonly ownRuntime: boolean;
  /** Also writes its stderr to the app's own (F-45). */
  readonly debug?: true;
  /** The package whose program it runs in place of `npx`. */
  readonly package?: ResolvedPackage;
}
export interface ResolvedPackage {
  readonly name: string;
  readonly version: string;
}
/** Runs the program of an installed package directly, without the package manager that a command line names (F-176…F-179). */
export interface PackageCommands {
  /** The launch with Node and the package's program, or as it was: for every other command, and whenever anything is in doubt. Never fails but with the signal. */
  resolve(launch: ReadyStdioLaunch, signal: AbortSignal): Promise<ReadyStdioLaunch>;
  /** What this command line was last resolved to, if it ever was. */
  known(command: string, args: readonly string[]): ResolvedPackage | undefined;
  /** Resident bytes of an `npx` with its shell on this machine; absent until it was measured, and where it cannot be. */
  readonly savedBytes: number | undefined;
}
export interface TransportObserver {
  /** A line for the server's log, before masking. */
  log(line: Omit<ServerLogLine, 'at'>): void;
}
/** How a process ended; what `failed` says of it. */
export interface ProcessEnd {
  readonly exitCode?: number;
  readonly signal?: string;
  /** The last 8 KiB of stderr, before masking. */
  readonly stderr: string;
}
export interface StdioTransport extends Transport {
  /**
   * Starts the process and no more; `start()` does so itself where nobody did. The same start for everyone who asks. What the process writes waits for `start()`. Throws
   * what `start()` throws.
   */
  launch(): Promise<void>;
  readonly pid: number | null;
  /** Set once the process has ended. */
  readonly ended: ProcessEnd | undefined;
  /** The first lines of text on stdout, 2 KiB at most, before masking, while nothing on it was a message of the protocol. */
  readonly saidInstead: string | undefined;
}
export interface Transports {
  /** `start()` throws `launch/command-not-found` (with `data.searched`) or `launch/not-permitted`. `close()` leaves no process of the group behind. */
  stdio(launch: ReadyStdioLaunch, observer: TransportObserver): StdioTransport;
  socket(path: string, observer: TransportObserver): Transport;
  /** For MCP over HTTP: caps body sizes and time to headers, follows no redirect to another origin. */
  readonly fetch: typeof fetch;
}

/**
 * `fetch` for everything that signing in touches: metadata, registration, tokens, revocation. Only https; http for a `trusted` host alone. Every address that a name stands
 * for must be public, and the one that was looked at is the one that is dialled; a `trusted` host (`name:port`, the port always said) may be anywhere. Redirects are
 * followed within the origin, for GET only, at most three times. 1 MiB and 15 s a request. Honours the system's certificates and proxies. Throws `auth/address-refused`
 * (`data.why`: `scheme`, `credentials`, `redirect`), `auth/host-blocked` (`data.host`), `tool/result-too-large`, `connection/*` with the cause's own words, or the signal's reason.
 */
export type SignInFetch = (trusted: (host: string) => boolean) => typeof fetch;

/** What a browser brought to the redirect URI; `unknown` leaves everything as it was. */
export type CallbackVerdict = 'accepted' | 'denied' | 'unknown';
export interface SignInListener extends AsyncDisposable {
  /** With the port that it really has. */
  readonly redirectUri: string;
}
/** Hears the browser come back (RFC 8252, section 7.3). */
export interface SignInListeners {
  /**
   * Listens on loopback only, at exactly this path, for GET with exactly its own Host; everything else is 404 and never reaches `onCallback`. Each page is static, under a
   * policy that runs nothing; `unknown` is answered with 400. `localhost` listens on both families. Port 0: any that is free. Throws `auth/port-busy` with `data.port`.
   */
  open(wanted: { readonly host: 'localhost' | '127.0.0.1' | '[::1]'; readonly port: number; readonly path: string }, onCallback: (params: URLSearchParams) => CallbackVerdict, signal: AbortSignal): Promise<SignInListener>;
}

/** The person's own browser. */
export interface Browser {
  /** The address has passed the gate of `externalUrl`. Throws `user/needed` where there is none to open. */
  open(url: string, signal: AbortSignal): Promise<void>;
}

/** One at a time, over every process that works on this home. */
export interface Locks {
  run<T>(name: string, work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** The two servers that come with the app, run by its own runtime. */
export interface BuiltInServers {
  launch(which: 'notes' | 'files', project: string | undefined): ReadyStdioLaunch;
}

/** JSON Schema off the main thread: a server's `pattern` can be hostile. 250 ms, then `too-slow`. */
export interface SchemaValidator {
  check(schema: JsonObject, value: unknown, signal: AbortSignal): Promise<SchemaVerdict>;
}
export type SchemaVerdict =
  | { readonly kind: 'fits' }
  | { readonly kind: 'misfits'; readonly problems: readonly string[] }
  /** The schema itself cannot be used. */
  | { readonly kind: 'unusable'; readonly reason: 'too-slow' | 'not-a-schema'; readonly message: string };

/** Where a script runs: QuickJS on a thread of its own. It has the language and the one function that it is given; no network, files, timers, modules or clock of this machine. */
export interface ScriptSandbox {
  /** Never rejects for what the script does. Rejects with the signal's reason when that aborts, which ends the script at once. */
  run(job: ScriptJob, signal: AbortSignal): Promise<ScriptEnd>;
}
export interface ScriptJob {
  /** The body of an async function: `await` and `return` work. It calls `host.call(name, json)` and gets JSON text back. What it returns is a string. */
  readonly source: string;
  /**
   * What `host.call` does. A pause suspends the script once all that it has under way is answered; resumed, the call gives what `answers` holds for the pause.
   * A throw reaches the script without its message: answer with an error instead. `signal` aborts when the script ends.
   */
  readonly host: (name: string, json: string, signal: AbortSignal) => Promise<{ readonly kind: 'answer'; readonly json: string } | { readonly kind: 'pause'; readonly reason: JsonObject }>;
  /** From now on, whatever the script waits for; `null` for no limit. A pause ends the count. */
  readonly timeoutMs: number | null;
  /** Goes on from a pause, with the same source: what was answered before is answered again from the record, and nothing is called twice. */
  readonly resume?: { readonly continuation: string; readonly answers: readonly { readonly pauseId: string; readonly json: string }[] };
}
export type ScriptEnd =
  | { readonly kind: 'returned'; readonly text: string }
  /** `continuation` holds the script's record, arguments and answers included: a secret. */
  | { readonly kind: 'paused'; readonly continuation: string; readonly pauses: readonly { readonly id: string; readonly reason: JsonObject }[] }
  /** `memory`: over 64 MiB. `calls`: more than 2,000 or 64 at once. `record`: what it said or was told is too much to be kept. */
  | { readonly kind: 'failed'; readonly why: 'timeout' | 'error' | 'memory' | 'calls' | 'record' | 'busy'; readonly message: string; /** Of the source, from 1. */ readonly line?: number };

export interface ModelTool {
  readonly name: string;
  readonly description: string;
  /** Already fitted to the provider. */
  readonly inputSchema: JsonObject;
}
export type ModelMessage =
  | { readonly role: 'user'; readonly text: string; readonly images?: readonly { readonly mimeType: string; readonly bytes: Uint8Array }[] }
  | {
      readonly role: 'assistant'; readonly text: string;
      readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
      /** The provider's own form of this answer, used when provider kind and model are the same. */
      readonly replay?: { readonly kind: ProviderKind; readonly model: string; readonly messages: unknown };
    }
  | { readonly role: 'tool'; readonly results: readonly ModelToolResult[] };
export interface ModelToolResult {
  readonly callId: string;
  readonly name: string;
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly { readonly mimeType: string; readonly bytes: Uint8Array }[];
}
export interface ModelStep {
  readonly provider: ModelProvider;
  readonly key: Secret | undefined;
  readonly model: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ModelTool[];
  /** Absent: whatever the provider does by itself. A model that refuses it is asked again without it. */
  readonly reasoningEffort?: ReasoningEffort;
}
export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** `args` is parsed JSON; `invalid` holds the text that was no JSON object. */
  | { readonly type: 'tool-call'; readonly id: string; readonly name: string; readonly args: JsonObject | undefined; readonly invalid?: string }
  | { readonly type: 'finished'; readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'; readonly usage?: Usage; readonly replay?: { readonly kind: ProviderKind; readonly model: string; readonly messages: unknown } };
export interface Models {
  /**
   * One answer of a model. Throws `model/key-refused`, `model/unreachable`, `model/overloaded` (after its own few retries before the first event),
   * `model/refused` (with `data.toolIndex` or `data.toolName` when the provider blames one tool), `model/failed`. An abort ends it within moments.
   */
  step(step: ModelStep, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Loads what a first answer of such a provider needs; sends nothing. Never throws. */
  prepare(kind: ModelProvider['kind']): Promise<void>;
  list(provider: ModelProvider, key: Secret | undefined, signal: AbortSignal): Promise<readonly string[]>;
  /** Ollama, LM Studio, llama.cpp on loopback. Never throws. */
  detect(signal: AbortSignal): Promise<readonly ModelProvider[]>;
}

/** Estimates, in the vocabulary of o200k: what providers count differs a little. Off the main thread; rejects when it cannot count. */
export interface TokenCounter {
  /** One number for each text, in their order. */
  count(texts: readonly string[], signal: AbortSignal): Promise<readonly number[]>;
}

export interface NetworkEvents {
  /** The machine woke up or the network came back: try again now. */
  onBack(listener: () => void): Disposable;
}
