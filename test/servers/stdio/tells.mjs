// A server that writes down what it was started with, `tells.mjs FILE [args…]`, and says what is in its variables `T_…`: on stderr, in words, results and errors.
import { createInterface } from 'node:readline';
import { appendFileSync, writeSync } from 'node:fs';

const [file, ...args] = process.argv.slice(2);
appendFileSync(file, `${JSON.stringify({ env: process.env, args, cwd: process.cwd(), pid: process.pid })}\n`);
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('T_')));
const secrets = Object.values(env);
// As servers do, in whatever form.
for (const value of secrets) {
  const forms = [value, Buffer.from(value).toString('base64'), Buffer.from(value).toString('hex'), encodeURIComponent(value), JSON.stringify(value)];
  writeSync(2, `${forms.map((form) => `started with ${form}`).join('\n')}\n`);
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'tells', version: '1.0.0' };
    return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo, instructions: `I know ${secrets.join(' ')}` } });
  }
  if (method === 'tools/list') {
    return send({ id, result: { tools: ['environment', 'fail'].map((name) => ({ name, description: `Says ${secrets.join(' ')}`, inputSchema: { type: 'object' } })) } });
  }
  if (method !== 'tools/call') return send({ id, error: { code: -32601, message: 'Method not found' } });
  if (params.name === 'fail') return send({ id, error: { code: -32000, message: `It failed with ${secrets.join(' ')}` } });
  send({ id, result: { content: [{ type: 'text', text: JSON.stringify(env) }], structuredContent: { env } } });
});
