import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { JWTPayload } from 'jose';

/** A call that waits until the test lets it end. */
export interface Held {
  readonly release: () => void;
}

/** What a protected server offers whoever holds a token with these claims. */
export function securedTools(claims: JWTPayload, held: Held[]): McpServer {
  const server = new McpServer({ name: 'secured', version: '1.0.0' });
  const { sub, scope, aud, client_id } = claims;
  server.registerTool('whoami', { description: 'Tells whose token came' }, () => ({ content: [{ type: 'text', text: JSON.stringify({ sub, scope, aud, client_id }) }] }));
  server.registerTool('admin_reset', { description: 'Wants more than most' }, () => ({ content: [{ type: 'text', text: 'reset done' }] }));
  server.registerTool('hold', { description: 'Ends when it may' }, async () => {
    await new Promise<void>((resolve) => held.push({ release: resolve }));
    return { content: [{ type: 'text', text: 'held and ended' }] };
  });
  return server;
}
