import { describe, expect, it } from 'vitest';
import type { ActionAnswer, Actions, OwnToolContext } from '../../src/core/model-tools/own-tool.ts';
import type { ScriptRecord } from '../../src/core/script/script-record.ts';
import { ScriptRun, type ScriptResult, type ScriptRunDeps } from '../../src/core/script/script-run.ts';
import { AppError } from '../../src/shared/errors.ts';
import { createScriptSandbox } from '../../src/node/sandbox/script-sandbox.ts';
import { ChatId, Revision, ServerId, ToolCallId } from '../../src/shared/ids.ts';
import type { ToolCall } from '../../src/shared/model/tool-call.ts';
import { FakeClock } from '../support/fake-clock.ts';

const never = new AbortController().signal;
type Call = (params: { readonly tool: string; readonly args?: unknown; readonly server?: string }, context: OwnToolContext, signal: AbortSignal) => Promise<ActionAnswer>;

/** The real sandbox; the actions answer as the test says. */
function script(options: { readonly call?: Call; readonly asks?: (tool: string) => boolean; readonly keep?: (record: ScriptRecord) => void; readonly earlier?: ScriptRunDeps['earlier']; readonly full?: 'calls' | 'records' } = {}) {
  const made: string[] = [];
  const clock = new FakeClock();
  const answer: Call = options.call ?? (async ({ args }) => ({ ok: true, data: { content: [], structuredContent: args ?? null }, text: '' }));
  const refuse = (): Promise<ActionAnswer> => Promise.resolve({ ok: false, error: { code: 'not_found', message: 'Nothing here' } });
  const actions: Actions = {
    search: (params) => Promise.resolve({ ok: true, data: { items: [], asked: params }, text: '' }), describe: (params) => Promise.resolve({ ok: true, data: params, text: '' }),
    resources: refuse, readResource: refuse, readResult: refuse, list: refuse, connect: refuse, status: refuse, instructions: refuse,
    call: (params, context, signal) => {
      const wanted = params as Parameters<Call>[0]; // made by ScriptHost
      made.push(wanted.tool);
      return answer(wanted, context, signal);
    },
    wouldAsk: (params) => options.asks?.((params as { tool: string }).tool) ?? false, // the same
  };
  const context: OwnToolContext = {
    caller: { kind: 'chat', chatId: ChatId.parse('c') }, callId: ToolCallId.parse('outer'), mayUse: () => true, load: () => Promise.resolve([]),
    cancellable: (_call, signal, work) => work(signal),
    record: () => options.full === 'calls' ? Promise.reject(new AppError('storage/failed', 'The disk is full')) : Promise.resolve({ waiting: () => Promise.resolve(), started: () => Promise.resolve(), settled: () => Promise.resolve(), progress: () => undefined }),
  };
  const deps: ScriptRunDeps = {
    clock, sandbox: createScriptSandbox(), actions, earlier: options.earlier ?? (() => Promise.resolve(undefined)),
    keep: (record) => options.full === 'records' ? Promise.reject(new AppError('storage/failed', 'The disk is full')) : Promise.resolve(options.keep?.(structuredClone(record))),
  };
  return {
    made, clock,
    run: (code: string, timeoutMs: number | null = 60_000, signal = never): Promise<ScriptResult> => new ScriptRun({ code, timeoutMs }, deps, context).run(signal),
    resume: (record: ScriptRecord, signal = never): Promise<ScriptResult> => new ScriptRun(record, deps, context).run(signal),
  };
}
const inner = (id: string, tool: string): ToolCall => ({
  id: ToolCallId.parse(id), ref: { serverId: ServerId.parse('global:s'), tool, revision: Revision.parse('r') }, serverName: 's', args: {}, caller: { kind: 'chat', chatId: ChatId.parse('c') },
});

