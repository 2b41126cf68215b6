import { describe, expect, it } from 'vitest';
import { RequestError } from '../../bridge/api.ts';
import { Revision, SecretId, ServerId } from '../../../shared/ids.ts';
import { ServerDraft, type ServerDefinition } from '../../../shared/model/server-definition.ts';
import { ServerOptions as ServerOptionsSchema, type ServerOptions } from '../../../shared/model/server-options.ts';
import { problemsOf } from './server-form-errors.ts';
import { emptyOptions, type OptionsForm } from './options-form.ts';
import { addressProblem, draftOf, emptyForm, formOf, textRow, type Problems, type ServerForm } from './server-form-model.ts';
import { savedRow, valueRow } from './value-row.ts';

const options = (part: Partial<OptionsForm>): OptionsForm => ({ ...emptyOptions(), ...part });
const form = (part: Partial<ServerForm>): ServerForm => ({ ...emptyForm(), name: 'x', command: 'node', ...part });
const problems = (part: Partial<ServerForm>): Problems => {
  const checked = draftOf(form(part), () => true);
  return checked.ok ? {} : checked.problems;
};
const draft = (part: Partial<ServerForm>): ServerDraft => {
  const checked = draftOf(form(part), () => true);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return ServerDraft.parse(checked.draft); // what the core would do with it
};

