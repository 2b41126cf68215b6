import { describe, expect, it } from 'vitest';
import { RequestError } from '../../bridge/api.ts';
import { Revision, SecretId, ServerId } from '../../../shared/ids.ts';
import { ServerDraft, type ServerDefinition } from '../../../shared/model/server-definition.ts';
import { problemsOf } from './server-form-errors.ts';
import { addressProblem, draftOf, emptyForm, formOf, textRow, valueRow, type Problems, type ServerForm } from './server-form-model.ts';

const form = (part: Partial<ServerForm>): ServerForm => ({ ...emptyForm(), name: 'x', command: 'node', ...part });
const problems = (part: Partial<ServerForm>): Problems => {
  const checked = draftOf(form(part));
  return checked.ok ? {} : checked.problems;
};
const draft = (part: Partial<ServerForm>): ServerDraft => {
  const checked = draftOf(form(part));
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

  it('sends a secret as one to the vault, a kept one by its name, and anything else in the open', () => {
    const kept = SecretId.parse('mcp.x.env.OLD_TOKEN');
    const env = [
      valueRow('API_KEY', 'abc'),
      { ...valueRow('OLD_TOKEN'), kept },
      valueRow('MODE', 'fast'),
      { ...valueRow('PLACE', 'here'), secret: true },
    ];
    expect(draft({ env }).transport).toMatchObject({
      env: { API_KEY: { secret: 'abc' }, OLD_TOKEN: { kept }, MODE: { plain: 'fast' }, PLACE: { secret: 'here' } },
    });
  });

  it('takes a name that looks like a secret for one', () => {
    expect([valueRow('API_KEY'), valueRow('Authorization'), valueRow('LOG_LEVEL')].map((row) => row.secret)).toEqual([true, true, false]);
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
    expect(problems({ handshake: 'soon', callIdle: '0', callTotal: '100000' })).toEqual({
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
    expect(draft({ handshake: '2,5', callTotal: '30' }).limits).toEqual({ handshakeMs: 2500, callTotalMs: 30_000 });
    expect(draft({}).limits).toBeUndefined();
  });

  it('shows a saved definition as it stands, and saves it unchanged', () => {
    const definition: ServerDefinition = {
      id: ServerId.parse('s'),
      name: 'x',
      source: 'global',
      enabled: true,
      revision: Revision.parse('r'),
      protocol: 'auto',
      limits: { callIdleMs: 90_000 },
      transport: {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'a\nb', ''],
        cwd: '/srv',
        env: { KEY: { secretRef: SecretId.parse('k'), scope: 'global' }, MODE: { plain: '' } },
      },
    };
    const checked = draftOf(formOf(definition));
    expect(checked).toEqual({
      ok: true,
      draft: {
        name: 'x',
        protocol: 'auto',
        limits: { callIdleMs: 90_000 },
        transport: { ...definition.transport, env: { KEY: { kept: 'k' }, MODE: { plain: '' } } },
      },
    });
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
    const paths = [['draft', 'transport', 'command'], ['transport', 'env', 'MODE', 'plain'], ['limits', 'callIdleMs'], ['name']].map(
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
