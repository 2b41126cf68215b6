// A server that does what its tools and its arguments say. `--banner`: text before the protocol. `--exit-at-start`, `--never-answer`.
import { createInterface } from 'node:readline';
import { closeSync, writeSync } from 'node:fs';

const flags = new Set(process.argv.slice(2).filter((arg) => arg.startsWith('--')));
if (flags.has('--exit-at-start')) {
  writeSync(2, 'starting\nError: API_KEY=sk-test-123 is invalid\n');
  process.exit(1);
}
if (flags.has('--banner')) process.stdout.write('srv-a version : 0.1.0\n\n\ufeff\n\ufeff');

const send = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const held = [];

const tools = {
  echo: ({ value }) => text(value),
  big: ({ bytes }) => text('x'.repeat(bytes)),
  environment: () => text(JSON.stringify(process.env)),
  args: () => text(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), exec: process.argv[1], pid: process.pid })),
  die: ({ code }) => process.exit(code),
  killed: () => process.kill(process.pid, 'SIGKILL'),
  noise: ({ lines }) => {
    for (const line of lines) process.stdout.write(`${line}\n`);
    return text('quiet again');
  },
  stderr: ({ line, times }) => {
    // Synchronous: with nobody reading, this blocks.
    for (let n = 0; n < times; n += 1) writeSync(2, `${line} ${n}\n`);
    return text('written');
  },
  'close-stdout': () => closeSync(1),
  /** Written byte by byte, so that every character of more than one byte is split. */
  dribble: ({ value }, id) => {
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id, result: text(value) })}\n`);
    const next = (at) => at < bytes.length && process.stdout.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1));
    next(0);
  },
  /** Answers come in the reverse order once `count` calls wait. */
  hold: ({ value, count }, id) => {
    held.push({ jsonrpc: '2.0', id, result: text(value) });
    if (held.length === count) for (const answer of held.splice(0).reverse()) send(answer);
  },
  'id-last': ({ bytes }, id) => void process.stdout.write(`${JSON.stringify({ result: text('x'.repeat(bytes)), jsonrpc: '2.0', id })}\n`),
  malformed: (_, id) => send({ jsonrpc: '2.0', id, result: 'no object' }),
  silent: () => void writeSync(2, 'asked\n'),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || flags.has('--never-answer')) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'versatile', version: '1.0.0' };
    return send({ jsonrpc: '2.0', id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (method === 'tools/list') {
    return send({ jsonrpc: '2.0', id, result: { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) } });
  }
  if (method !== 'tools/call') return send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
  const result = tools[params.name](params.arguments ?? {}, id);
  if (result) send({ jsonrpc: '2.0', id, result });
});
