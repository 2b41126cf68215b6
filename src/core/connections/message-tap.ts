import type { JSONRPCMessage } from '@modelcontextprotocol/client';

/** Hears every protocol message of one link, both ways, as it went over the wire. It must not change what it hears. */
export interface MessageTap {
  message(direction: 'sent' | 'received', message: JSONRPCMessage): void;
  /** What HTTP answered to a message that was sent. */
  http(message: JSONRPCMessage, answer: { readonly status: number; readonly sessionId: string | undefined }): void;
}

export const bothTaps = (first: MessageTap, second: MessageTap): MessageTap => ({
  message(direction, message) {
    first.message(direction, message);
    second.message(direction, message);
  },
  http(message, answer) {
    first.http(message, answer);
    second.http(message, answer);
  },
});
