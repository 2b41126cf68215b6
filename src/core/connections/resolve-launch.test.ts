import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LaunchBench, opened, ref, type Given } from '../../../test/support/launch-bench.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { AppError } from '../../shared/errors.ts';
import type { RawFields, RawInput } from '../formats/raw-entry.ts';
import { Secret } from '../kernel/secret.ts';

const never = new AbortController().signal;

describe('variables', () => {
  const env = { TOKEN: 'tok-12345678', HOST: 'h.example', K: 'kk', DIR: '/srv', EMPTY: '' };

  it('[F-23] are filled in in env, cwd, url, headers, bearerToken and socket, in every form; a missing one is empty except in the url', async () => {
    const bench = await LaunchBench.open();
    expect(await bench.stdio({ cwd: '${DIR}/$env:K', env: { A: '${K}', B: '$env:K', C: '{env:K}', D: '<${NONE}>' } }, { env })).toMatchObject({
      cwd: '/srv/kk', env: { A: 'kk', B: 'kk', C: 'kk', D: '<>' },
    });
    expect(await bench.http({ url: 'https://${HOST}/$env:K/{env:K}', headers: { 'X-A': '$env:K-{env:K}-${NONE}' }, bearerToken: '{env:TOKEN}' }, { env })).toEqual({
      url: 'https://h.example/kk/kk', headers: { 'X-A': 'kk-kk-', Authorization: 'Bearer tok-12345678' },
    });
    expect(await bench.resolve({ socket: '${DIR}/{env:K}${NONE}.sock' }, { env })).toEqual({ type: 'socket', path: '/srv/kk.sock' });
    expect(await bench.stdio({ cwd: '${NONE}' }, { env })).not.toHaveProperty('cwd');
    await expect(bench.http({ bearerToken: '${NONE}' }, { env })).rejects.toMatchObject({ code: 'variable/missing' });
    await expect(bench.http({ url: 'https://api.example.com/${NONE}' }, { env })).rejects.toMatchObject({ code: 'variable/missing' });
    expect(bench.warnings).toEqual(['NONE is not set: env.D is sent without it', 'NONE is not set: headers.X-A is sent without it', 'NONE is not set: socket is sent without it', 'NONE is not set: cwd is empty']);
  });

  it('[F-24] a url with a missing one fails before any request and names it; so does a url that is none once it is filled in', async () => {
    const bench = await LaunchBench.open();
    await expect(bench.http({ url: 'https://${HOST_OF_MINE}/mcp' })).rejects.toMatchObject({ code: 'variable/missing', message: expect.stringContaining('HOST_OF_MINE is not set'), data: { server: 'docs', field: 'url', names: ['HOST_OF_MINE'] } });
    await expect(bench.http({ url: '${BASE}/mcp' }, { env: { BASE: 'not an address' } })).rejects.toMatchObject({ code: 'config/invalid', data: { field: 'url' } });
    await expect(bench.http({ url: '${BASE}' }, { env: { BASE: 'file:///etc/passwd' } })).rejects.toMatchObject({ code: 'config/invalid' });
  });

  it('in command and arguments fail that server only, with its name', async () => {
    const bench = await LaunchBench.open();
    expect(await bench.stdio({ command: '${DIR}/bin', args: ['--host', '${HOST}', '${NONE:-x}'] }, { env })).toMatchObject({ command: '/srv/bin', args: ['--host', 'h.example', 'x'] });
    await expect(bench.stdio({ args: ['--t=${NONE}'] }, { env })).rejects.toMatchObject({ code: 'variable/missing', message: expect.stringContaining('NONE is not set'), data: { server: 'docs', field: 'args.0' } });
    await expect(bench.stdio({ command: '${NONE}/x' }, { env })).rejects.toMatchObject({ code: 'variable/missing', data: { field: 'command' } });
  });

  it('[F-25] a leading ~ of cwd and socket is the person’s folder', async () => {
    const bench = await LaunchBench.open();
    expect(await bench.stdio({ cwd: '~/work' })).toMatchObject({ cwd: `${bench.home}/work` });
    expect(await bench.stdio({ cwd: '~' })).toMatchObject({ cwd: bench.home });
    expect(await bench.resolve({ socket: '~/run/mux.sock' })).toEqual({ type: 'socket', path: `${bench.home}/run/mux.sock` });
    expect(await bench.stdio({ cwd: '/a/~b' })).toMatchObject({ cwd: '/a/~b' });
    expect(await bench.stdio({ cwd: '${TILDE}/x' }, { env: { TILDE: '~' } })).toMatchObject({ cwd: `${bench.home}/x` });
    expect(await bench.resolve({ socket: '~other/x' })).toEqual({ type: 'socket', path: `${bench.home}/~other/x` });
  });

  it('a project’s server starts in the project’s folder, and its relative paths are relative to that', async () => {
    const bench = await LaunchBench.open();
    const given = { owner: 'project', project: '/projects/shop' } as const;
    expect(await bench.stdio({}, given)).toMatchObject({ cwd: '/projects/shop' });
    expect(await bench.stdio({ cwd: 'api' }, given)).toMatchObject({ cwd: '/projects/shop/api' });
    expect(await bench.stdio({ cwd: 'api' }, { project: '/projects/shop' })).toMatchObject({ cwd: `${bench.home}/api` });
    expect(await bench.stdio({}, { project: '/projects/shop' })).not.toHaveProperty('cwd');
  });

  it('the editor’s own names mean the open project, the person’s folder and the system’s separator', async () => {
    const bench = await LaunchBench.open();
    const fields: RawFields = { args: ['${workspaceFolder}/a', '${workspaceFolderBasename}', '${userHome}', '${pathSeparator}${/}'] };
    expect(await bench.stdio(fields, { project: '/projects/shop' })).toMatchObject({ args: ['/projects/shop/a', 'shop', bench.home, '//'] });
    await expect(bench.stdio(fields)).rejects.toMatchObject({ code: 'project/needed' });
    await expect(bench.stdio({ env: { A: '${workspaceFolder}' } })).rejects.toMatchObject({ code: 'project/needed', data: { field: 'env.A' } });
  });

  it('on Windows mean the same in any case', async () => {
    const bench = await LaunchBench.open();
    expect(await bench.stdio({ env: { A: '${token}' } }, { env: { ToKeN: 'x' }, platform: 'win32' })).toMatchObject({ env: { A: 'x' } });
    expect(await bench.stdio({ env: { A: '${token}' } }, { env: { ToKeN: 'x' } })).toMatchObject({ env: { A: '' } });
  });

  it('whose values or names are secret are masked from then on', async () => {
    const bench = await LaunchBench.open();
    await bench.stdio({ env: { API_KEY: '${K}-of-mine', OTHER: 'x${MY_TOKEN}' } }, { env: { K: 'kk', MY_TOKEN: 'tok-of-the-person' } });
    expect(bench.parts.redactor.mask('kk-of-mine and tok-of-the-person')).toBe('••• and •••');
    await bench.stdio({ env: { NO_AUTH: 'true' } });
    expect(bench.parts.redactor.mask('true')).toBe('true');
  });
});

