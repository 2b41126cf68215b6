import type { ServerId } from '../../shared/ids.ts';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import { isWaiting } from '../../shared/model/elicitation-content.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { AppState, ServerRow } from '../../shared/state/app-state.ts';
import { waitsForSignIn } from '../../shared/state/sign-in-need.ts';
import { menuLabel } from './label.ts';
import { trayWords } from './tray-state.ts';

export type TrayChoice =
  | { readonly do: 'approval'; readonly approvalId: string }
  | { readonly do: 'approvals' | 'servers' | 'show' | 'hide' | 'quit' }
  | { readonly do: 'start' | 'stop' | 'enable'; readonly serverId: ServerId }
  | { readonly do: 'pause'; readonly paused: boolean };
export type TrayItem =
  | { readonly kind: 'separator' }
  /** Says something, cannot be chosen. */
  | { readonly kind: 'words'; readonly label: string }
  | { readonly kind: 'choice'; readonly label: string; readonly choice: TrayChoice }
  | { readonly kind: 'submenu'; readonly label: string; readonly items: readonly TrayItem[] };

const mostApprovals = 8;
const mostServers = 25;
const separator: TrayItem = { kind: 'separator' };

/** The tray's menu, whole. `state` is absent while the core opens, or when it could not. */
export function trayMenu(state: AppState | undefined, windowVisible: boolean): readonly TrayItem[] {
  const end: readonly TrayItem[] = [
    windowVisible ? choice('Hide Gatehouse', { do: 'hide' }) : choice('Show Gatehouse', { do: 'show' }),
    choice('Quit Gatehouse', { do: 'quit' }),
  ];
  if (!state) return end;
  return [
    { kind: 'words', label: `Gatehouse: ${trayWords(state)}` },
    separator,
    ...approvalItems(state),
    ...serverItems(Object.values(state.servers)),
    state.paused ? choice('Resume', { do: 'pause', paused: false }) : choice('Pause all', { do: 'pause', paused: true }),
    separator,
    ...end,
  ];
}

function approvalItems({ approvals, secretQuestions, elicitations }: AppState): readonly TrayItem[] {
  const questions = [
    ...approvals.map(({ id, call, toolTitle }) =>
      choice(`Review ${menuLabel(toolTitle ?? call.ref.tool, 40)}${call.ref.serverId === ownToolsId ? '' : ` on ${menuLabel(call.serverName, 40)}`}…`, { do: 'approval', approvalId: id }),
    ),
    ...secretQuestions.map(({ id, server, key }) => choice(`Review ${menuLabel(key, 40)} for ${menuLabel(server, 40)}…`, { do: 'approval', approvalId: id })),
    ...elicitations.filter(isWaiting).map(({ id, serverName }) => choice(`Answer ${menuLabel(serverName, 40)}…`, { do: 'approval', approvalId: id })),
  ];
  if (questions.length === 0) return [];
  const shown = questions.slice(0, mostApprovals);
  const rest = questions.length - shown.length;
  return [...shown, ...(rest > 0 ? [choice(`${rest} more…`, { do: 'approvals' })] : []), separator];
}

function serverItems(rows: readonly ServerRow[]): readonly TrayItem[] {
  if (rows.length === 0) return [];
  const sorted = rows.toSorted((a, b) => a.definition.name.localeCompare(b.definition.name));
  const shown = sorted.slice(0, mostServers).map(serverItem);
  const rest = rows.length - shown.length;
  return [...shown, ...(rest > 0 ? [choice(`${rest} more servers…`, { do: 'servers' })] : []), separator];
}

function serverItem(row: ServerRow): TrayItem {
  const { definition, connection } = row;
  const serverId = definition.id;
  const control = controlOf(connection);
  return {
    kind: 'submenu',
    label: `${menuLabel(definition.name, 40)}: ${waitsForSignIn(row) ? signInWords : connectionWords(connection)}`,
    items: [
      ...(control ? [choice({ start: 'Start', stop: 'Stop', enable: 'Switch on' }[control], { do: control, serverId })] : []),
      choice('Show servers…', { do: 'servers' }),
    ],
  };
}

/** What would help; nothing while the person has to do something in the window first. */
function controlOf(connection: ConnectionState): 'start' | 'stop' | 'enable' | undefined {
  switch (connection.phase) {
    case 'stopped':
      return connection.why === 'disabled' ? 'enable' : 'start';
    case 'starting':
    case 'ready':
    case 'reconnecting':
      return 'stop';
    case 'failed':
      return 'start';
    case 'needs':
      return undefined;
  }
}

const signInWords = 'needs you to sign in';

function connectionWords(connection: ConnectionState): string {
  switch (connection.phase) {
    case 'stopped':
      if (connection.queued) return 'waiting for its turn';
      return { asleep: 'asleep, starts when needed', 'by-person': 'stopped', disabled: 'off' }[connection.why];
    case 'starting':
      return 'starting';
    case 'ready':
      return 'connected';
    case 'reconnecting':
      return 'reconnecting';
    case 'needs':
      return { 'sign-in': signInWords, secret: 'needs a secret', trust: 'needs your trust', project: 'needs an open folder' }[connection.what];
    case 'failed':
      return 'not working';
  }
}

const choice = (label: string, what: TrayChoice): TrayItem => ({ kind: 'choice', label, choice: what });
