import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';

/** What is under way on one wire beside its own upkeep: while there is any, the connection is not idle (F-38). */
export class OpenWork {
  /** Our requests that wait for an answer. */
  readonly #asked = new Set<RequestId>();
  /** The server's requests that wait for ours. */
  readonly #asking = new Set<RequestId>();
  /** URIs whose changes somebody wants to hear of. */
  readonly #subscribed = new Set<unknown>();

  get isOpen(): boolean {
    return this.#asked.size > 0 || this.#asking.size > 0 || this.#subscribed.size > 0;
  }

  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      if (message.id !== undefined) this.#asking.delete(message.id);
      return;
    }
    const { method, params } = message;
    if (method === 'resources/subscribe') this.#subscribed.add(params?.['uri']);
    if (method === 'resources/unsubscribe') this.#subscribed.delete(params?.['uri']);
    if (method === 'notifications/cancelled') this.#forget(params?.['requestId']);
    if ('id' in message && !isUpkeep(method, params)) this.#asked.add(message.id);
  }

  received(message: JSONRPCMessage): void {
    if (!('method' in message)) {
      if (message.id !== undefined) this.#asked.delete(message.id);
    } else if ('id' in message) {
      this.#asking.add(message.id);
    } else if (message.method === 'notifications/cancelled') {
      // The server takes back what it asked.
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.#asking.delete(id);
    }
  }

  /** There will be no answer. */
  lost(id: RequestId): void {
    this.#asked.delete(id);
  }

  #forget(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.#asked.delete(id);
  }
}

/** The new era's subscription stays open as long as the connection does: only one for resources is somebody's. */
function isUpkeep(method: string, params: Readonly<Record<string, unknown>> | undefined): boolean {
  if (method === 'ping' || method === 'server/discover') return true;
  if (method !== 'subscriptions/listen') return false;
  const notifications = params?.['notifications'];
  const wanted = typeof notifications === 'object' && notifications !== null && 'resourceSubscriptions' in notifications ? notifications.resourceSubscriptions : undefined;
  return !Array.isArray(wanted) || wanted.length === 0;
}
