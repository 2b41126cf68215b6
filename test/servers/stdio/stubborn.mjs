// A server that ends for nothing but KILL: it outlives the end of its input, TERM and HUP. Tools: none.
import { createInterface } from 'node:readline';

process.on('SIGTERM', () => {});
process.on('SIGHUP', () => {});
process.on('SIGINT', () => {});
setInterval(() => {}, 1_000);
const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'stubborn', version: '1.0.0' };
    send({ jsonrpc: '2.0', id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else send({ jsonrpc: '2.0', id, result: { tools: [] } });
});
