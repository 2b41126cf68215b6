import type { ApprovalId, ChatId, ServerId } from '../ids.ts';
import type { CatalogCounts, CatalogOrigin } from '../model/catalog.ts';
import type { Elicitation } from '../model/elicitation.ts';
import type { ConnectionState } from '../model/connection-state.ts';
import type { SignInStatus } from '../model/sign-in.ts';
import type { ServerDefinition } from '../model/server-definition.ts';
import type { TrustStatus } from '../model/project-trust.ts';
import type { SecretQuestion } from '../model/secret-entry.ts';
import type { ModelProvider, SettingOrigins, Settings, VaultStatus } from '../model/settings.ts';
import type { ConfigIssue, Provenance } from '../model/source.ts';
import type { Approval, Grant } from '../model/tool-call.ts';

export interface ServerRow {
  readonly definition: ServerDefinition;
  readonly connection: ConnectionState;
  /** What its catalog holds; absent until it has been seen. */
  readonly counts?: CatalogCounts;
  /** Whether those are of now or of an earlier connection; there when `counts` is. */
  readonly catalog?: CatalogOrigin;
  /** What was left out and why. */
  readonly warnings: readonly string[];
  /** Which files made it what it is. */
  readonly provenance: Provenance;
  /** Its file changed while something runs: the change holds from the next run on. */
  readonly pending?: true;
  /** For one that a person or the machine signs in to, once that was needed or done. */
  readonly signIn?: SignInStatus;
}

export interface ChatSummary {
  readonly id: ChatId;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly activity: 'idle' | 'running' | 'waiting' | 'interrupted';
}

export interface AppState {
  readonly servers: Readonly<Record<ServerId, ServerRow>>;
  readonly approvals: readonly Approval[];
  readonly grants: readonly Grant[];
  readonly chats: readonly ChatSummary[];
  readonly settings: Settings;
  /** Those of them that the person's own files speak of. */
  readonly settingOrigins: SettingOrigins;
  readonly vault: VaultStatus;
  /** Model servers found on loopback. */
  readonly detected: readonly ModelProvider[];
  /** Files and entries that could not be used. */
  readonly problems: readonly ConfigIssue[];
  /** Whether the open project's files may count. */
  readonly trust: TrustStatus;
  /** Launches that wait for the person's word on a secret. */
  readonly secretQuestions: readonly SecretQuestion[];
  /** What servers ask the person, oldest first; and their pages that were opened and are not over yet. */
  readonly elicitations: readonly Elicitation[];
  /** How it stands with signing in to servers that exist in runs alone, by the id that their login is kept under. */
  readonly runSignIns: Readonly<Record<ServerId, SignInStatus>>;
  /** Changes when any configuration file does: ask for pages again. */
  readonly configRevision: number;
  /** Nothing starts and nothing is called until the person resumes. */
  readonly paused: boolean;
  /** Changes when any server's catalog changes: ask for pages again. */
  readonly catalogRevision: number;
}

export type StateAction =
  | { readonly type: 'server/put'; readonly row: ServerRow }
  | { readonly type: 'server/removed'; readonly serverId: ServerId }
  | { readonly type: 'server/connection'; readonly serverId: ServerId; readonly connection: ConnectionState }
  | { readonly type: 'server/sign-in'; readonly serverId: ServerId; readonly signIn: SignInStatus | undefined }
  | { readonly type: 'run-sign-in/set'; readonly loginId: ServerId; readonly signIn: SignInStatus | undefined }
  | { readonly type: 'server/catalog'; readonly serverId: ServerId; readonly counts: CatalogCounts; readonly catalog: CatalogOrigin; readonly warnings: readonly string[] }
  | { readonly type: 'approval/asked'; readonly approval: Approval }
  | { readonly type: 'approval/closed'; readonly approvalId: ApprovalId }
  | { readonly type: 'grants/set'; readonly grants: readonly Grant[] }
  | { readonly type: 'chat/put'; readonly chat: ChatSummary }
  | { readonly type: 'chat/removed'; readonly chatId: ChatId }
  | { readonly type: 'settings/set'; readonly settings: Settings; readonly origins: SettingOrigins }
  | { readonly type: 'vault/set'; readonly vault: VaultStatus }
  | { readonly type: 'detected/set'; readonly detected: readonly ModelProvider[] }
  | { readonly type: 'problems/set'; readonly problems: readonly ConfigIssue[] }
  | { readonly type: 'config/read' }
  | { readonly type: 'trust/set'; readonly trust: TrustStatus }
  | { readonly type: 'secret-questions/set'; readonly questions: readonly SecretQuestion[] }
  | { readonly type: 'elicitations/set'; readonly elicitations: readonly Elicitation[] }
  | { readonly type: 'paused/set'; readonly paused: boolean };

