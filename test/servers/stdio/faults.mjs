/** Faults of the process and of its messages. */
import { writeSync } from 'node:fs';
import { echo, listen, reply, send, serve, text, write } from './peer.mjs';

const nothing = () => undefined;

/** `never-answers [METHOD]`: to METHOD, or to anything at all. */
export function neverAnswers(method) {
  if (method === undefined) listen(nothing);
  else serve({ tools: { echo }, methods: { [method]: nothing } });
}

export function exitsAtOnce() {
  writeSync(2, 'Error: API_KEY=sk-test-123 is invalid\n');
  process.exit(1);
}

/** `garbage-json [at-start]`: one tool for each kind of garbage, or garbage as the first answer. */
export function garbageJson(when) {
  const half = (id) => write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"te\n`);
  serve({
    methods: when === 'at-start' ? { initialize: (_, { id }) => void half(id) } : {},
    tools: {
      echo,
      half_json: { run: (_, { id }) => void half(id) },
      not_rpc: { run: () => void write('[1,2,3]\n{"hello":"world"}\n"text"\nnull\n42\n') },
      no_result: { run: (_, { id }) => void send({ id }) },
      result_and_error: { run: (_, { id }) => void send({ id, result: text('yes'), error: { code: 1, message: 'no' } }) },
      result_of_wrong_type: { run: () => ({ content: 'no list', isError: 'perhaps' }) },
      garbage_then_answer: {
        run: () => {
          write('{not json}\n\u0000\u0001\n{"jsonrpc":"2.0"}\n\n');
          return text('answered');
        },
      },
    },
  });
}

/** `wrong-ids [at-start]`: one tool for each way to answer somebody else, or already the first answer. */
export function wrongIds(when) {
  serve({
    methods: when === 'at-start' ? { initialize: ({ protocolVersion }, { id }) => void reply(id + 1_000, { protocolVersion }) } : {},
    tools: {
      echo,
      unknown_id: { run: (_, { id }) => void reply(id + 1_000, text('for somebody else')) },
      string_id: { run: (_, { id }) => void reply(String(id), text('a string')) },
      null_id: { run: () => void send({ id: null, error: { code: -32603, message: 'for nobody' } }) },
      no_id: { run: () => void send({ result: text('no id') }) },
      twice: {
        run: (_, { id }) => {
          reply(id, text('first'));
          reply(id, text('second'));
        },
      },
      unknown_then_answer: {
        run: (_, { id }) => {
          reply(id + 1_000, text('for somebody else'));
          return text('answered');
        },
      },
    },
  });
}

/** A web page to every message, as from a command that is no MCP server. */
export function html() {
  listen(() => write('<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head>\n<body><h1>502</h1></body></html>\n'));
}

/**
 * Text for people before the protocol, an empty line, and a line with a byte order mark; then all is well.
 * `banner bom-first`: the mark stands right before the first message.
 */
export function banner(how) {
  write(`srv-a version : 0.1.0\n\n\ufeff${how === 'bom-first' ? '' : '\n'}`);
  serve({ tools: { echo } });
}

/** 4 MiB before the first answer, then 50 lines a second. Like most programs, it stands still while nobody reads them. */
export function floodsStderr() {
  const line = `INFO started ${'x'.repeat(80)}\n`;
  for (let written = 0; written < 4 * 1_048_576; written += line.length) writeSync(2, line);
  setInterval(() => writeSync(2, 'INFO still here\n'), 20);
  serve({ tools: { echo } });
}

/** `boom` ends the process while its call runs. */
export function diesMidCall() {
  serve({ tools: { echo, boom: { run: () => process.exit(137) } } });
}
