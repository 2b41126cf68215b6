import { getPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connected, eventually, nodeLaunch, processesMarked, processMark, stdioLink } from '../../../test/support/stdio-link.ts';
import { Secret } from '../../core/kernel/secret.ts';

const MiB = 1024 * 1024;

it('[H-29] reads an answer of more than 4 MiB in one line, and one of 60 MiB', async () => {
  const { call } = await connected(nodeLaunch('versatile.mjs'));
  expect(await call('big', { bytes: 4 * MiB + 1 })).toHaveLength(4 * MiB + 1);
  const started = performance.now();
  expect(await call('big', { bytes: 60 * MiB })).toHaveLength(60 * MiB);
  // Joining the chunks again and again would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
});

it('[H-29] fails only the call whose answer is longer than 64 MiB; the connection lives', async () => {
  const link = await connected(nodeLaunch('versatile.mjs'));
  const other = link.call('hold', { value: 'other', count: 1 });
  await expect(link.call('big', { bytes: 65 * MiB })).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('at most 67108864 are read') as string });
  expect(link.errors).toMatchObject([{ code: 'tool/result-too-large', data: { limit: 64 * MiB } }]);
  expect(await other).toBe('other');
  expect(await link.call('echo', { value: 'alive' })).toBe('alive');
});

it('fails a call whose too long answer names its request only at the end', async () => {
  const { call } = await connected(nodeLaunch('versatile.mjs'), { maxMessageBytes: MiB });
  await expect(call('id-last', { bytes: 2 * MiB })).rejects.toMatchObject({ code: -32603 });
  expect(await call('echo', { value: 'alive' })).toBe('alive');
});

it('[H-30] gives each of many concurrent calls its own answer, whatever the order they come in', async () => {
  const { call } = await connected(nodeLaunch('versatile.mjs'));
  const values = Array.from({ length: 50 }, (_, n) => `value ${n}`);
  expect(await Promise.all(values.map((value) => call('hold', { value, count: values.length })))).toEqual(values);
});

it.skipIf(process.platform === 'win32')('runs a server behind the app on a busy machine', async () => {
  const mark = processMark();
  await connected(nodeLaunch('versatile.mjs', [mark]));
  const [pid = 0] = processesMarked(mark);
  expect(getPriority(pid)).toBe(Math.min(19, getPriority() + 5));
});

it('keeps characters whole that arrive byte by byte', async () => {
  const { call } = await connected(nodeLaunch('versatile.mjs'));
  expect(await call('dribble', { value: 'Grüße 👩‍🚀 漢字' })).toBe('Grüße 👩‍🚀 漢字');
});

it('fails a call at once whose answer is no JSON-RPC', async () => {
  const { call } = await connected(nodeLaunch('versatile.mjs'));
  await expect(call('malformed')).rejects.toThrow('no JSON-RPC message');
});

it('[H-31] closes once for everyone who asks, fails what waits, and is quick about it', async () => {
  const mark = processMark();
  const link = await connected(nodeLaunch('versatile.mjs', [mark]), { waits: { stdinMs: 10_000 } });
  const waiting = expect(link.call('silent')).rejects.toThrow('Connection closed');
  await eventually(() => expect(link.log).toMatchObject([{ text: 'asked' }]));
  const started = performance.now();
  await Promise.all([link.transport.close(), link.client.close(), link.transport.close()]);
  expect(performance.now() - started).toBeLessThan(5_000);
  await waiting;
  // By the end of its input, not by a signal.
  expect(link.transport.ended).toEqual({ exitCode: 0, stderr: 'asked\n' });
  expect(link.closes()).toBe(1);
  expect(processesMarked(mark)).toEqual([]);
  await link.transport.close();
  await expect(link.transport.send({ jsonrpc: '2.0', method: 'notifications/x' })).rejects.toMatchObject({ code: 'connection/closed' });
  expect(link.closes()).toBe(1);
});

it('[H-32] fails waiting calls when the server exits, tells how it ended, and fails later calls at once', async () => {
  const link = await connected(nodeLaunch('versatile.mjs'));
  const waiting = expect(link.call('silent')).rejects.toThrow('Connection closed');
  await expect(link.call('die', { code: 3 })).rejects.toThrow('Connection closed');
  await waiting;
  expect(link.transport.ended).toEqual({ exitCode: 3, stderr: 'asked\n' });
  expect(link.closes()).toBe(1);
  await expect(link.call('echo', { value: 'late' })).rejects.toThrow(/not connected/i);
});