describe('the form of a server', () => {
  it('sends only the fields of its transport', () => {
    const typed = { url: 'https://example.com/mcp', path: '/run/x.sock', cwd: '/srv', args: [textRow('-y'), textRow('two words')] };
    expect(draft({ ...typed, type: 'stdio' }).transport).toEqual({
      type: 'stdio',
      command: 'node',
      args: ['-y', 'two words'],
      cwd: '/srv',
      env: {},
    });
    expect(draft({ ...typed, type: 'sse' }).transport).toEqual({ type: 'sse', url: 'https://example.com/mcp', headers: {} });
    expect(draft({ ...typed, type: 'socket' }).transport).toEqual({ type: 'socket', path: '/run/x.sock' });
  });

  it('sends a secret to the vault, a bound one by its name, text in the open, and leaves alone what did not change', () => {
    const ref = { secretRef: SecretId.parse('mcp.x.env.OLD_TOKEN'), scope: 'global' as const };
    const env = [
      valueRow('API_KEY', 'abc'),
      savedRow('OLD_TOKEN', ref),
      valueRow('MODE', 'fast'),
      { ...valueRow('PLACE', 'here'), kind: 'secret' as const, as: 'my.place' },
      savedRow('LEVEL', { plain: 'debug' }),
      { ...savedRow('WORD', { plain: 'old' }), value: 'new' },
      savedRow('HOST', { template: '${HOST}' }),
      savedRow('OPEN_KEY', { literal: true }),
    ];
    expect(draft({ env }).transport).toMatchObject({
      env: {
        API_KEY: { secret: 'abc' }, OLD_TOKEN: ref, MODE: { plain: 'fast' }, PLACE: { secret: 'here', key: 'my.place' }, LEVEL: { kept: true },
        WORD: { plain: 'new' }, HOST: { kept: true }, OPEN_KEY: { kept: true },
      },
    });
  });

  it('copies from another file what is shown of it, and asks for what is not', () => {
    const hidden = savedRow('OPEN_KEY', { literal: true });
    const env = [savedRow('LEVEL', { plain: 'debug' }), savedRow('HOST', { template: '${HOST}' })];
    const copied = draftOf(form({ env }), () => false);
    expect(copied).toMatchObject({ ok: true, draft: { transport: { env: { LEVEL: { plain: 'debug' }, HOST: { template: '${HOST}' } } } } });
    expect(draftOf(form({ env: [hidden] }), () => false)).toEqual({
      ok: false,
      problems: { [`env:${hidden.key}`]: 'It stands in another file and is not copied. Enter it again.' },
    });
  });

  it('takes a name that looks like a secret for one', () => {
    expect([valueRow('API_KEY'), valueRow('Authorization'), valueRow('LOG_LEVEL')].map((row) => row.kind)).toEqual(['secret', 'secret', 'plain']);
  });

  it('leaves a hidden argument and a hidden part of an address where they stand', () => {
    const shown = formOf({ name: 'x', options: {}, transport: { type: 'stdio', command: 'node', args: ['a.js', '--token=•••'], env: {} } });
    expect(shown.args.map(({ text, kept }) => [text, kept])).toEqual([['a.js', undefined], ['--token=•••', 1]]);
    expect(draft({ ...shown, args: [textRow('-v'), ...shown.args] }).transport).toMatchObject({ args: ['-v', 'a.js', { kept: 1 }] });
    const remote = formOf({ name: 'x', options: {}, transport: { type: 'sse', url: 'https://example.com/?key=•••', headers: {} } });
    expect(draft(remote).transport).toEqual({ type: 'sse', headers: {} });
    expect(problems({ ...remote, url: 'https://example.org/?key=•••' })['url']).toMatch(/hidden/);
  });

  it('forgets rows that were never filled in', () => {
    expect(draft({ env: [valueRow()] }).transport).toMatchObject({ env: {} });
  });

  it('says on each field what is wrong with it', () => {
    const twice = [valueRow('A', '1'), valueRow('A', '2'), valueRow('', 'value'), valueRow('TOKEN', ''), valueRow('B=C', '1')];
    expect(problems({ name: ' ', command: '' })).toEqual({ name: 'Give it a name.', command: 'Which program should be started?' });
    expect(problems({ name: 'a/b' })['name']).toMatch(/Slashes/);
    expect(problems({ type: 'socket' })).toHaveProperty('path');
    expect(Object.keys(problems({ env: twice }))).toEqual(twice.slice(1).map((row) => `env:${row.key}`));
    const header = valueRow('Bad name', 'x');
    expect(problems({ type: 'sse', url: 'https://example.com', headers: [header] })).toEqual({
      [`headers:${header.key}`]: 'A header’s name has no spaces or colons.',
    });
    expect(problems({ options: options({ handshake: 'soon', callIdle: '0', callTotal: '100000' }) })).toEqual({
      handshake: 'A number of seconds.',
      callIdle: 'A number of seconds.',
      callTotal: 'At most 86,400 seconds.',
    });
  });

  it('takes headers that differ only in case for the same', () => {
    const second = valueRow('x-trace', '2');
    expect(problems({ type: 'sse', url: 'https://example.com', headers: [valueRow('X-Trace', '1'), second] })).toEqual({
      [`headers:${second.key}`]: 'There is another x-trace.',
    });
  });

  it('says what is wrong with an address', () => {
    expect(addressProblem('https://example.com/mcp')).toBeUndefined();
    expect(addressProblem('example.com/mcp')).toBe('Begin it with https:// or http://.');
    expect(addressProblem('localhost:3000/mcp')).toBe('Begin it with https:// or http://.');
    expect(addressProblem('ftp://example.com')).toBe('Begin it with https:// or http://.');
    expect(addressProblem('no address')).toBe('This is no address.');
    expect(addressProblem('https://me:secret@example.com')).toMatch(/header/);
  });

  it('reads seconds, also with a comma, and sends milliseconds', () => {
    expect(draft({ options: options({ handshake: '2,5', callTotal: '30' }) }).options).toEqual({ limits: { handshakeMs: 2500, callTotalMs: 30_000 } });
    expect(draft({}).options).toEqual({});
  });

  it('shows a saved definition as it stands, and saves it unchanged', () => {
    const definition: ServerDefinition = {
      id: ServerId.parse('s'),
      name: 'x',
      owner: 'global',
      enabled: true,
      revision: Revision.parse('r'),
      options: { protocolVersion: 'auto', limits: { callIdleMs: 90_000 } },
      transport: {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'a\nb', ''],
        cwd: '/srv',
        env: { KEY: { secretRef: SecretId.parse('k'), scope: 'global' }, MODE: { plain: '' } },
      },
    };
    const checked = draftOf(formOf(definition), () => true);
    expect(checked).toEqual({
      ok: true,
      draft: {
        name: 'x',
        options: definition.options,
        transport: { ...definition.transport, env: { KEY: { secretRef: 'k', scope: 'global' }, MODE: { kept: true } } },
      },
    });
  });

  it('has a field for every option, and sends each as it was', () => {
    const kept = { kept: true };
    const sent = (options: ServerOptions) => draft(formOf({ name: 'x', options, transport: { type: 'sse', url: 'https://example.com', headers: {} } })).options;
    const every: Required<Omit<ServerOptions, 'limits' | 'oauth'>> & Pick<ServerOptions, 'limits' | 'oauth'> = {
      protocolVersion: 'legacy', limits: { handshakeMs: 1000, callIdleMs: 2000, callTotalMs: 3000 }, requestTimeoutMs: 4000, lifecycle: 'lazy-keep-alive', idleTimeout: 5,
      required: true, approveTools: ['delete_*'], exposeResources: false, directTools: ['a', 'b'], toolPrefix: 'short', includeTools: ['read_*'], excludeTools: ['x'],
      retryOnTransportFailure: true, debug: false, trace: true, auth: 'oauth', bearerToken: { literal: true }, bearerTokenEnv: 'TOKEN_VAR', autoAuth: true,
      oauth: {
        grantType: 'client_credentials', clientId: 'id', clientSecret: { secretRef: SecretId.parse('s'), scope: 'global' }, scope: 'read', redirectUri: 'http://127.0.0.1:1/x',
        clientName: 'n', clientUri: 'https://example.com', clientMetadataUrl: false, skipIssuerMetadataValidation: true, authorizationParams: { audience: 'a=b' },
      },
    };
    expect(Object.keys(ServerOptionsSchema.shape).filter((name) => !Object.hasOwn(every, name))).toEqual([]);
    expect(sent(every)).toEqual({ ...every, bearerToken: kept });
    const key = { algorithm: 'RS256', audience: 'https://issuer', lifetimeSeconds: 60, claims: { tenant: 'acme' } };
    const company = { idpUrl: 'https://idp', clientId: 'c' };
    expect(sent({ oauth: { clientId: 'id', privateKeyJwt: { ...key, privateKey: { template: '!pass show key' } }, crossAppAccess: { ...company, idToken: { literal: true }, clientSecret: { literal: true } } } })).toEqual({
      oauth: { clientId: 'id', privateKeyJwt: { ...key, privateKey: kept }, crossAppAccess: { ...company, idToken: kept, clientSecret: kept } },
    });
    expect(sent({ oauth: { grantType: 'jwt-bearer', assertion: { literal: true } } })).toEqual({ oauth: { grantType: 'jwt-bearer', assertion: kept } });
  });

  it('takes no two ways of proving who it is, and no grant beside that of a company', () => {
    const both = options({ jwt: true, jwtKey: { ...options({}).jwtKey, value: 'k' }, clientSecret: { ...options({}).clientSecret, value: 's' } });
    expect(problems({ type: 'sse', url: 'https://example.com', options: both })).toEqual({ [`value:${both.clientSecret.key}`]: expect.stringContaining('one way') });
    const company = options({ xaa: true, xaaIdpUrl: 'https://idp', xaaClientId: 'c', xaaIdToken: { ...options({}).xaaIdToken, value: 't' }, grantType: 'client_credentials' });
    expect(problems({ type: 'sse', url: 'https://example.com', options: company })).toEqual({ grantType: expect.stringContaining('grant of its own') });
  });

  it('sends a sign-in only for what is reached over the web', () => {
    const signIn = options({ auth: 'bearer', bearerTokenEnv: 'TOKEN_VAR', trace: 'yes' });
    expect(draft({ type: 'stdio', options: signIn }).options).toEqual({ trace: true });
    expect(draft({ type: 'sse', url: 'https://example.com', options: signIn }).options).toEqual({ trace: true, auth: 'bearer', bearerTokenEnv: 'TOKEN_VAR' });
  });

  it('says by each option what is wrong with it', () => {
    const wrong = options({ approve: 'some', jwt: true, jwtAlgorithm: '', jwtClaims: '[1]', params: 'no equals', metadata: 'own', xaa: true });
    expect(Object.keys(problems({ type: 'sse', url: 'https://example.com', options: wrong })).toSorted()).toEqual(
      ['approveNames', 'clientMetadataUrl', 'jwtAlgorithm', 'jwtClaims', 'params', `value:${wrong.jwtKey.key}`, `value:${wrong.xaaIdToken.key}`, 'xaaClientId', 'xaaIdpUrl'].toSorted(),
    );
  });
});

