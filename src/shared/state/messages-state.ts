import type { ProtocolMessage } from '../model/protocol-message.ts';

/** The last messages between Gatehouse and one server, oldest first. */
export interface MessagesState {
  readonly messages: readonly ProtocolMessage[];
  /** How many older ones were let go of since the app started or the list was cleared. */
  readonly dropped: number;
}
export interface MessagesAction {
  readonly type: 'messages';
  /** New ones, and ones about which more is known. */
  readonly put: readonly ProtocolMessage[];
  /** The number of the oldest that is still kept. */
  readonly from: number;
  readonly dropped: number;
}

export function reduceMessages(state: MessagesState, { put, from, dropped }: MessagesAction): MessagesState {
  const bySeq = new Map(put.map((message) => [message.seq, message]));
  const kept = state.messages.flatMap((message) => {
    const news = bySeq.get(message.seq);
    bySeq.delete(message.seq);
    return message.seq < from ? [] : [news ?? message];
  });
  const fresh = [...bySeq.values()].filter(({ seq }) => seq >= from).sort((a, b) => a.seq - b.seq);
  return { messages: [...kept, ...fresh], dropped };
}