describe('a credential', () => {
  it.each([
    [{ headers: { Authorization: 'Bearer ${TOKEN}' } }, 'headers.Authorization'],
    [{ headers: { authorization: 'Basic ' } }, 'headers.authorization'],
    [{ headers: { 'X-Api-Key': '${TOKEN}' } }, 'headers.X-Api-Key'],
    [{ headers: { 'X-Api-Key': '${SET_EMPTY}' } }, 'headers.X-Api-Key'],
    [{ headers: { Authorization: { plain: 'Bearer ' } } }, 'headers.Authorization'],
    [{ bearerToken: ref('BLANK') }, 'bearerToken'],
    [{ headers: { Authorization: 'Bearer ${secret:BLANK}' } }, 'headers.Authorization'],
    [{ bearerToken: '${TOKEN}' }, 'bearerToken'],
    [{ bearerTokenEnv: 'TOKEN' }, 'bearerTokenEnv'],
    [{ bearerTokenEnv: 'SET_EMPTY' }, 'bearerTokenEnv'],
  ] satisfies readonly (readonly [RawFields, string])[])('that is nothing or a scheme alone is never sent: %j', async (fields, field) => {
    const bench = await LaunchBench.open();
    await bench.parts.put('BLANK', ' ', 'auto');
    await expect(bench.http(fields, { env: { SET_EMPTY: '' } })).rejects.toMatchObject({ code: 'variable/missing', data: { server: 'docs', field } });
  });

  it('[F-30] bearerToken beats bearerTokenEnv, headers beat both, and neither is sent with auth "oauth" or false', async () => {
    const bench = await LaunchBench.open();
    const env = { ENV_TOKEN: 'from-environment' };
    const authorization = async (fields: RawFields) => (await bench.http(fields, { env })).headers['Authorization'];
    expect(await authorization({ bearerToken: 'said', bearerTokenEnv: 'ENV_TOKEN' })).toBe('Bearer said');
    expect(await authorization({ bearerTokenEnv: 'ENV_TOKEN' })).toBe('Bearer from-environment');
    expect(await authorization({ auth: 'bearer', bearerTokenEnv: 'ENV_TOKEN' })).toBe('Bearer from-environment');
    expect(await authorization({ auth: 'oauth', bearerToken: 'said' })).toBeUndefined();
    expect(await authorization({ auth: false, bearerToken: 'said', bearerTokenEnv: 'ENV_TOKEN' })).toBeUndefined();
    expect((await bench.http({ headers: { authorization: 'Custom x' }, bearerToken: 'said' })).headers).toEqual({ authorization: 'Custom x' });
    expect(await authorization({})).toBeUndefined();
  });
});

