import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, inputRequired, inputResponse, McpServer, type ElicitRequestFormParams } from '@modelcontextprotocol/server';
import * as z from 'zod';

export interface AskingServer extends AsyncDisposable {
  readonly url: string;
  /** What clients said they can, request by request. */
  readonly said: readonly { readonly method: string | undefined; readonly capabilities: unknown }[];
}

const fruit: ElicitRequestFormParams['requestedSchema'] = {
  type: 'object',
  properties: { fruit: { type: 'string', title: 'Fruit', minLength: 2 }, count: { type: 'integer', minimum: 1, maximum: 9, default: 3 }, ripe: { type: 'boolean' } },
  required: ['fruit'],
};

/** A 2026-07-28 server made with the SDK, whose tools need something of the person: `order` a form, `two_things` a form and a page at once, `visit` a page. Each says what it was given. */
export async function startAsking(): Promise<AskingServer> {
  const said: AskingServer['said'][number][] = [];
  const make = (): McpServer => {
    const server = new McpServer({ name: 'asking', version: '1.0.0' }, { capabilities: { tools: {} } });
    const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
    server.registerTool('order', { description: 'Orders fruit', inputSchema: z.object({}) }, (_args, { mcpReq }) => {
      const given = inputResponse(mcpReq.inputResponses, 'fruit');
      return given.kind === 'missing' ? inputRequired({ inputRequests: { fruit: { method: 'elicitation/create', params: { mode: 'form', message: 'Which fruit?', requestedSchema: fruit } } }, requestState: 'kept' }) : text({ given, state: mcpReq.requestState() });
    });
    server.registerTool('visit', { description: 'Wants a page visited', inputSchema: z.object({ url: z.string() }) }, ({ url }, { mcpReq }) => {
      const given = inputResponse(mcpReq.inputResponses, 'page');
      return given.kind === 'missing' ? inputRequired({ inputRequests: { page: inputRequired.elicitUrl({ message: 'Please pay', url }) } }) : text(given);
    });
    return server;
  };
  const handler = createMcpHandler(make);
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { method, params } = (body === '' ? {} : JSON.parse(body)) as { method?: string; params?: { _meta?: Record<string, unknown> } }; // what a client of the new era sends
      said.push({ method, capabilities: params?._meta?.['io.modelcontextprotocol/clientCapabilities'] });
      const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
      const given = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, { method: request.method ?? 'GET', headers, ...(body === '' ? {} : { body }) }));
      response.writeHead(given.status, Object.fromEntries(given.headers));
      if (given.body) Readable.fromWeb(given.body).on('error', () => response.destroy()).pipe(response);
      else response.end();
    };
    answer().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, // a TCP server that listens has one
    said,
    async [Symbol.asyncDispose]() {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
