/**
 * Streamable HTTP on loopback and a free port, which it tells its parent: `sixty` answers with 60 MiB, at `/json` in one JSON, at `/sse` in one event.
 * `echo` answers with its text.
 */
import { createServer } from 'node:http';

const big = { content: [{ type: 'text', text: `${'0123456789abcde'.repeat(64)}\n`.repeat(65_468) }] };
const tool = (name) => ({ name, description: `The tool ${name}`, inputSchema: { type: 'object', properties: { text: { type: 'string' } } } });

const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'big', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [tool('sixty'), tool('echo')] }),
  'tools/call': ({ name, arguments: args }) => (name === 'sixty' ? big : { content: [{ type: 'text', text: String(args?.text) }] }),
};

async function answer(request, response) {
  if (request.method !== 'POST') return response.writeHead(405).end();
  let body = '';
  for await (const chunk of request) body += chunk;
  const { id, method, params } = JSON.parse(body);
  if (id === undefined) return response.writeHead(202).end();
  const said = Object.hasOwn(results, method)
    ? { jsonrpc: '2.0', id, result: results[method](params) }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
  const text = JSON.stringify(said);
  if (request.url === '/sse') return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: message\ndata: ${text}\n\n`);
  return response.writeHead(200, { 'content-type': 'application/json' }).end(text);
}
const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));
process.on('disconnect', () => process.exit());
