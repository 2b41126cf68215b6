import * as z from 'zod';

/**
 * A script's source, made from the code that a model wrote: its first line is the source's first line. What is around it gives it `tools`, `emit` and `console`,
 * keeps what it says, and turns what it returns into text. All of it runs inside the sandbox and is trusted with nothing: whatever comes out is parsed.
 */
export const scriptSource = (code: string): string => `const __code = async (tools, emit, console, host) => {${code}\n};\n${around}`;

const Said = z.object({ level: z.enum(['debug', 'log', 'info', 'warn', 'error']).optional(), text: z.string() });
const Report = z.object({
  /** What was said before the end, in order: by `emit`, and by `console` with its level. */
  said: z.array(Said),
  /** What was returned, as text; absent for `undefined` and for code that threw. */
  value: z.string().optional(),
  /** `line` counts from 1 in the code. */
  error: z.object({ message: z.string(), line: z.number().int().positive().optional() }).optional(),
});
export type ScriptReport = z.infer<typeof Report>;

/** `undefined` for text that the source above did not make. */
export function readReport(text: string): ScriptReport | undefined {
  try {
    return Report.parse(JSON.parse(text));
  } catch {
    return undefined; // code that ended the script in a way of its own
  }
}

// The sandbox puts two lines of its own before the source: a frame `run.js:5:7` is the source's third line.
const around = String.raw`
const __gh = (() => {
  const send = host.call, stringify = JSON.stringify, parse = JSON.parse, settle = Promise.allSettled.bind(Promise);
  const said = [], open = new Set(), mostSaid = 2000, longest = 65536;
  const inspect = (value, depth, above) => {
    if (value === null) return 'null';
    switch (typeof value) {
      case 'string': return depth === 0 ? value : stringify(value);
      case 'bigint': return value + 'n';
      case 'symbol': return value.toString();
      case 'function': return '[Function ' + (value.name || 'anonymous') + ']';
      case 'object': break;
      default: return String(value);
    }
    if (above.includes(value)) return '[Circular]';
    if (value instanceof Error) return value.name + ': ' + value.message;
    if (value instanceof Date) return value.toISOString();
    if (value instanceof RegExp) return String(value);
    if (value instanceof Promise) return '[Promise]';
    if (depth > 6) return Array.isArray(value) ? '[Array]' : '[Object]';
    const at = (item) => inspect(item, depth + 1, [...above, value]);
    if (value instanceof Map) return 'Map(' + value.size + ') {' + [...value].map(([key, item]) => at(key) + ' => ' + at(item)).join(', ') + '}';
    if (value instanceof Set) return 'Set(' + value.size + ') {' + [...value].map(at).join(', ') + '}';
    if (Array.isArray(value)) return '[' + value.map(at).join(', ') + ']';
    return '{' + Object.keys(value).map((key) => key + ': ' + at(value[key])).join(', ') + '}';
  };
  const isJson = (value, above) => {
    if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return false;
    if (typeof value !== 'object' || value === null) return true;
    if (above.includes(value) || above.length > 200 || value instanceof Map || value instanceof Set || value instanceof Error) return false;
    return typeof value.toJSON === 'function' || Object.values(value).every((item) => isJson(item, [...above, value]));
  };
  const show = (value) => {
    try {
      if (typeof value === 'string') return value;
      return value !== undefined && isJson(value, []) ? stringify(value) : inspect(value, 0, []);
    } catch {
      return '[a value that cannot be shown]';
    }
  };
  const say = (level, values) => {
    if (said.length < mostSaid) said.push({ ...(level ? { level } : {}), text: values.map(show).join(' ').slice(0, longest) });
  };
  const ask = (name, input) => {
    const answer = send(name, stringify(input) ?? 'null').then(parse);
    const done = () => void open.delete(answer);
    open.add(answer);
    answer.then(done, done);
    return answer;
  };
  const own = {
    search: (query) => ask('search', query), describe: (query) => ask('describe', query), resources: (query) => ask('resources', query),
    readResource: (query) => ask('readResource', query), readResult: (query) => ask('readResult', query),
    call: (path, args, server) => ask('call', { path, args, server }),
  };
  const notTools = ['then', 'catch', 'finally', 'toJSON', 'toString', 'valueOf'];
  const refuse = () => { throw new TypeError('tools can be neither listed nor changed. Find a tool with tools.search({ query }), then use tools.call(path, args, server?)'); };
  const tools = new Proxy(Object.create(null), {
    get: (_target, name) => typeof name !== 'string' || notTools.includes(name) ? undefined : Object.hasOwn(own, name) ? own[name] : (args) => own.call(name, args),
    has: (_target, name) => typeof name === 'string' && !notTools.includes(name),
    ownKeys: refuse, set: refuse, defineProperty: refuse, deleteProperty: refuse, setPrototypeOf: refuse,
  });
  const console = Object.freeze(Object.fromEntries(['debug', 'log', 'info', 'warn', 'error'].map((level) => [level, (...values) => say(level, values)])));
  // Calls that nobody waited for are told to end, so that nothing goes on behind a script that is over.
  const end = async (outcome) => {
    if (open.size > 0) {
      const left = [...open];
      await ask('leftovers', null);
      await settle(left);
    }
    return stringify({ said, ...outcome });
  };
  const problem = (error) => {
    const line = error instanceof Error ? Number(/run\.js:(\d+)/.exec(String(error.stack))?.[1]) - 2 : 0;
    return { message: error instanceof Error ? error.name + ': ' + error.message : show(error), ...(line > 0 ? { line } : {}) };
  };
  return { tools, console, end, problem, show, emit: (...values) => say(undefined, values) };
})();
return await __code(__gh.tools, __gh.emit, __gh.console).then(
  (value) => __gh.end(value === undefined ? {} : { value: __gh.show(value) }),
  (error) => __gh.end({ error: __gh.problem(error) }),
);`;
