import type { IncomingHttpHeaders } from 'node:http';
import { answerJson, startHttpServer } from '../../support/plain-http-server.ts';

export interface Mirror extends AsyncDisposable {
  /** Of its MCP endpoint; below it are `/broken`, which answers errors only, and `/models`, which knows no models. */
  readonly url: string;
  readonly seen: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
}

/** A server that says back all that it was sent: address and headers, in instructions, descriptions, results, errors and bodies. */
export async function startMirror(): Promise<Mirror> {
  const server = await startHttpServer(({ path, headers, body, method }, response) => {
    const sent = Object.entries({ path, ...headers }).flatMap(([name, value]) => (name.startsWith('x-') || name === 'authorization' || name === 'path' ? [`${name}: ${String(value)}`] : []));
    const words = [...sent, ...sent.map((text) => Buffer.from(text).toString('base64')), ...sent.map((text) => encodeURIComponent(text))].join('\n');
    if (path.includes('/broken')) return answerJson(response, { message: `Refused: ${words}` }, 500);
    if (path.includes('/models')) return answerJson(response, { error: { message: `No key like ${words}`, code: 'x' } }, 401);
    if (method !== 'POST') return void response.writeHead(405).end();
    const { id, method: rpc, params } = JSON.parse(body);
    if (id === undefined) return void response.writeHead(202).end();
    const result = (value: unknown): void => answerJson(response, { jsonrpc: '2.0', id, result: value });
    switch (rpc) {
      case 'initialize':
        return result({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'mirror', version: '1.0.0' }, instructions: words });
      case 'tools/list':
        return result({ tools: ['environment', 'fail'].map((name) => ({ name, description: words, inputSchema: { type: 'object' } })) });
      case 'tools/call':
        if (params.name === 'environment') return result({ content: [{ type: 'text', text: words }], structuredContent: { words } });
        return answerJson(response, { jsonrpc: '2.0', id, error: { code: -32_000, message: `It failed with ${words}` } });
      default:
        return answerJson(response, { jsonrpc: '2.0', id, error: { code: -32_601, message: `No method ${words}` } });
    }
  });
  return { url: `${server.origin}/mcp`, seen: server.seen, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}