describe('a script', () => {
  it('gives data of calls that went well, and words of those that did not, and goes on after them', async () => {
    const { run } = script({ call: async ({ tool }) => (tool === 'bad' ? { ok: false, error: { code: 'tool_not_found', message: 'No' } } : { ok: true, data: { structuredContent: 7 }, text: '' }) });
    const { report, details } = await run('const bad = await tools.bad({}); const good = await tools.call("good", {}); return [bad.ok, bad.error.code, good.ok, good.data.structuredContent]');
    expect(JSON.parse(report.value ?? '')).toEqual([false, 'tool_not_found', true, 7]);
    expect(details.calls.map(({ kind, name, ok, code }) => ({ kind, name, ok, code }))).toEqual([
      { kind: 'call', name: 'bad', ok: false, code: 'tool_not_found' },
      { kind: 'call', name: 'good', ok: true, code: undefined },
    ]);
  });

  it.each([
    ['return { a: [1, undefined, null] }', '{"a":[1,null,null]}'],
    ['return "text"', 'text'],
    ['return null', 'null'],
    ['return 12n', '12n'],
    ['return new Map([["a", { b: new Set([1]) }]])', 'Map(1) {"a" => {b: Set(1) {1}}}'],
    ['const a = {}; a.a = a; return a', '{a: [Circular]}'],
    ['return Symbol("s")', 'Symbol(s)'],
    ['return function f() {}', '[Function f]'],
    ['return { big: 1n, deep: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } } }', '{big: 1n, deep: {a: {b: {c: {d: {e: {f: [Object]}}}}}}}'],
    ['return new Date(0)', '"1970-01-01T00:00:00.000Z"'],
  ])('%s puts out %s', async (code, expected) => {
    expect((await script().run(code)).report.value).toBe(expected);
  });

  it('keeps what emit and console say, in order and with their level', async () => {
    const { report } = await script().run('emit({ a: 1 }, "b"); console.warn("careful", [1]); console.log(2)');
    expect(report).toEqual({ said: [{ text: '{"a":1} b' }, { level: 'warn', text: 'careful [1]' }, { level: 'log', text: '2' }] });
  });

  it('says where it threw, and what it had said by then', async () => {
    const { report, details } = await script().run('emit("before");\nconst a = 1;\nnotThere(a);');
    expect(report.said).toEqual([{ text: 'before' }]);
    expect(details.error).toEqual({ code: 'script_error', message: 'ReferenceError: notThere is not defined', line: 3 });
    expect((await script().run('const a = 1;\nreturn ][')).details.error).toMatchObject({ code: 'script_error', line: 2 });
  });

  it('makes no call for an empty path or a senseless server, and leaves no trace of one', async () => {
    const { run, made } = script();
    const { report, details } = await run('return [await tools.call(""), await tools.call("x", {}, 5), await tools.call(undefined)].map((one) => one.error.code)');
    expect(JSON.parse(report.value ?? '')).toEqual(['invalid_tool_path', 'invalid_arguments', 'invalid_tool_path']);
    expect(made).toEqual([]);
    expect(details.calls).toEqual([]);
  });

  it('cannot list or change tools, and tools is no promise', async () => {
    const { run } = script();
    for (const code of ['Object.keys(tools)', 'for (const a in tools) {}', 'tools.x = 1', 'delete tools.call', '({ ...tools })']) expect((await run(code)).details.error?.message).toMatch(/^TypeError: tools can be neither listed nor changed/);
    expect((await run('return [tools.then, tools.catch, tools.finally, tools.toJSON, tools.toString, tools.valueOf].map((one) => typeof one)')).report.value).toBe(JSON.stringify(Array(6).fill('undefined')));
  });

  it('ends the calls that nobody waited for, and calls them incomplete', async () => {
    let told = false;
    const { run } = script({
      call: (_params, _context, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            told = true;
            resolve({ ok: false, error: { code: 'aborted', message: 'Cancelled' } });
          });
        }),
    });
    const { report, details } = await run('tools.slow({}); return "done"');
    expect(report.value).toBe('done');
    expect(told).toBe(true);
    expect(details.calls).toEqual([{ kind: 'call', name: 'slow', ms: expect.any(Number) as number }]);
  });

  it('asks nobody about a call that was not waited for', async () => {
    const { run, made } = script({ asks: () => true });
    const { report } = await run('tools.slow({}); return "done"');
    expect(report.value).toBe('done');
    expect(made).toEqual([]);
  });

  it('lets people take their time', async () => {
    const { run, clock } = script({
      asks: () => true,
      call: async ({ tool }, context) => {
        const recorder = await context.record(inner('i', tool));
        clock.advance(3_600_000); // a person thinks
        await recorder.started(inner('i', tool));
        return { ok: true, data: 1, text: '' };
      },
    });
    expect((await run('return (await tools.slow({})).data')).report.value).toBe('1');
  });

  it('ends an allowed call with its own time, which the call took', async () => {
    const { run, clock } = script({
      asks: () => true,
      call: async ({ tool }, context, signal) => {
        await (await context.record(inner('i', tool))).started(inner('i', tool));
        const ended = new Promise<ActionAnswer>((resolve) => signal.addEventListener('abort', () => resolve({ ok: false, error: { code: 'aborted', message: 'Cancelled' } })));
        clock.advance(10_000);
        return ended;
      },
    });
    expect((await run('await tools.slow({}); for (;;) {}', 10_000)).details).toMatchObject({ error: { code: 'timeout' }, timeoutMs: 10_000, calls: [{ name: 'slow', ok: false, code: 'aborted' }] });
  });

  it.each(['calls', 'records'] as const)('[F-132] ends with call_capture_failed when the disk takes no more %s, whatever it catches, and nothing is called after that', async (full) => {
    const { run, made } = script({ full, asks: (tool) => full === 'records' && tool === 'first', call: async ({ tool }, context) => {
      await (await context.record(inner('i', tool))).started(inner('i', tool));
      return { ok: true, data: tool, text: '' };
    } });
    const { details, report } = await run('try { await tools.first({}) } catch {}; await tools.second({}); return "went on"');
    expect(details.error).toEqual({ code: 'call_capture_failed', message: 'The disk is full' });
    expect(report.value).toBeUndefined();
    expect(made).not.toContain('second');
  });

  it('goes on with each answer while others still wait', async () => {
    const answers = new Map<string, () => void>();
    const done: string[] = [];
    const { run } = script({
      asks: (tool) => tool.startsWith('ask'),
      call: async ({ tool }) => {
        if (tool.startsWith('ask')) {
          const answered = new Promise<void>((resolve) => answers.set(tool, resolve));
          // The first is answered once both are asked, the second once the first has gone on.
          if (answers.size === 2) answers.get('ask1')?.();
          await answered;
        } else {
          done.push(tool);
          answers.get('ask2')?.();
        }
        return { ok: true, data: tool, text: '' };
      },
    });
    const { report } = await run('const one = async (n) => { await tools["ask" + n]({}); await tools["after" + n]({}); return n }; return await Promise.all([one(1), one(2)])');
    expect(report.value).toBe('[1,2]');
    expect(done).toEqual(['after1', 'after2']);
  });

  it('goes on in another process: what was answered stays so, what ran is told, what only asked is asked again', async () => {
    const records: ScriptRecord[] = [];
    const stop = new AbortController();
    const first = script({
      asks: (tool) => tool !== 'quiet',
      keep: (record) => {
        records.push(record);
        if (record.pauses.filter(({ callId }) => callId !== undefined).length === 2) stop.abort(new Error('the process ends'));
      },
      call: async ({ tool }, context, signal) => {
        if (tool === 'quiet') return { ok: true, data: 'quiet', text: '' };
        await context.record(inner(`call-${tool}`, tool));
        signal.throwIfAborted();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
    });
    const code = 'emit("once"); const a = (await tools.quiet({})).data; const [b, c] = await Promise.all([tools.ran({}), tools.asked({})]); return [a, b.error.code, c.data].join()';
    await expect(first.run(code, 10_000, stop.signal)).rejects.toThrow('the process ends');
    const last = records.at(-1);
    if (!last) throw new Error('Nothing was kept');
    const second = script({
      asks: (tool) => tool !== 'quiet',
      earlier: async (callId) => (callId === 'call-ran' ? { ok: false, error: { code: 'ambiguous_outcome', message: 'Nobody knows' } } : undefined),
      call: async () => ({ ok: true, data: 'asked again', text: '' }),
    });
    const { report, details } = await second.resume(last);
    expect(report).toEqual({ said: [{ text: 'once' }], value: 'quiet,ambiguous_outcome,asked again' });
    expect(second.made).toEqual(['asked']);
    expect(details.calls.map(({ name, ok }) => [name, ok])).toEqual([['quiet', true], ['ran', false], ['asked', true]]);
  });
});
