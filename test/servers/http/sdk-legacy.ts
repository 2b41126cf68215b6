import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';

export interface LegacyServer extends AsyncDisposable {
  readonly url: string;
  readonly initialized: number;
  readonly cancelled: readonly string[];
  /** As a restart would: every session is unknown from now on. */
  forgetSessions(): void;
  /** Adds a tool to every session, which announces it. */
  addTool(name: string): void;
}

/** A stateful 2025 server made with the old SDK: `echo`, `wait`, a log message with each `say`, and `ask`, which asks the person. */
export async function startLegacy(): Promise<LegacyServer> {
  const sessions = new Map<string, { readonly server: McpServer; readonly transport: StreamableHTTPServerTransport }>();
  const cancelled: string[] = [];
  const added: string[] = [];
  let initialized = 0;
  const addTo = (server: McpServer, name: string) =>
    server.registerTool(name, { description: name, inputSchema: {} }, () => ({ content: [] }));
  const make = (): McpServer => {
    const server = new McpServer({ name: 'legacy', version: '1.0.0' }, { capabilities: { tools: { listChanged: true }, logging: {} } });
    server.registerTool('echo', { description: 'Says it again', inputSchema: { text: z.string() } }, ({ text }) => ({
      content: [{ type: 'text', text }],
    }));
    server.registerTool(
      'wait',
      { description: 'Never ends', inputSchema: { name: z.string() } },
      ({ name }, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            cancelled.push(name);
            reject(new Error('cancelled'));
          });
        }),
    );
    server.registerTool('say', { description: 'Logs', inputSchema: { text: z.string() } }, async ({ text }) => {
      await server.server.sendLoggingMessage({ level: 'warning', logger: 'app', data: text });
      return { content: [] };
    });
    server.registerTool('ask', { description: 'Asks the person', inputSchema: {} }, async () => {
      const answer = await server.server.elicitInput({ message: 'Which fruit?', requestedSchema: { type: 'object', properties: { fruit: { type: 'string', enum: ['plum', 'pear'] } }, required: ['fruit'] } });
      return { content: [{ type: 'text', text: JSON.stringify(answer) }] };
    });
    for (const name of added) addTo(server, name);
    server.server.oninitialized = () => {
      initialized += 1;
    };
    return server;
  };
  const http = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const known = sessions.get(String(request.headers['mcp-session-id']));
      if (known) return known.transport.handleRequest(request, response);
      if (request.headers['mcp-session-id'] !== undefined)
        return void response
          .writeHead(404, { 'content-type': 'application/json' })
          .end('{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}');
      const server = make();
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, { server, transport }),
      });
      await server.connect(transport);
      return transport.handleRequest(request, response);
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, // a TCP server that listens has one
    get initialized() {
      return initialized;
    },
    cancelled,
    forgetSessions: () => sessions.clear(),
    addTool: (name) => {
      added.push(name);
      for (const { server } of sessions.values()) addTo(server, name);
    },
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
