import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { credentialsOf, LaunchBench, ref } from '../../../test/support/launch-bench.ts';
import type { RawFields, RawOAuth } from '../formats/raw-entry.ts';
import { signInWay } from './sign-in-plan.ts';

const never = new AbortController().signal;
const url = 'https://api.example.com/mcp';

describe('who is signed in to', () => {
  it('is every server over HTTP that says nothing else, and with “oauth” also one that has headers', () => {
    expect(signInWay({ url })).toBe('browser');
    expect(signInWay({ url, oauth: {} })).toBe('browser');
    expect(signInWay({ url, auth: 'oauth', headers: { 'X-A': '1' }, bearerToken: 't' })).toBe('browser');
    expect(signInWay({ url, oauth: {}, headers: { 'X-A': '1' } })).toBe('browser');
    expect(signInWay({ url, oauth: { grantType: 'client_credentials' } })).toBe('client-credentials');
    expect(signInWay({ url, oauth: { grantType: 'jwt-bearer' } })).toBe('jwt-bearer');
    expect(signInWay({ url, oauth: { crossAppAccess: { idpUrl: 'https://idp.example', clientId: 'c', idToken: 't' } } })).toBe('cross-app');
  });

  it('is none that says otherwise, and the words tell which setting does', () => {
    const why = (fields: RawFields) => {
      const way = signInWay(fields);
      return typeof way === 'string' ? way : way.refused;
    };
    expect(why({ command: 'run' })).toContain('not reached over HTTP');
    expect(why({ url, auth: false, oauth: {} })).toContain('auth: false');
    expect(why({ url, auth: 'bearer', oauth: {} })).toContain('auth: bearer');
    expect(why({ url, oauth: false })).toContain('oauth: false');
    for (const fields of [{ url, bearerToken: 't' }, { url, bearerTokenEnv: 'T' }, { url, headers: { 'X-Team': 'a' } }, { url, oauth: {}, bearerToken: 't' }, { url, oauth: {}, headers: { authorization: 'Basic x' } }] satisfies readonly RawFields[]) {
      expect(why(fields)).toContain('“auth: oauth” switches signing in on');
    }
  });

  it('is told also of a server that is switched off, and of none that is not in use', async () => {
    const bench = await LaunchBench.open();
    expect(await bench.signInTo({ url }, { enabled: false })).toMatchObject({ way: 'browser', url });
    bench.inUse = false;
    await expect(bench.signInTo({ url })).rejects.toMatchObject({ code: 'server/not-found' });
  });
});