describe('an environment file', () => {
  it('is read at launch; env beats it; what its names call secret is masked', async () => {
    const bench = await LaunchBench.open();
    const project = tempFolder();
    writeFileSync(join(project, '.env'), 'A=from-file\nB=also\nAPI_KEY=key-in-the-file\n');
    const given = { owner: 'project', project } as const;
    expect((await bench.stdio({ envFile: '${workspaceFolder}/.env', env: { A: 'from-env' } }, given)).env).toEqual({ A: 'from-env', B: 'also', API_KEY: 'key-in-the-file' });
    expect((await bench.stdio({ envFile: '.env' }, given)).env).toMatchObject({ A: 'from-file' });
    expect(bench.parts.redactor.mask('key-in-the-file')).toBe('•••');
    mkdirSync(join(bench.home, 'e'));
    writeFileSync(join(bench.home, 'e', 'x.env'), 'H=home');
    expect((await bench.stdio({ envFile: '~/e/x.env' })).env).toEqual({ H: 'home' });
  });

  it('that is not there fails the launch', async () => {
    const bench = await LaunchBench.open();
    await expect(bench.stdio({ envFile: '/no/such/.env' })).rejects.toMatchObject({ code: 'config/invalid', data: { server: 'docs', field: 'envFile' } });
  });
});

