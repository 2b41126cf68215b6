// `--modern`: speaks 2026-07-28. `--exit-at-probe`: ends at any request before `initialize`. `--only-2024`. `--log FILE`: starts and first requests.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
const file = args[args.indexOf('--log') + 1];
const log = (line) => appendFileSync(file, `${line}\n`);
log(`start ${process.pid}`);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const modern = args.includes('--modern');
const complete = modern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
const serverInfo = { name: 'eras', version: '1.0.0' };
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo }),
  'server/discover': () => ({ ...complete, supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }),
  'tools/list': () => ({ ...complete, tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { text } }) => ({ ...complete, content: [{ type: 'text', text }] }),
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === 'initialize') log(`initialize ${params.protocolVersion}`);
    if (method === 'server/discover' && args.includes('--exit-at-probe')) process.exit(2);
    if (id === undefined) return;
    const old = method === 'initialize' && args.includes('--only-2024') && params.protocolVersion !== '2024-11-05';
    if (old || !(method in answers) || (method === 'server/discover' && !modern)) send({ id, error: { code: old ? -32602 : -32601, message: 'no' } });
    else send({ id, result: answers[method](params) });
  })
  .on('close', () => process.exit(0));
