// Tools that end their call in other ways than with an answer. `seen` tells which requests and cancellations came. `--silent`: no answer to anything.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] });
const seen = [];
const silent = process.argv.includes('--silent');
if (silent) process.stderr.write('waiting\n');
let waiting;

const tools = {
  echo: ({ text: value }) => text(value),
  seen: () => text(JSON.stringify(seen)),
  pid: () => text(process.pid),
  /** Answers only when `late` is called. */
  wait: (_, id) => {
    waiting = id;
  },
  late: () => {
    send({ id: waiting, result: text('late') });
    return text('sent');
  },
  boom: ({ code = 137 }) => {
    process.stderr.write('fatal: out of cheese\n', () => process.exit(code));
  },
  killed: () => process.kill(process.pid, 'SIGKILL'),
  fails: () => ({ ...text('no luck'), isError: true }),
  refuses: () => {
    throw Object.assign(new Error('Not today'), { code: -32050 });
  },
  steps: ({ times, everyMs, end }, id, { progressToken }) => {
    let done = 0;
    const timer = setInterval(() => {
      done += 1;
      send({ method: 'notifications/progress', params: { progressToken, progress: done, total: times, message: `step ${done}` } });
      if (done < times) return;
      clearInterval(timer);
      if (end) send({ id, result: text(`after ${done}`) });
    }, everyMs);
  },
  misfit: () => ({ content: [{ type: 'hologram', data: 1 }], structuredContent: { count: 'many' }, extra: true }),
  shapeless: () => ({ content: 'no list', structuredContent: [1] }),
};
const outputSchema = { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] };

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params = {} } = JSON.parse(line);
    if (method === 'tools/call' || method === 'initialize') seen.push([method, params.name ?? '', id]);
    if (method === 'notifications/cancelled') seen.push([method, '', params.requestId]);
    if (id === undefined || silent) return;
    try {
      const result =
        method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'calls', version: '1.0.0' } }
        : method === 'tools/list' ? { tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' }, ...(name === 'misfit' ? { outputSchema } : {}) })) }
        : method === 'tools/call' ? tools[params.name](params.arguments ?? {}, id, params._meta ?? {})
        : undefined;
      if (result !== undefined && typeof result === 'object') send({ id, result });
    } catch (error) {
      send({ id, error: { code: error.code ?? -32603, message: error.message } });
    }
  })
  .on('close', () => process.exit(0));