describe('secrets of the vault', () => {
  it('are Secret until they are sent', async () => {
    const bench = await LaunchBench.open();
    await bench.parts.put('K', 'value-of-k', 'auto');
    const ready = await bench.resolve({ command: 'x', env: { A: ref('K'), B: 'p=${secret:K}', C: 'open' } });
    expect(JSON.stringify(ready)).not.toContain('value-of-k');
    if (ready.type !== 'stdio') throw new Error(ready.type);
    expect([ready.launch.env['A'], ready.launch.env['B'], ready.launch.env['C']]).toEqual([expect.any(Secret), expect.any(Secret), 'open']);
    expect(opened(ready.launch.env)).toEqual({ A: 'value-of-k', B: 'p=value-of-k', C: 'open' });
    const http = await bench.resolve({ url: 'https://h.example/?key=${secret:K}', headers: { X: ref('K') } });
    expect(JSON.stringify(http)).not.toContain('value-of-k');
    expect(bench.parts.redactor.mask('value-of-k')).toBe('•••');
  });

  it('stand in url, headers, env, socket and cwd by ${secret:KEY}, from the file’s own scope', async () => {
    const bench = await LaunchBench.open();
    await bench.parts.put('K', 'global-k', 'auto');
    expect(await bench.http({ url: 'https://h.example/?key=${secret:K}', headers: { 'X-A': 'a ${secret:K}' } })).toEqual({ url: 'https://h.example/?key=global-k', headers: { 'X-A': 'a global-k' } });
    expect(await bench.stdio({ cwd: '/x/${secret:K}' })).toMatchObject({ cwd: '/x/global-k' });
    expect(await bench.resolve({ socket: '/x/${secret:K}' })).toEqual({ type: 'socket', path: '/x/global-k' });
    bench.parts.project = '/projects/shop';
    await bench.parts.put('K', 'shop-k', 'auto', 'project');
    expect(await bench.stdio({ env: { A: '${secret:K}' } }, { owner: 'project', project: '/projects/shop' })).toMatchObject({ env: { A: 'shop-k' } });
  });

  it('never stand in the command line, where every program can read them', async () => {
    const bench = await LaunchBench.open();
    await bench.parts.put('K', 'value-of-k', 'auto');
    for (const fields of [{ args: ['a', '--key=${secret:K}'] }, { command: '${secret:K}' }, { args: ['${NONE:-${secret:K}}'] }, { args: ['${input:pat}'] }] satisfies readonly RawFields[]) {
      await expect(bench.stdio(fields)).rejects.toMatchObject({ code: 'config/invalid', message: expect.stringContaining('command line'), data: { server: 'docs' } });
    }
    expect((await bench.parts.vault.list(never))[0]).not.toHaveProperty('lastReadAt');
  });

  it('[U-19] a reference that fails names server, path and reference, and nothing of the launch is made', async () => {
    const bench = await LaunchBench.open();
    const ran = join(bench.home, 'ran');
    await bench.parts.put('THERE', 'value-of-there', 'auto');
    const failing = bench.stdio({ env: { A: ref('THERE'), B: ref('GONE'), C: `!touch ${ran}; echo x` } });
    await expect(failing).rejects.toMatchObject({ code: 'secret/missing', message: expect.stringMatching(/docs.*GONE.*env\.B/), data: { server: 'docs', field: 'env.B', secretRef: 'GONE' } });
    expect(existsSync(ran)).toBe(false);
    expect((await bench.parts.vault.list(never))[0]).not.toHaveProperty('lastReadAt');
  });

  it('inputs come from the vault, each file’s own; a default and one that is asked for in the open need no secret', async () => {
    const bench = await LaunchBench.open();
    const inputs: readonly RawInput[] = [{ id: 'pat', password: true }, { id: 'region', password: false, default: 'eu' }, { id: 'port', password: false }];
    const failing = bench.stdio({ env: { A: '${input:pat}' } }, { inputs });
    await expect(failing).rejects.toMatchObject({ code: 'secret/missing', data: { field: 'env.A', scope: 'global', input: 'pat', secretRef: expect.stringMatching(/^input\.[0-9a-f]{12}\.pat$/) } });
    const missing = await bench.stdio({ args: ['--port', '${input:port}'] }, { inputs }).catch((error: unknown) => error);
    const keys = [missing, await failing.catch((error: unknown) => error)].map((error) => (error instanceof AppError ? Object(error.data).secretRef : ''));
    await bench.parts.put(keys[0] ?? '', '8080', 'auto');
    await bench.parts.put(keys[1] ?? '', 'pat-value', 'auto');
    expect(await bench.stdio({ args: ['${input:region}', '${input:port}'], env: { A: '${input:pat}' } }, { inputs })).toMatchObject({ args: ['eu', '8080'], env: { A: 'pat-value' } });
    await expect(bench.stdio({ env: { A: '${input:pat}' } }, { inputs, kind: 'agents' })).rejects.toMatchObject({ code: 'secret/missing' });
  });

  it('that the person denies or is not there to allow end the launch before any command runs', async () => {
    const bench = await LaunchBench.open('none');
    const ran = join(bench.home, 'ran');
    await bench.parts.put('K', 'value-of-k');
    await expect(bench.stdio({ env: { A: `!touch ${ran}; echo x`, B: ref('K') } })).rejects.toMatchObject({ code: 'user/needed' });
    expect(existsSync(ran)).toBe(false);
  });

  it('what was denied is asked again when a person starts the server', async () => {
    const bench = await LaunchBench.open();
    await bench.parts.put('K', 'value-of-k');
    const first = bench.stdio({ env: { B: ref('K') } });
    await bench.parts.answer('deny');
    await expect(first).rejects.toMatchObject({ code: 'secret/policy-denied' });
    await expect(bench.stdio({ env: { B: ref('K') } })).rejects.toMatchObject({ code: 'secret/policy-denied' });
    bench.byPerson = true;
    const again = bench.stdio({ env: { B: ref('K') } });
    await bench.parts.answer('once');
    expect(await again).toMatchObject({ env: { B: 'value-of-k' } });
  });
});

