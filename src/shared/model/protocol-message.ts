/** One protocol message between Gatehouse and a server, as a list shows it. Secret values are hidden; what it carried is asked for by its number. */
export interface ProtocolMessage {
  /** Counts the messages of a server, from 1 and never again from the start while the app runs. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Seen from Gatehouse. */
  readonly direction: 'sent' | 'received';
  readonly kind: 'request' | 'response' | 'error' | 'notification';
  /** Of an answer: the method that it answers; empty when nothing of ours waited for it. */
  readonly method: string;
  /** The tool, prompt or address that a request names. */
  readonly about?: string;
  readonly id?: string | number;
  /** Characters of JSON, near enough; with `larger` at the least. */
  readonly size: number;
  readonly larger?: true;
  readonly over: 'stdio' | 'socket' | 'http' | 'sse';
  /** The number of the request that it answers, or of its answer. */
  readonly pair?: number;
  /** From the request to its answer, milliseconds; on both of them. */
  readonly tookMs?: number;
  /** What the server's error says, or the answer's `isError`. */
  readonly error?: { readonly code?: number; readonly message: string };
  /** What HTTP answered to a message that was sent. Of a session's name only the beginning is kept. */
  readonly http?: { readonly status: number; readonly session?: string };
}

/** What a message carried, secrets hidden, long parts cut and said to be. */
export interface MessagePayload {
  readonly payload: unknown;
  readonly cut: boolean;
}