it('tells the signal that ended a server', async () => {
  const link = await connected(nodeLaunch('versatile.mjs'));
  await expect(link.call('killed')).rejects.toThrow('Connection closed');
  expect(link.transport.ended).toEqual({ signal: 'SIGKILL', stderr: '' });
});

it('[H-32] takes the end of stdout for the end of the connection, though the process lives on', async () => {
  const mark = processMark();
  const link = await connected(nodeLaunch('versatile.mjs', [mark]));
  await expect(link.call('close-stdout')).rejects.toThrow('Connection closed');
  expect(link.closes()).toBe(1);
  await eventually(() => expect(processesMarked(mark)).toEqual([]));
});

it('[O4] stays connected to a server that prints a banner, an empty line and a byte order mark first', async () => {
  const link = await connected(nodeLaunch('versatile.mjs', ['--banner']));
  expect(await link.call('echo', { value: 'fine' })).toBe('fine');
  expect(link.log.filter(({ from }) => from === 'stdout')).toEqual([{ from: 'stdout', level: 'info', text: 'srv-a version : 0.1.0' }]);
  expect(link.log.filter(({ from }) => from === 'gatehouse')).toEqual([{ from: 'gatehouse', level: 'warning', text: 'The server wrote text that is no protocol to stdout' }]);
});

it('[O4] shows at most 100 such lines a minute, each cut, with one hint, and counts the rest', async () => {
  const link = await connected(nodeLaunch('versatile.mjs'));
  const lines = ['{"foo":1}', '[1,2]', 'null', '{"jsonrpc":"2.0"}', 'x'.repeat(5_000), ...Array.from({ length: 200 }, (_, n) => `line ${n}`)];
  expect(await link.call('noise', { lines })).toBe('quiet again');
  await link.transport.close();
  const shown = link.log.filter(({ from }) => from === 'stdout').map(({ text }) => text);
  expect(shown.slice(0, 4)).toEqual(lines.slice(0, 4));
  expect(shown[4]).toHaveLength(2_000);
  expect(shown).toHaveLength(101);
  expect(shown.at(-1)).toBe('… 105 more lines');
  expect(link.log.filter(({ from }) => from === 'gatehouse')).toHaveLength(1);
});

it('[F-47] starts the command without a shell and hands its arguments on verbatim, with the inherited and the configured environment', async () => {
  const args = ['a b', '$HOME', '`id`', '"quoted"', "it's", '*', '', 'ü;|&><', '--x=y z'];
  const env = { PLAIN: 'a $HOME b', TOKEN: new Secret('s3cret') };
  const link = await connected(nodeLaunch('versatile.mjs', args, { env }), { env: { PATH: process.env['PATH'], INHERITED: 'yes', TERM: 'xterm' } });
  expect(JSON.parse(await link.call('args'))).toMatchObject({ args, pid: link.transport.pid });
  expect(JSON.parse(await link.call('environment'))).toMatchObject({ PLAIN: 'a $HOME b', TOKEN: 's3cret', INHERITED: 'yes' });
});

it('[O5] takes what a working server writes to stderr for log lines, by their own level', async () => {
  const link = await connected(nodeLaunch('versatile.mjs'));
  for (const line of ['INFO started', '[2024-01-01T10:00:00Z] WARN slow', '\u001b[31mERROR\u001b[0m bad', 'TypeError: x', 'errors: none', 'debug: y']) await link.call('stderr', { line, times: 1 });
  await eventually(() => expect(link.log).toHaveLength(6));
  expect(link.log.map(({ from, level }) => `${from} ${level}`)).toEqual(['stderr info', 'stderr warning', 'stderr error', 'stderr error', 'stderr info', 'stderr debug']);
  expect(link.log[2]?.text).toBe('ERROR bad 0');
  expect(link.transport.ended).toBeUndefined();
});

it('[O5] is not held up by a server that floods stderr, and shows at most 200 lines of it a second', async () => {
  const link = await connected(nodeLaunch('versatile.mjs'));
  const started = performance.now();
  expect(await link.call('stderr', { line: `INFO ${'x'.repeat(80)}`, times: 50_000 })).toBe('written');
  const seconds = Math.ceil((performance.now() - started) / 1_000) + 1;
  await link.transport.close();
  const shown = link.log.filter(({ text }) => text.startsWith('INFO'));
  const leftOut = link.log.map(({ text }) => /^… (\d+) lines left out$/.exec(text)?.[1]).reduce((sum, count) => sum + Number(count ?? 0), 0);
  expect(shown.length).toBeLessThanOrEqual(200 * seconds);
  expect(shown.length + leftOut).toBe(50_000);
});

