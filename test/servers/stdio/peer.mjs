/** Raw JSON-RPC over stdio, with nothing in the way of misbehaving. */
import { createInterface } from 'node:readline';

export const write = (text) => process.stdout.write(text);
export const send = (message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
export const notify = (method, params) => send({ method, ...(params && { params }) });
export const reply = (id, result) => send({ id, result });
export const fail = (id, code, message) => send({ id, error: { code, message } });
export const text = (value) => ({ content: [{ type: 'text', text: value }] });

/** Calls `take` with each message that comes in, and ends when the input ends. */
export function listen(take) {
  createInterface({ input: process.stdin })
    .on('line', (line) => take(JSON.parse(line)))
    .on('close', () => process.exit(0));
}

/**
 * A server that behaves, except where told otherwise.
 * @param {object} parts `tools`: name → { about?, run(args, message) }, where a run that returns nothing is not answered;
 *   `methods`: method → (params, message) → result, in place of the usual answer, with nothing again for no answer.
 */
export function serve({ tools = {}, methods = {}, capabilities = { tools: { listChanged: true } }, instructions } = {}) {
  const usual = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities, serverInfo: { name: 'srv-a', version: '0.1.0' }, instructions }),
    ping: () => ({}),
    'tools/list': () => ({ tools: Object.entries(tools).map(([name, { about }]) => tool(name, about)) }),
    'tools/call': ({ name, arguments: args = {} }, message) => {
      if (!Object.hasOwn(tools, name)) throw new Error(`no tool ${name}`);
      return tools[name].run(args, message);
    },
  };
  const all = { ...usual, ...methods };
  listen(async (message) => {
    const { id, method, params = {} } = message;
    if (method === undefined) return;
    if (!Object.hasOwn(all, method)) {
      if (id !== undefined) fail(id, -32601, `Method not found: ${method}`);
      return;
    }
    try {
      const result = await all[method](params, message);
      if (result !== undefined && id !== undefined) reply(id, result);
    } catch (error) {
      if (id !== undefined) fail(id, error.code ?? -32602, error.message);
    }
  });
}

export const tool = (name, about = {}) => (
  { name, description: `The tool ${name}`, inputSchema: { type: 'object', properties: {} }, ...about }
);
export const echo = {
  about: { inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  run: (args) => text(String(args.text)),
};
