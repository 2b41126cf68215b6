import type { ChatId, ServerId } from '../ids.ts';
import type { ServerLogLine } from '../model/connection-state.ts';
import type { ChatState } from './chat-state.ts';
import type { MessagesState } from './messages-state.ts';
import type { ResourceWatchState } from './resource-watch.ts';
import type { AppState } from './app-state.ts';

/** What can be followed: `app`, `chat/<id>`, `log/<server>`, `messages/<server>`, `resource/<server, encoded>/<uri>`: changes of a resource, for as long as it is followed. */
export type Topic = 'app' | `chat/${ChatId}` | `log/${ServerId}` | `messages/${ServerId}` | `resource/${string}`;

/** A server's last lines, oldest first. */
export type LogState = readonly ServerLogLine[];
export interface LogAction {
  readonly type: 'lines';
  readonly lines: readonly ServerLogLine[];
}
export const logLinesKept = 500;
export const reduceLog = (state: LogState, action: LogAction): LogState => [...state, ...action.lines].slice(-logLinesKept);

export type TopicState<T extends Topic> = T extends 'app' ? AppState : T extends `chat/${string}` ? ChatState : T extends `messages/${string}` ? MessagesState : T extends `resource/${string}` ? ResourceWatchState : LogState;

export const resourceTopic = (serverId: ServerId, uri: string): `resource/${string}` => `resource/${encodeURIComponent(serverId)}/${uri}`;