describe('settings', () => {
  it('have their variables filled in, like the address; one that is not set is said before anything is asked', async () => {
    const bench = await LaunchBench.open();
    const env = { HOST: 'h.example', ID: 'client-1', AUD: 'https://aud.example', DOC: 'docs.example' };
    const target = await bench.target({
      clientId: '${ID}', scope: 'read ${ID}', redirectUri: 'http://localhost:3118/${ID}', clientName: '{env:ID}', clientUri: 'https://${HOST}', clientMetadataUrl: 'https://${DOC}/client.json',
      skipIssuerMetadataValidation: true, authorizationParams: { audience: '$env:AUD' }, privateKeyJwt: { privateKey: '{"kty":"EC","d":"x"}', algorithm: 'ES256', audience: '${AUD}', lifetimeSeconds: 60, claims: { team: 5 } },
    }, { env }, 'https://${HOST}/mcp');
    expect(target).toMatchObject({ way: 'browser', url: 'https://h.example/mcp', server: 'docs' });
    expect(target.settings).toEqual({
      hasSecret: true, clientId: 'client-1', scope: 'read client-1', redirectUri: 'http://localhost:3118/client-1', clientName: 'client-1', clientUri: 'https://h.example',
      clientMetadataUrl: 'https://docs.example/client.json', skipIssuerMetadataValidation: true, authorizationParams: { audience: 'https://aud.example' },
      privateKeyJwt: { algorithm: 'ES256', audience: 'https://aud.example', lifetimeSeconds: 60, claims: { team: 5 } },
    });
    await expect(bench.target({ clientId: '${NONE}' })).rejects.toMatchObject({ code: 'variable/missing', data: { server: 'docs', field: 'oauth.clientId', names: ['NONE'] } });
    await expect(bench.signInTo({ url: 'https://${NONE}/mcp' })).rejects.toMatchObject({ code: 'variable/missing', data: { field: 'url' } });
    await expect(bench.signInTo({ url: 'ftp://h.example' })).rejects.toMatchObject({ code: 'config/invalid', data: { field: 'url' } });
    await expect(bench.target({ clientMetadataUrl: '${DOC}' }, { env: { DOC: 'http://h.example/c.json' } })).rejects.toMatchObject({ code: 'config/invalid', message: expect.stringContaining('https') });
  });

  it('hold nothing of the vault: others see them', async () => {
    const bench = await LaunchBench.open();
    await bench.parts.put('K', 'value-of-k', 'auto');
    for (const oauth of [{ clientId: '${secret:K}' }, { authorizationParams: { token: 'x${secret:K}' } }, { scope: '${NONE:-${secret:K}}' }] satisfies readonly RawOAuth[]) {
      await expect(bench.target(oauth)).rejects.toMatchObject({ code: 'config/invalid', message: expect.stringContaining('${secret:K}') });
    }
  });

  it('a private key and a client secret are refused together, by both their names; so is a shared key', async () => {
    const bench = await LaunchBench.open();
    const privateKeyJwt = { privateKey: '${KEY}', algorithm: 'ES256' };
    await expect(bench.target({ clientId: 'c', clientSecret: 's', privateKeyJwt })).rejects.toMatchObject({ code: 'config/invalid', message: expect.stringMatching(/privateKeyJwt.*clientSecret/) });
    await expect(bench.target({ clientId: 'c', privateKeyJwt: { ...privateKeyJwt, algorithm: 'HS256' } })).rejects.toMatchObject({ code: 'config/invalid', message: expect.stringContaining('ES256') });
  });
});

