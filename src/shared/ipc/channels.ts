/** The only channels between a window and main. */
export const channels = { request: 'gatehouse:request', cancel: 'gatehouse:cancel', state: 'gatehouse:state' } as const;

export interface RequestMessage {
  /** Unique in its page; `cancel` names it. */
  readonly id: number;
  readonly route: string;
  readonly input: unknown;
}
export interface StateMessage {
  readonly topic: string;
  readonly envelope: { readonly seq: number; readonly action: unknown };
}
/** What menu, tray and notifications ask of a page: a state message whose topic is `command`. It follows nothing, so its `seq` says nothing. */
export interface CommandAction {
  readonly type: 'command';
  readonly command: 'palette' | 'new-chat' | 'settings' | 'servers' | 'approvals' | 'set-up';
  /** The approval or the server to show. */
  readonly id?: string;
}
/** What the preload gives the page as `window.gatehouse`. */
export interface Bridge {
  request(message: RequestMessage): Promise<unknown>;
  cancel(id: number): void;
  /** Calls `listener` with the state messages in their order, several at a time where much changes, until the returned function is called. */
  onState(listener: (messages: readonly StateMessage[]) => void): () => void;
}