describe('what the core refuses', () => {
  const row = valueRow('MODE', 'x');
  const typed = form({ env: [row], name: 'Notes' });
  const refused = (error: ConstructorParameters<typeof RequestError>[0]): Problems => problemsOf(new RequestError(error), typed);

  it('stands on the field that it is about', () => {
    expect(refused({ code: 'server/exists', message: '' })).toHaveProperty('name');
    expect(refused({ code: 'request/invalid', message: '', data: { field: 'env', key: 'MODE' } })).toHaveProperty(`env:${row.key}`);
    expect(refused({ code: 'secret/missing', message: '', data: { field: 'env', key: 'MODE' } })).toEqual({
      [`env:${row.key}`]: 'The saved value is gone. Enter it again.',
    });
    const paths = [['draft', 'transport', 'command'], ['transport', 'env', 'MODE', 'plain'], ['edits', 0, 'draft', 'options', 'limits', 'callIdleMs'], ['name']].map(
      (path) => ({ path, message: 'Invalid' }),
    );
    expect(Object.keys(refused({ code: 'request/invalid', message: '', data: paths }))).toEqual([
      'command',
      `env:${row.key}`,
      'callIdle',
      'name',
    ]);
  });

  it('is said as a whole when it is about no field', () => {
    expect(refused({ code: 'vault/locked', message: '' })).toEqual({});
    expect(refused({ code: 'request/invalid', message: '', data: [{ message: 'no path' }, null] })).toEqual({});
    expect(refused({ code: 'request/invalid', message: '' })).toEqual({});
  });
});