describe('credentials', () => {
  const company = { idpUrl: 'https://idp.example', clientId: 'at-idp', idToken: 'id-token-1' };

  it('are !commands in the client secret, the private key, the assertion and each field of cross-app access: run for each use and never before', async () => {
    const bench = await LaunchBench.open();
    const counted = (name: string) => `!echo x >> ${name}.log; echo ${name}-$(wc -l < ${name}.log | tr -d ' ')`;
    const runs = (name: string) => (existsSync(join(bench.home, `${name}.log`)) ? readFileSync(join(bench.home, `${name}.log`), 'utf8').split('\n').length - 1 : 0);
    const secret = await bench.target({ clientId: 'c', clientSecret: counted('secret') });
    expect(runs('secret')).toBe(0);
    expect(credentialsOf(await secret.credentials(never))).toEqual({ clientSecret: 'secret-1' });
    expect(credentialsOf(await secret.credentials(never))).toEqual({ clientSecret: 'secret-2' });
    expect(await bench.credentials({ clientId: 'c', privateKeyJwt: { privateKey: counted('key'), algorithm: 'ES256' } })).toEqual({ privateKey: 'key-1' });
    expect(await bench.credentials({ grantType: 'jwt-bearer', assertion: counted('jwt') })).toEqual({ assertion: 'jwt-1' });
    const crossAppAccess = { idpUrl: counted('idp'), clientId: counted('client'), idToken: counted('token'), clientSecret: counted('idp-secret') };
    expect(await bench.credentials({ clientId: 'c', crossAppAccess })).toEqual({ crossApp: { idpUrl: 'idp-1', clientId: 'client-1', idToken: 'token-1', clientSecret: 'idp-secret-1' } });
    expect(bench.parts.redactor.mask('secret-1 key-1 jwt-1 token-1 idp-secret-1')).toBe('••• ••• ••• ••• •••');
    await expect(bench.credentials({ clientId: 'c', clientSecret: '!exit 3' })).rejects.toMatchObject({ code: 'secret/command-failed', data: { field: 'oauth.clientSecret', exitCode: 3 } });
    expect(await bench.credentials({ clientId: 'c', clientSecret: '!!literal' })).toEqual({ clientSecret: '!literal' });
    expect(await bench.credentials({ clientId: 'c', clientSecret: '!host' }, { kind: 'import' })).toEqual({ clientSecret: '!host' });
  });

  it('run nothing from a project’s file', async () => {
    const bench = await LaunchBench.open();
    for (const oauth of [
      { clientId: 'c', clientSecret: '!touch ran' }, { clientId: 'c', privateKeyJwt: { privateKey: '!touch ran', algorithm: 'ES256' } }, { grantType: 'jwt-bearer', assertion: '!touch ran' },
      { crossAppAccess: { ...company, idpUrl: '!touch ran' } }, { crossAppAccess: { ...company, clientId: '!touch ran' } }, { crossAppAccess: { ...company, idToken: '!touch ran' } },
      { crossAppAccess: { ...company, clientSecret: '!touch ran' } },
    ] satisfies readonly RawOAuth[]) {
      await expect(bench.target(oauth, { owner: 'project', project: '/projects/shop' })).rejects.toMatchObject({ code: 'secret/command-failed', data: { why: 'not-allowed' } });
    }
    expect(existsSync(join(bench.home, 'ran'))).toBe(false);
  });

  it('come from the vault, variables and the file, are Secret, and are masked', async () => {
    const bench = await LaunchBench.open();
    await bench.parts.put('CS', 'value-of-cs', 'auto');
    const credentials = await (await bench.target({ clientId: 'c', clientSecret: ref('CS') })).credentials(never);
    expect(JSON.stringify(credentials)).not.toContain('value-of-cs');
    expect(credentialsOf(credentials)).toEqual({ clientSecret: 'value-of-cs' });
    expect(await bench.credentials({ clientId: 'c', clientSecret: '${secret:CS}' })).toEqual({ clientSecret: 'value-of-cs' });
    expect(await bench.credentials({ clientId: 'c', clientSecret: '${CS_VAR}' }, { env: { CS_VAR: 'from-a-variable' } })).toEqual({ clientSecret: 'from-a-variable' });
    expect(await bench.credentials({ clientId: 'c', clientSecret: 'literal-in-the-file' })).toEqual({ clientSecret: 'literal-in-the-file' });
    expect(bench.parts.redactor.mask('value-of-cs from-a-variable literal-in-the-file')).toBe('••• ••• •••');
    await expect(bench.credentials({ clientId: 'c', clientSecret: '${UNSET}' })).rejects.toMatchObject({ code: 'variable/missing', data: { field: 'oauth.clientSecret' } });
    await expect(bench.credentials({ clientId: 'c', clientSecret: ref('GONE') })).rejects.toMatchObject({ code: 'secret/missing', data: { field: 'oauth.clientSecret' } });
  });

  it('of a machine are asked for before it connects, and a launch without them is none; those of a person are not', async () => {
    const bench = await LaunchBench.open();
    await bench.parts.put('CS', 'value-of-cs');
    const launching = bench.http({ oauth: { grantType: 'client_credentials', clientId: 'c', clientSecret: ref('CS') } });
    await bench.parts.answer('once');
    await launching;
    expect(credentialsOf((await bench.signIn?.credentials(never)) ?? {})).toEqual({ clientSecret: 'value-of-cs' });
    await expect(bench.http({ oauth: { grantType: 'client_credentials', clientId: 'c', clientSecret: ref('GONE') } })).rejects.toMatchObject({ code: 'secret/missing', data: { field: 'oauth.clientSecret' } });
    await expect(bench.http({ oauth: { grantType: 'jwt-bearer', assertion: '${UNSET}' } })).rejects.toMatchObject({ code: 'variable/missing', data: { field: 'oauth.assertion' } });
    await bench.http({ oauth: { clientId: 'c', clientSecret: ref('GONE') } });
    await bench.http({ oauth: { grantType: 'client_credentials', clientId: 'c', clientSecret: `!touch ${bench.home}/ran; echo x` } });
    expect(existsSync(join(bench.home, 'ran'))).toBe(false);
  });

  it('wait for the person where a secret’s policy says so, and are not read for a server that is gone', async () => {
    const bench = await LaunchBench.open();
    await bench.parts.put('CS', 'value-of-cs');
    const target = await bench.target({ clientId: 'c', clientSecret: ref('CS') });
    const reading = target.credentials(never);
    await bench.parts.answer('once');
    expect(credentialsOf(await reading)).toEqual({ clientSecret: 'value-of-cs' });
    bench.inUse = false;
    await expect(target.credentials(never)).rejects.toMatchObject({ code: 'server/not-found' });
  });
});