it('[F-45] [O5] tells why a server exited before it answered: its exit code and the end of its stderr', async () => {
  const link = stdioLink(nodeLaunch('versatile.mjs', ['--exit-at-start']));
  await expect(link.client.connect(link.transport)).rejects.toThrow();
  await link.transport.close();
  expect(link.transport.ended).toEqual({ exitCode: 1, stderr: 'starting\nError: API_KEY=sk-test-123 is invalid\n' });
});

it.each([['1', true], ['0', false]])('[F-45] writes a server\u2019s stderr to the app\u2019s own with GATEHOUSE_DEBUG=%s: %s', async (debug, shown) => {
  const wrote = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => wrote.mockRestore());
  const link = await connected(nodeLaunch('versatile.mjs'), { env: { PATH: process.env['PATH'], TERM: 'xterm', GATEHOUSE_DEBUG: debug } });
  await link.call('stderr', { line: 'INFO hello', times: 1 });
  await eventually(() => expect(link.log).toHaveLength(1));
  expect(wrote.mock.calls.map(([chunk]) => String(chunk))).toEqual(shown ? ['INFO hello 0\n'] : []);
});

it('[F-45] keeps the last 8 KiB of stderr and no more', async () => {
  const link = await connected(nodeLaunch('versatile.mjs'));
  await link.call('stderr', { line: 'größer', times: 5_000 });
  await expect(link.call('die', { code: 1 })).rejects.toThrow();
  const { stderr } = link.transport.ended ?? { stderr: '' };
  expect(Buffer.byteLength(stderr)).toBeLessThanOrEqual(8 * 1024);
  expect(Buffer.byteLength(stderr)).toBeGreaterThan(8 * 1024 - 8);
  expect(stderr.trimEnd().split('\n').slice(-3)).toEqual(['größer 4997', 'größer 4998', 'größer 4999']);
  expect(stderr).not.toContain('\ufffd');
});

it('starts a process ahead of its use: what it writes before anybody reads waits and is lost to nobody', async () => {
  const mark = processMark();
  const early = stdioLink(nodeLaunch('versatile.mjs', [mark], { command: process.execPath }));
  await early.transport.launch();
  await early.transport.launch();
  expect(processesMarked(mark)).toHaveLength(1);
  await early.client.connect(early.transport);
  expect(await early.call('echo', { value: 'after' })).toBe('after');
  expect(processesMarked(mark)).toHaveLength(1);

  const talks = stdioLink({ command: process.execPath, args: ['-e', 'console.log("a banner"); console.error("written"); setInterval(() => {}, 1e6)'], env: {}, ownRuntime: false });
  await talks.transport.launch();
  await eventually(() => expect(talks.log.map(({ text }) => text)).toContain('written'));
  await talks.transport.start();
  await eventually(() => expect(talks.log).toContainEqual(expect.objectContaining({ from: 'stdout', text: 'a banner' })));
  expect(talks.transport.saidInstead).toBe('a banner\n');
});

it('one that was started ahead and has ended tells why when it is used', async () => {
  const link = stdioLink({ command: process.execPath, args: ['-e', 'console.log("no such option"); process.exitCode = 4'], env: {}, ownRuntime: false });
  await link.transport.launch();
  await eventually(() => expect(link.transport.ended).toEqual({ exitCode: 4, stderr: '' }));
  await expect(link.client.connect(link.transport)).rejects.toMatchObject({ code: 'connection/closed' });
  expect(link.transport.saidInstead).toBe('no such option\n');
  expect(link.closes()).toBe(1);
});

it('one that was started ahead and is not used leaves nothing behind', async () => {
  const mark = processMark();
  const link = stdioLink(nodeLaunch('versatile.mjs', [mark]));
  await link.transport.launch();
  expect(processesMarked(mark)).toHaveLength(1);
  await link.transport.close();
  expect(processesMarked(mark)).toEqual([]);
  await expect(link.transport.start()).rejects.toMatchObject({ code: 'connection/closed' });
});

it('of what is written in place of MCP only whole lines are kept, without colours', async () => {
  const link = stdioLink({ command: process.execPath, args: ['-e', 'console.log("x".repeat(5000)); console.log("\\u001b[31mred\\u001b[0m"); for (let n = 0; n < 500; n += 1) console.log("a line of text"); setInterval(() => {}, 1e6)'], env: {}, ownRuntime: false });
  await link.transport.start();
  await eventually(() => expect(link.transport.saidInstead?.length).toBeGreaterThan(2_000));
  expect(link.transport.saidInstead).toMatch(/^\(a line of 5000 characters\)\nred\n(a line of text\n)+$/);
  expect(link.transport.saidInstead?.length).toBeLessThanOrEqual(2_048);
});
