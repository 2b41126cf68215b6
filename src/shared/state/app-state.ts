import type { ApprovalId, ChatId, ServerId } from '../ids.ts';
import type { CatalogCounts } from '../model/catalog.ts';
import type { ConnectionState } from '../model/connection-state.ts';
import type { ServerDefinition } from '../model/server-definition.ts';
import type { ModelProvider, Settings, VaultStatus } from '../model/settings.ts';
import type { Approval, Grant } from '../model/tool-call.ts';

export interface ServerRow {
  readonly definition: ServerDefinition;
  readonly connection: ConnectionState;
  /** What its catalog holds; absent until it has been seen. */
  readonly counts?: CatalogCounts;
  /** What was left out and why. */
  readonly warnings: readonly string[];
}

export interface ChatSummary {
  readonly id: ChatId;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly activity: 'idle' | 'running' | 'waiting' | 'interrupted';
}

/** A file that could not be read: shown, never overwritten. */
export interface ConfigProblem {
  readonly file: string;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export interface AppState {
  readonly servers: Readonly<Record<ServerId, ServerRow>>;
  readonly approvals: readonly Approval[];
  readonly grants: readonly Grant[];
  readonly chats: readonly ChatSummary[];
  readonly settings: Settings;
  readonly vault: VaultStatus;
  /** Model servers found on loopback. */
  readonly detected: readonly ModelProvider[];
  readonly problems: readonly ConfigProblem[];
  /** Nothing starts and nothing is called until the person resumes. */
  readonly paused: boolean;
  /** Changes when any server's catalog changes: ask for pages again. */
  readonly catalogRevision: number;
}

export type StateAction =
  | { readonly type: 'server/put'; readonly row: ServerRow }
  | { readonly type: 'server/removed'; readonly serverId: ServerId }
  | { readonly type: 'server/connection'; readonly serverId: ServerId; readonly connection: ConnectionState }
  | { readonly type: 'server/catalog'; readonly serverId: ServerId; readonly counts: CatalogCounts; readonly warnings: readonly string[] }
  | { readonly type: 'approval/asked'; readonly approval: Approval }
  | { readonly type: 'approval/closed'; readonly approvalId: ApprovalId }
  | { readonly type: 'grants/set'; readonly grants: readonly Grant[] }
  | { readonly type: 'chat/put'; readonly chat: ChatSummary }
  | { readonly type: 'chat/removed'; readonly chatId: ChatId }
  | { readonly type: 'settings/set'; readonly settings: Settings }
  | { readonly type: 'vault/set'; readonly vault: VaultStatus }
  | { readonly type: 'detected/set'; readonly detected: readonly ModelProvider[] }
  | { readonly type: 'problems/set'; readonly problems: readonly ConfigProblem[] }
  | { readonly type: 'paused/set'; readonly paused: boolean };

export const emptyAppState = (settings: Settings): AppState => ({
  servers: {}, approvals: [], grants: [], chats: [], settings, vault: { phase: 'unopened' }, detected: [], problems: [], paused: false, catalogRevision: 0,
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
    case 'server/catalog':
      return {
        ...withRow(state, action.serverId, (row) => ({ ...row, counts: action.counts, warnings: action.warnings })),
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
      return { ...state, settings: action.settings };
    case 'vault/set':
      return { ...state, vault: action.vault };
    case 'detected/set':
      return { ...state, detected: action.detected };
    case 'problems/set':
      return { ...state, problems: action.problems };
    case 'paused/set':
      return { ...state, paused: action.paused };
  }
}

function withRow(state: AppState, serverId: ServerId, change: (row: ServerRow) => ServerRow): AppState {
  const row = state.servers[serverId];
  return row ? { ...state, servers: { ...state.servers, [serverId]: change(row) } } : state;
}
