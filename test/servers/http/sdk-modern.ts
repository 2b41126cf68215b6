import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

export interface ModernServer extends AsyncDisposable {
  readonly url: string;
  /** What came: method, `Mcp-*` headers and the body's JSON-RPC method. */
  readonly seen: readonly { readonly http: string; readonly headers: IncomingMessage['headers']; readonly rpc: string | undefined }[];
  /** Calls of `wait` that the client has gone away from. */
  readonly abandoned: readonly string[];
  toolsChanged(): void;
  resourceChanged(uri: string): void;
}

/** A 2026-07-28 server made with the SDK: `echo`, `place` (with a header parameter), `wait`, and `steps` (reports progress); the resource `now://time`, whose changes are announced. */
export async function startModern(): Promise<ModernServer> {
  const seen: ModernServer['seen'][number][] = [];
  const abandoned: string[] = [];
  const make = (): McpServer => {
    const server = new McpServer(
      { name: 'modern', version: '2.0.0' },
      { capabilities: { tools: { listChanged: true }, resources: { subscribe: true } }, instructions: 'Ask for echo.' },
    );
    server.registerTool('echo', { description: 'Says it again', inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    server.registerResource('time', 'now://time', {}, async () => ({ contents: [{ uri: 'now://time', text: 'noon' }] }));
    server.registerTool(
      'place',
      { description: 'Works somewhere', inputSchema: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }) },
      async ({ region }) => ({ content: [{ type: 'text', text: region }] }),
    );
    server.registerTool(
      'wait',
      { description: 'Never ends', inputSchema: z.object({ name: z.string() }) },
      ({ name }, context) =>
        new Promise((_, reject) => {
          context.mcpReq.signal.addEventListener('abort', () => {
            abandoned.push(name);
            reject(new Error('gone'));
          });
        }),
    );
    server.registerTool('steps', { description: 'Reports', inputSchema: z.object({ count: z.number() }) }, async ({ count }, context) => {
      const { progressToken } = context.mcpReq._meta ?? {};
      for (let done = 1; done <= count; done += 1) {
        if (progressToken !== undefined)
          await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: done, total: count } });
      }
      return { content: [{ type: 'text', text: 'done' }] };
    });
    return server;
  };
  const handler = createMcpHandler(make);
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      seen.push({ http: request.method ?? '', headers: request.headers, rpc: body === '' ? undefined : JSON.parse(body).method });
      const gone = new AbortController();
      response.on('close', () => gone.abort());
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const given = await handler.fetch(
        new Request(`http://${request.headers.host}${request.url}`, {
          method: request.method ?? 'GET',
          headers,
          signal: gone.signal,
          ...(body === '' ? {} : { body }),
        }),
      );
      response.writeHead(given.status, Object.fromEntries(given.headers));
      response.flushHeaders();
      if (given.body)
        Readable.fromWeb(given.body)
          .on('error', () => response.destroy())
          .pipe(response);
      else response.end();
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, // a TCP server that listens has one
    seen,
    abandoned,
    toolsChanged: () => handler.notify.toolsChanged(),
    resourceChanged: (uri) => handler.notify.resourceUpdated(uri),
    async [Symbol.asyncDispose]() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
