import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../node/clock.ts';
import { createTransports } from '../../node/transports/create-transports.ts';
import { AppError } from '../../shared/errors.ts';
import { Revision, ServerId } from '../../shared/ids.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import { startEverything } from '../../../test/servers/http/everything.ts';
import { startHttpServer } from '../../../test/support/plain-http-server.ts';
import { nodeLaunch } from '../../../test/support/stdio-link.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { eventually, never } from '../../../test/support/test-pool.ts';
import { Secret } from '../kernel/secret.ts';
import { formsOf } from '../secrets/encodings.ts';
import { Prober, type ProberDeps } from './probe.ts';
import type { ReadyLaunch } from './session.ts';

const definition: ServerDefinition = {
  id: ServerId.parse('srv'), name: 'srv', owner: 'global', enabled: false, revision: Revision.parse('1'), options: {},
  transport: { type: 'stdio', command: 'x', args: [], env: {} },
};
function prober(deps: Partial<ProberDeps> = {}): Prober {
  const made = new Prober({
    clock: systemClock, log: { info: () => undefined, warn: () => undefined, error: () => undefined }, mask: (text) => text,
    transports: createTransports({ home: tempFolder(), waits: { stdinMs: 100 }, env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm' } }),
    network: { onBack: () => ({ [Symbol.dispose]: () => undefined }) }, clientInfo: { name: 'Gatehouse', version: '0.0.1' },
    environment: async () => ({}),
    ...deps,
  });
  onTestFinished(() => made[Symbol.asyncDispose]());
  return made;
}
const script = (code: string, args: readonly string[] = [], env: Readonly<Record<string, string | Secret>> = {}): ReadyLaunch => (
  { type: 'stdio', launch: { command: process.execPath, args: ['-e', code, '--', ...args], env, ownRuntime: false } }
);
const stdio = (name: string, ...args: string[]): ReadyLaunch => ({ type: 'stdio', launch: { command: process.execPath, args: [...nodeLaunch(name, args).args], env: {}, ownRuntime: false } });
const http = (url: string, headers: Readonly<Record<string, string | Secret>> = {}): ReadyLaunch => ({ type: 'streamable-http', url, headers });
const test = (launch: ReadyLaunch | (() => Promise<ReadyLaunch>), timeoutMs = 10_000, made = prober(), signal = never) =>
  made.test(async () => ({ definition, resolve: async () => (typeof launch === 'function' ? launch() : launch) }), timeoutMs, signal);
async function refusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP
  await new Promise((resolve) => server.close(resolve));
  return port;
}
const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('testing a server', () => {
  it('[U-41] shakes hands and lists tools for real: what merely stays alive, exits with 0 or answers below 500 is not valid', async () => {
    expect(await test(stdio('calls.mjs'))).toEqual({ status: 'valid', tools: expect.any(Number) });
    const everything = await startEverything('streamableHttp');
    onTestFinished(() => everything.stop());
    expect(await test(http(everything.url))).toMatchObject({ status: 'valid', tools: expect.any(Number) });
    expect(await test(script('setInterval(() => {}, 1000)'), 700)).toMatchObject({ status: 'unreachable' });
    expect(await test(script('process.exit(0)'))).toMatchObject({ status: 'error' });
    await using page = await startHttpServer((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'));
    expect(await test(http(`${page.origin}/mcp`))).toMatchObject({ status: 'error' });
    // Its handshake is fine, its list is none.
    expect(await test(stdio('broken.mjs', 'never-answers', 'tools/list'), 1_000)).toMatchObject({ status: 'unreachable' });
  });

  it('[U-42] no answer in time and a refused connection are unreachable; 500 and above, a failed start and a broken protocol are errors', async () => {
    expect(await test(stdio('broken.mjs', 'never-answers'), 600)).toEqual({ status: 'unreachable', message: 'No answer within 0.6 s' });
    expect(await test(http(`http://127.0.0.1:${await refusedPort()}/mcp`))).toMatchObject({ status: 'unreachable' });
    for (const status of [500, 503]) {
      await using failing = await startHttpServer((_request, response) => void response.writeHead(status).end('no'));
      expect(await test(http(`${failing.origin}/mcp`))).toMatchObject({ status: 'error', message: expect.stringContaining(String(status)) });
    }
    expect(await test({ type: 'stdio', launch: { command: '/no/such/program', args: [], env: {}, ownRuntime: false } })).toMatchObject({ status: 'error' });
    expect(await test(stdio('broken.mjs', 'exits-at-once'))).toMatchObject({ status: 'error' });
    expect(await test(script('process.stdin.once("data", (d) => console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(String(d).split("\\n")[0]).id, error: { code: -32603, message: "no" } })))')))
      .toMatchObject({ status: 'error', message: expect.stringContaining('no') });
    expect(await test(async () => {
      throw new AppError('secret/missing', 'The value of TOKEN is not in the vault');
    })).toEqual({ status: 'error', message: 'The value of TOKEN is not in the vault' });
  });

  it('[U-40] answers a status and a message, with no environment, header or argument in it, whatever the server says of them', async () => {
    const canaries = ['canary-environment-1', 'canary-argument-2', 'canary-header-3', 'canary-inherited-4'];
    const [environment, argument, header, inherited] = canaries.map((value) => new Secret(value));
    const made = prober({ environment: async () => ({ CLOUD_KEY: canaries[3] ?? '', HOME: '/home/me' }) });
    const quoting = (what: string) => script(`console.error('bad: ' + ${what}); process.exit(3)`, [argument?.reveal() ?? ''], { TOKEN: environment ?? '', PLAIN: 'canary-plain-env-5' });
    const answers = [
      await test(quoting('process.env.TOKEN'), 5_000, made),
      await test(quoting('process.argv.at(-1)'), 5_000, made),
      await test(quoting('Buffer.from(process.env.TOKEN).toString("base64")'), 5_000, made),
      await test(quoting('process.env.PLAIN'), 5_000, made),
      await test(quoting(`${JSON.stringify(inherited?.reveal())}`), 5_000, made),
      await test(quoting('"no such file"'), 5_000, made),
    ];
    await using echo = await startHttpServer((request, response) => void response.writeHead(502).end(`you sent ${String(request.headers['x-key'])}`));
    answers.push(await test(http(`${echo.origin}/mcp`, { 'x-key': header ?? '' }), 5_000, made));
    await using refuses = await startHttpServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: -32000, message: `unknown ${String(request.headers['x-key'])}` } }));
    });
    answers.push(await test(http(`${refuses.origin}/mcp`, { 'x-key': header ?? '' }), 5_000, made));
    for (const answer of answers) {
      expect(Object.keys(answer).filter((key) => !['status', 'message', 'tools'].includes(key))).toEqual([]);
      expect(answer).toMatchObject({ status: 'error', message: expect.stringMatching(/./) });
      const text = JSON.stringify(answer);
      for (const canary of [...canaries, 'canary-plain-env-5']) for (const { text: form } of formsOf(canary)) expect(text).not.toContain(form);
    }
    // What is none of them is told.
    expect(answers[5]).toEqual({ status: 'error', message: expect.stringContaining('no such file') });
    expect(answers[0]).toEqual({ status: 'error', message: 'The server exited with code 3' });
  });

  it('[U-43] always ends what it started: TERM, and KILL a second later', async () => {
    const folder = tempFolder();
    const [pid, term] = [join(folder, 'pid'), join(folder, 'term')];
    const stubborn = `const fs = require('fs'); fs.writeFileSync(${JSON.stringify(pid)}, String(process.pid)); process.on('SIGTERM', () => fs.writeFileSync(${JSON.stringify(term)}, String(Date.now()))); setInterval(() => {}, 1000)`;
    expect(await test(script(stubborn), 800)).toMatchObject({ status: 'unreachable' });
    const ended = Date.now();
    expect(runs(Number(readFileSync(pid, 'utf8')))).toBe(false);
    const waited = ended - Number(readFileSync(term, 'utf8'));
    expect(waited).toBeGreaterThan(900);
    expect(waited).toBeLessThan(2_500);
    // A server that answers well is ended too.
    const file = nodeLaunch('stubborn.mjs').args[0] ?? '';
    const well = `require('fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid)); import(${JSON.stringify(file)})`;
    expect(await test(script(well))).toEqual({ status: 'valid', tools: 0 });
    expect(runs(Number(readFileSync(pid, 'utf8')))).toBe(false);
  });

  it('ends what it started when the asker goes away, and when the app closes', async () => {
    const folder = tempFolder();
    const started = async (name: string, made: Prober, signal: AbortSignal) => {
      const pid = join(folder, name);
      const testing = test(script(`require('fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid)); setInterval(() => {}, 1000)`), 20_000, made, signal).catch((error: unknown) => error);
      await eventually(() => expect(existsSync(pid) && readFileSync(pid, 'utf8')).toMatch(/^\d+$/));
      return { testing, pid: Number(readFileSync(pid, 'utf8')) };
    };
    const asker = new AbortController();
    const one = await started('one', prober(), asker.signal);
    asker.abort();
    expect(await one.testing).toMatchObject({ name: 'AbortError' });
    expect(runs(one.pid)).toBe(false);
    const made = prober();
    const other = await started('other', made, never);
    await made[Symbol.asyncDispose]();
    expect(runs(other.pid)).toBe(false);
    await other.testing;
  });

  it('says that it waits for a person when nobody answered a question in time', async () => {
    const answer = await prober().test(
      async () => ({
        definition,
        resolve: (_definition, { asking }, signal) => {
          asking('“srv” wants to read TOKEN');
          return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
        },
      }),
      100, never,
    );
    expect(answer).toEqual({ status: 'error', message: 'It waits for your permission to read a secret' });
  });
});
