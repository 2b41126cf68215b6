import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { Caller } from '../../shared/model/tool-call.ts';
import type { AppState, StateAction } from '../../shared/state/app-state.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import type { Grants } from '../approvals/grants.ts';
import type { SignIns } from '../auth/sign-ins.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import type { ProbeTargets } from '../connections/probe-targets.ts';
import type { Prober } from '../connections/probe.ts';
import type { ElicitationDesk } from '../dialogue/elicitation-desk.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Inspector } from '../inspector/inspector.ts';
import type { ContentStore, HomeArchive, Log, Models, Vault } from '../ports.ts';
import type { Prompts } from '../prompts/prompts.ts';
import type { ProfileStore } from '../profiles/profile-store.ts';
import type { CatalogIndex } from '../search/catalog-index.ts';
import type { OwnTools } from '../model-tools/own-tools.ts';
import type { Chats } from '../runs/chats.ts';
import type { CostMeter } from '../runs/cost-meter.ts';
import type { Providers } from '../runs/providers.ts';
import type { SecretBook } from '../secrets/secret-book.ts';
import type { SecretDesk } from '../secrets/secret-desk.ts';
import type { ServerStore } from '../servers/server-store.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Skills } from '../skills/skills.ts';
import type { TopicStore } from '../state/topic-store.ts';
import type { ToolCalls } from '../tool-calls/tool-calls.ts';

/** What the handlers delegate to. */
export interface Parts {
  readonly state: TopicStore<AppState, StateAction>;
  readonly servers: ServerStore;
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  /** Of that catalog. */
  readonly search: CatalogIndex;
  readonly chats: Chats;
  readonly ownTools: OwnTools;
  readonly costs: CostMeter;
  readonly toolCalls: ToolCalls;
  readonly prompts: Prompts;
  readonly skills: Skills;
  /** A resource as the gate sees it, whoever asks; `undefined` for what may not be read. */
  readonly readable: (serverId: ServerId, uri: string, caller: Caller) => CatalogTool | undefined;
  readonly approvals: ApprovalDesk;
  readonly elicitations: ElicitationDesk;
  readonly grants: Grants;
  readonly settings: SettingsStore;
  readonly providers: Providers;
  readonly vault: Vault;
  readonly book: SecretBook;
  readonly secretDesk: SecretDesk;
  readonly exchange: Exchange;
  readonly profiles: ProfileStore;
  readonly signIns: SignIns;
  readonly prober: Prober;
  readonly probeTargets: ProbeTargets;
  readonly inspector: Inspector;
  readonly homeArchive: HomeArchive;
  readonly models: Models;
  readonly contents: ContentStore;
  readonly log: Log;
  readonly newId: () => string;
  readonly info: () => { readonly version: string; readonly home: string; readonly platform: string; readonly electron: string; readonly chrome: string; readonly node: string };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Work that outlives its request and ends with the app; a failure is logged. */
  readonly inBackground: (work: (signal: AbortSignal) => Promise<unknown>) => void;
  /** Resolves when the catalog knows what servers listed before; the first to ask begins the reading. */
  readonly remembered: () => Promise<void>;
  /** Servers that would be connected by a first look: switched on, asleep, never seen. */
  readonly unseen: () => readonly ServerId[];
}
