import { describe, expect, it } from 'vitest';
import type { ScriptJob } from '../../core/ports.ts';
import { createScriptSandbox } from './script-sandbox.ts';

const sandbox = createScriptSandbox();
const never = new AbortController().signal;
const echo: ScriptJob['host'] = async (name, json) => ({ kind: 'answer', json: JSON.stringify({ name, got: JSON.parse(json) as unknown }) });
const run = (source: string, options: Partial<ScriptJob> = {}, signal = never) => sandbox.run({ source, host: echo, timeoutMs: 10_000, ...options }, signal);

describe('the script sandbox', () => {
  it('runs the body of an async function and passes calls on', async () => {
    const end = await run('const all = await Promise.all([host.call("a", "1"), host.call("b", "[2]")]); return all.join()');
    expect(end).toEqual({ kind: 'returned', text: '{"name":"a","got":1},{"name":"b","got":[2]}' });
  });

  it.each(['process', 'require', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'Buffer', 'WebAssembly', 'XMLHttpRequest', 'Worker', 'navigator', 'window', 'Deno', 'Bun'])('has no %s', async (name) => {
    expect(await run(`return typeof ${name} + typeof globalThis[${JSON.stringify(name)}]`)).toEqual({ kind: 'returned', text: 'undefinedundefined' });
  });

  it('imports nothing, and makes no code from text that would see more', async () => {
    expect(await run('return await import("node:fs").then(() => "in", () => "refused")')).not.toEqual({ kind: 'returned', text: 'in' });
    expect(await run('try { return host.call.constructor("return typeof process")() } catch { return "undefined" }')).not.toEqual({ kind: 'returned', text: 'object' });
  });

  it.each([
    ['a loop', 'for (;;) {}'],
    ['microtasks without end', 'const f = () => Promise.resolve().then(f); await f(); return ""'],
    ['a promise that nobody resolves', 'await new Promise(() => {}); return ""'],
  ])('ends %s at its time limit', async (_name, source) => {
    expect(await run(source, { timeoutMs: 300 })).toMatchObject({ kind: 'failed', why: 'timeout' });
  });

  it('ends what takes too much memory, and what calls itself without end', async () => {
    expect(await run('const all = []; for (;;) all.push("x".repeat(1e6) + all.length)')).toMatchObject({ kind: 'failed', why: 'memory' });
    expect(await run('const f = () => f(); f(); return ""')).toMatchObject({ kind: 'failed', why: 'error' });
    expect(await run('return "still well"')).toEqual({ kind: 'returned', text: 'still well' });
  });

  it('says more calls than it allows, and a syntax error', async () => {
    expect(await run('for (;;) await host.call("a", "1")', { timeoutMs: null })).toMatchObject({ kind: 'failed', why: 'calls' });
    expect(await run('const a = 1;\nreturn ][')).toMatchObject({ kind: 'failed', why: 'error', line: 2, message: expect.stringMatching(/SyntaxError/) as string });
  });

  it('ends at once when aborted, and tells what is under way', async () => {
    const stop = new AbortController();
    let told = false;
    const host: ScriptJob['host'] = (_name, _json, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          told = true;
          reject(new Error('aborted'));
        });
        stop.abort(new Error('enough'));
      });
    await expect(run('await host.call("wait", "1"); return ""', { host, timeoutMs: null }, stop.signal)).rejects.toThrow('enough');
    expect(told).toBe(true);
  });

  it('keeps the words of a host error from the script', async () => {
    const end = await run('try { await host.call("x", "1"); return "" } catch (error) { return String(error.message) + String(error.stack) }', { host: () => Promise.reject(new Error('s3cret')) });
    expect(JSON.stringify(end)).not.toContain('s3cret');
  });

  it('pauses when all that is under way is answered, and goes on in another sandbox without calling anything twice', async () => {
    const made: string[] = [];
    const host: ScriptJob['host'] = async (name, json) => {
      made.push(`${name} ${json}`);
      return name === 'ask' ? { kind: 'pause', reason: { about: json } } : { kind: 'answer', json };
    };
    const source = 'const first = await Promise.all([host.call("ask", "1"), host.call("say", "2"), host.call("ask", "3")]); return [...first, await host.call("say", "4")].join()';
    const paused = await run(source, { host });
    if (paused.kind !== 'paused') throw new Error(`It did not pause: ${JSON.stringify(paused)}`);
    expect(paused.pauses.map(({ reason }) => reason)).toEqual([{ about: '1' }, { about: '3' }]);
    const [one, two] = paused.pauses;
    const half = await createScriptSandbox().run({ source, host, timeoutMs: 10_000, resume: { continuation: paused.continuation, answers: [{ pauseId: one?.id ?? '', json: '"yes"' }] } }, never);
    if (half.kind !== 'paused') throw new Error('It did not wait for the other answer');
    expect(half.pauses.map(({ id }) => id)).toEqual([two?.id]);
    const end = await createScriptSandbox().run({ source, host, timeoutMs: 10_000, resume: { continuation: half.continuation, answers: [{ pauseId: two?.id ?? '', json: '"no"' }] } }, never);
    expect(end).toEqual({ kind: 'returned', text: '"yes",2,"no",4' });
    expect(made).toEqual(['ask 1', 'say 2', 'ask 3', 'say 4']);
  });

  it('does not go on with another source or a record that was changed', async () => {
    const host: ScriptJob['host'] = async () => ({ kind: 'pause', reason: {} });
    const source = 'return await host.call("ask", "1")';
    const paused = await run(source, { host });
    if (paused.kind !== 'paused') throw new Error('It did not pause');
    const answers = [{ pauseId: paused.pauses[0]?.id ?? '', json: '"yes"' }];
    expect(await run('return await host.call("ask", "2")', { host, resume: { continuation: paused.continuation, answers } })).toMatchObject({ kind: 'failed' });
    expect(await run(source, { host, resume: { continuation: '{"version":2}', answers } })).toMatchObject({ kind: 'failed' });
    expect(await run(source, { host, resume: { continuation: 'no json', answers } })).toMatchObject({ kind: 'failed' });
  });
});