describe('a value that begins with !', () => {
  it('is a command whose output is the value, in env, headers and bearerToken, and is masked', async () => {
    const bench = await LaunchBench.open();
    expect(await bench.stdio({ env: { A: '!printf "%s" "$K-from-command"', B: '! echo spaced ' } }, { env: { K: 'shell' } })).toMatchObject({ env: { A: 'shell-from-command', B: 'spaced' } });
    expect((await bench.http({ headers: { 'X-A': '!echo header-value' }, bearerToken: '!echo token-value' })).headers).toEqual({ 'X-A': 'header-value', Authorization: 'Bearer token-value' });
    expect(bench.parts.redactor.mask('shell-from-command header-value token-value')).toBe('••• ••• •••');
  });

  it('[F-27] a command that fails says how, and in which field', async () => {
    const bench = await LaunchBench.open();
    const why = (command: string, given: Given = {}) =>
      bench.stdio({ env: { KEY: `!${command}` } }, given).then(() => 'it came', (error: Error & { code: string; data: unknown }) => ({ code: error.code, message: error.message, data: error.data }));
    const failed = (message: string, data: object) => ({ code: 'secret/command-failed', message: expect.stringMatching(message), data: expect.objectContaining({ server: 'docs', field: 'env.KEY', ...data }) });
    expect(await why('exit 7')).toEqual(failed('env.KEY .*exit code 7', { why: 'exit', exitCode: 7 }));
    expect(await why('true')).toEqual(failed('env.KEY .*empty output', { why: 'empty' }));
    expect(await why('head -c 1100000 /dev/zero')).toEqual(failed('env.KEY .*exceeded 1 MiB', { why: 'too-large' }));
    expect(await why('x', { env: { SHELL: '/no/shell' } })).toEqual(failed('env.KEY .*failed to start', { why: 'not-started' }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const slow = why('echo > started; sleep 60');
    while (!existsSync(join(bench.home, 'started'))) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(9_999);
    expect(await Promise.race([slow, new Promise((resolve) => setImmediate(() => resolve('waits')))])).toBe('waits');
    vi.advanceTimersByTime(1);
    expect(await slow).toEqual(failed('env.KEY .*timed out after 10 seconds', { why: 'timed-out' }));
  });

  it('[F-28] twice is a literal !, and variables are filled in behind it as in every ordinary value', async () => {
    const bench = await LaunchBench.open();
    expect(await bench.stdio({ env: { A: '!!echo ${K}', B: 'x${K}', C: '!!', D: '!!!${K}' } }, { env: { K: 'kk' } })).toMatchObject({ env: { A: '!echo kk', B: 'xkk', C: '!', D: '!!kk' } });
  });

  it('is taken as it is where the person marked it as no secret', async () => {
    const bench = await LaunchBench.open();
    expect(await bench.stdio({ env: { A: { plain: '!echo ${K}' } } })).toMatchObject({ env: { A: '!echo ${K}' } });
  });

  it('runs nothing from a project’s file', async () => {
    const bench = await LaunchBench.open();
    const ran = join(bench.home, 'ran');
    const given = { owner: 'project', project: '/projects/shop' } as const;
    for (const fields of [{ command: 'x', env: { A: `!touch ${ran}` } }, { url: 'https://h.example', headers: { A: `!touch ${ran}` } }, { url: 'https://h.example', bearerToken: `!touch ${ran}` }] satisfies readonly RawFields[]) {
      await expect(bench.resolve(fields, given)).rejects.toMatchObject({ code: 'secret/command-failed', data: { why: 'not-allowed', server: 'docs' } });
    }
    expect(existsSync(ran)).toBe(false);
  });

  it('is a plain value in other programs’ files, which know no commands', async () => {
    const bench = await LaunchBench.open();
    for (const kind of ['host', 'import'] as const) expect(await bench.stdio({ env: { A: '!hunter2', B: '!!x' } }, { kind })).toMatchObject({ env: { A: '!hunter2', B: '!!x' } });
  });
});

it('text in the open that looks secret is masked before anything is started', async () => {
  const bench = await LaunchBench.open();
  await bench.http({ url: 'https://h.example/?api_key=literal-in-the-url', headers: { Authorization: 'Bearer literal-in-a-header' } });
  await bench.stdio({ args: ['--api-key', 'literal-in-an-argument'], env: { API_KEY: 'literal-in-env' } });
  const text = 'literal-in-the-url literal-in-a-header literal-in-an-argument literal-in-env';
  expect(bench.parts.redactor.mask(text)).toBe('••• ••• ••• •••');
});

it('a server that is switched off or no longer there is not launched', async () => {
  const bench = await LaunchBench.open();
  await expect(bench.resolve({ command: 'x' }, { enabled: false })).rejects.toMatchObject({ code: 'server/disabled' });
});
