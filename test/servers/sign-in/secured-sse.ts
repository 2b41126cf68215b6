import type { IncomingMessage, ServerResponse } from 'node:http';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import type { JWTPayload } from 'jose';
import { securedTools, type Held } from './secured-tools.ts';

/** The transport of 2024: an event stream, and messages beside it. */
export class SecuredSse {
  readonly #held: Held[];
  readonly #sessions = new Map<string, SSEServerTransport>();

  constructor(held: Held[]) {
    this.#held = held;
  }

  async serve(request: IncomingMessage, response: ServerResponse, claims: JWTPayload, message: unknown, url: URL): Promise<void> {
    if (request.method === 'GET' && url.pathname === '/sse') {
      const transport = new SSEServerTransport('/messages', response);
      this.#sessions.set(transport.sessionId, transport);
      response.on('close', () => this.#sessions.delete(transport.sessionId));
      return await securedTools(claims, this.#held).connect(transport);
    }
    const transport = this.#sessions.get(url.searchParams.get('sessionId') ?? '');
    if (request.method !== 'POST' || url.pathname !== '/messages' || !transport) return void response.writeHead(405).end();
    await transport.handlePostMessage(request, response, message);
  }
}