it('[F-26] a leading ! is a command in env, headers and bearerToken when connecting, and in the client secret, the private key and each field of cross-app access when signing in: without stdin and stderr, 1 MiB, 10 s, trimmed, not empty', async () => {
  const bench = await LaunchBench.open();
  const signingIn = async (oauth: RawOAuth) => {
    bench.signIn = undefined;
    await bench.http({ oauth });
    return async () => await bench.signIn?.credentials(never);
  };
  const company = { idpUrl: 'https://idp.example', clientId: 'c', idToken: 't' };
  const fields: Readonly<Record<string, (command: string) => Promise<unknown>>> = {
    'env.KEY': async (KEY) => (await bench.stdio({ env: { KEY } })).env['KEY'],
    'headers.X-Key': async (value) => (await bench.http({ headers: { 'X-Key': value } })).headers['X-Key'],
    bearerToken: async (bearerToken) => (await bench.http({ bearerToken })).headers['Authorization']?.replace('Bearer ', ''),
    'oauth.clientSecret': async (clientSecret) => (await (await signingIn({ clientId: 'c', clientSecret }))())?.clientSecret?.reveal(),
    'oauth.privateKeyJwt.privateKey': async (privateKey) => (await (await signingIn({ clientId: 'c', privateKeyJwt: { privateKey, algorithm: 'ES256' } }))())?.privateKey?.reveal(),
    'oauth.crossAppAccess.idpUrl': async (idpUrl) => (await (await signingIn({ clientId: 'c', crossAppAccess: { ...company, idpUrl } }))())?.crossApp?.idpUrl,
    'oauth.crossAppAccess.clientId': async (clientId) => (await (await signingIn({ clientId: 'c', crossAppAccess: { ...company, clientId } }))())?.crossApp?.clientId,
    'oauth.crossAppAccess.idToken': async (idToken) => (await (await signingIn({ clientId: 'c', crossAppAccess: { ...company, idToken } }))())?.crossApp?.idToken.reveal(),
    'oauth.crossAppAccess.clientSecret': async (clientSecret) => (await (await signingIn({ clientId: 'c', crossAppAccess: { ...company, clientSecret } }))())?.crossApp?.clientSecret?.reveal(),
  };
  for (const [field, valueOf] of Object.entries(fields)) {
    expect(await valueOf('!cat; echo noise >&2; printf "  %s\\n\\n" made-by-a-command')).toBe('made-by-a-command');
    const failed = (why: string) => expect.objectContaining({ code: 'secret/command-failed', data: expect.objectContaining({ server: 'docs', field, why }) });
    await expect(valueOf('!head -c 1048577 /dev/zero | tr "\\0" a')).rejects.toEqual(failed('too-large'));
    await expect(valueOf('!echo value; exit 3')).rejects.toEqual(failed('exit'));
    await expect(valueOf('!echo')).rejects.toEqual(failed('empty'));
  }
  expect(await fields['env.KEY']?.('!head -c 1048576 /dev/zero | tr "\\0" a')).toHaveLength(1_048_576);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const [field, valueOf] of Object.entries(fields)) {
    const begun = join(bench.home, `begun-${field}`);
    const slow = valueOf(`!echo > ${begun}; sleep 60`).then(() => 'it came', (error: { data: unknown }) => error.data);
    while (!existsSync(begun)) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(10_000);
    expect(await slow).toMatchObject({ field, why: 'timed-out' });
  }
  vi.useRealTimers();
  await signingIn({ clientId: 'c', clientSecret: `!touch ${bench.home}/ran; echo x` });
  expect(existsSync(join(bench.home, 'ran'))).toBe(false);
});