export const emptyAppState = (settings: Settings): AppState => ({
  servers: {}, approvals: [], grants: [], chats: [], settings, settingOrigins: {}, vault: { phase: 'unopened' }, detected: [], problems: [], paused: false, catalogRevision: 0,
  trust: { phase: 'not-needed' }, secretQuestions: [], elicitations: [], runSignIns: {}, configRevision: 0,
});

/** The one place where app state changes shape. Runs in main to decide, in windows to follow. */
export function reduceApp(state: AppState, action: StateAction): AppState {
  switch (action.type) {
    case 'server/put':
      return { ...state, servers: { ...state.servers, [action.row.definition.id]: action.row } };
    case 'server/removed': {
      const { [action.serverId]: _removed, ...servers } = state.servers;
      return { ...state, servers, catalogRevision: state.catalogRevision + 1 };
    }
    case 'server/connection':
      return withRow(state, action.serverId, (row) => ({ ...row, connection: action.connection }));
    case 'server/sign-in':
      return withRow(state, action.serverId, ({ signIn: _before, ...row }) => ({ ...row, ...(action.signIn ? { signIn: action.signIn } : {}) }));
    case 'run-sign-in/set': {
      const { [action.loginId]: _before, ...runSignIns } = state.runSignIns;
      return { ...state, runSignIns: action.signIn ? { ...runSignIns, [action.loginId]: action.signIn } : runSignIns };
    }
    case 'server/catalog':
      return {
        ...withRow(state, action.serverId, (row) => ({ ...row, counts: action.counts, catalog: action.catalog, warnings: action.warnings })),
        catalogRevision: state.catalogRevision + 1,
      };
    case 'approval/asked':
      return { ...state, approvals: [...state.approvals, action.approval] };
    case 'approval/closed':
      return { ...state, approvals: state.approvals.filter((approval) => approval.id !== action.approvalId) };
    case 'grants/set':
      return { ...state, grants: action.grants };
    case 'chat/put':
      return { ...state, chats: [action.chat, ...state.chats.filter((chat) => chat.id !== action.chat.id)].sort((a, b) => b.updatedAt - a.updatedAt) };
    case 'chat/removed':
      return { ...state, chats: state.chats.filter((chat) => chat.id !== action.chatId) };
    case 'settings/set':
      return { ...state, settings: action.settings, settingOrigins: action.origins };
    case 'vault/set':
      return { ...state, vault: action.vault };
    case 'detected/set':
      return { ...state, detected: action.detected };
    case 'problems/set':
      return { ...state, problems: action.problems };
    case 'config/read':
      return { ...state, configRevision: state.configRevision + 1 };
    case 'trust/set':
      return { ...state, trust: action.trust };
    case 'secret-questions/set':
      return { ...state, secretQuestions: action.questions };
    case 'elicitations/set':
      return { ...state, elicitations: action.elicitations };
    case 'paused/set':
      return { ...state, paused: action.paused };
  }
}

function withRow(state: AppState, serverId: ServerId, change: (row: ServerRow) => ServerRow): AppState {
  const row = state.servers[serverId];
  return row ? { ...state, servers: { ...state.servers, [serverId]: change(row) } } : state;
}
