import { describe, expect, it } from 'vitest';
import { ServerId } from '../../shared/ids.ts';
import type { ServerDefinition, ServerDraft } from '../../shared/model/server-definition.ts';
import type { ConfigProblem } from '../../shared/state/app-state.ts';
import { AppError } from '../../shared/errors.ts';
import type { Documents, Vault } from '../ports.ts';
import { readDefinitionFile } from './definition-file.ts';
import { serverId } from './server-id.ts';
import { ServerStore } from './server-store.ts';

const signal = new AbortController().signal;
function setup(text?: string, vaultWorks = true) {
  const file = { text };
  const secrets = new Map<string, string>();
  const documents: Documents = {
    read: async () => file.text,
    update: async (_name, edit) => {
      file.text = edit(file.text);
    },
  };
  const vault: Pick<Vault, 'put' | 'remove'> = {
    async put(id, value) {
      if (!vaultWorks) throw new AppError('vault/unavailable', 'no keyring');
      secrets.set(id, value.reveal());
    },
    remove: async (id) => void secrets.delete(id),
  };
  let problems: readonly ConfigProblem[] = [];
  const store = new ServerStore({ documents, vault: vault as Vault, onChange: () => undefined, onProblems: (found) => (problems = found) }); // the store uses these two alone
  return { store, file, secrets, problems: () => problems };
}
const stdio = (name: string, env: Extract<ServerDraft['transport'], { type: 'stdio' }>['env'] = {}): ServerDraft => ({ name, transport: { type: 'stdio', command: 'node', args: ['x.js'], env } });
const byName = (store: ServerStore, name: string): ServerDefinition => {
  const found = store.all().find((definition) => definition.name === name);
  if (!found) throw new Error(`no ${name}`);
  return found;
};

describe('servers of a home', () => {
  it('come with Notes and Files, which can be switched off and nothing else', async () => {
    const { store, file } = setup();
    await store.load(signal);
    expect(store.all().map((definition) => definition.name)).toEqual(['Notes', 'Files']);
    const notes = byName(store, 'Notes');
    await store.setEnabled(notes.id, false, signal);
    expect(byName(store, 'Notes').enabled).toBe(false);
    expect(JSON.parse(file.text ?? '')).toEqual({ mcpServers: { Notes: { enabled: false } } });
    await store.setEnabled(notes.id, true, signal);
    expect(byName(store, 'Notes').enabled).toBe(true);
    await expect(store.remove(notes.id, signal)).rejects.toMatchObject({ code: 'server/read-only' });
  });

  it('keep a secret in the vault and its name in the file', async () => {
    const { store, file, secrets } = setup();
    await store.load(signal);
    await store.add(stdio('my srv', { API_KEY: { secret: 'hunter2-canary' }, LEVEL: { plain: 'debug' } }), signal);
    expect(file.text).not.toContain('hunter2');
    expect([...secrets.values()]).toEqual(['hunter2-canary']);
    expect(byName(store, 'my srv').transport).toMatchObject({ env: { API_KEY: { secretRef: 'mcp.my_srv.env.API_KEY', scope: 'global' }, LEVEL: { plain: 'debug' } } });
  });

  it('keep nothing when the vault cannot, and no value in the open whose name looks secret', async () => {
    const { store, file } = setup(undefined, false);
    await store.load(signal);
    await expect(store.add(stdio('a', { API_KEY: { secret: 'x' } }), signal)).rejects.toMatchObject({ code: 'vault/unavailable' });
    await expect(store.add(stdio('a', { githubToken: { plain: 'x' } }), signal)).rejects.toMatchObject({ code: 'request/invalid' });
    expect(file.text).toBeUndefined();
  });

  it('drop a secret with the last server that used it', async () => {
    const { store, secrets } = setup();
    await store.load(signal);
    const id = await store.add(stdio('a', { API_KEY: { secret: 'one' } }), signal);
    await store.update(id, stdio('a', { API_KEY: { kept: 'mcp.a.env.API_KEY' as never } }), signal); // a saved reference, as the form sends it back
    expect(secrets.size).toBe(1);
    await store.remove(id, signal);
    expect(secrets.size).toBe(0);
  });

  it('never let one server take up another’s secret by its name', async () => {
    const { store } = setup();
    await store.load(signal);
    await store.add(stdio('a', { API_KEY: { secret: 'one' } }), signal);
    await expect(store.add(stdio('evil', { API_KEY: { kept: 'mcp.a.env.API_KEY' as never } }), signal)).rejects.toMatchObject({ code: 'secret/missing' }); // what a hostile sender would say
  });

  it('refuse a taken name, and keep comments, order and unknown keys of the file', async () => {
    const { store, file } = setup('{ // mine\n  "mcpServers": { /* first */ "z": { "command": "z", "unknown": 1 } },\n  "other": [1, 2] // kept\n}\n');
    await store.load(signal);
    await expect(store.add(stdio('Z'), signal)).rejects.toMatchObject({ code: 'server/exists' });
    await store.add(stdio('b'), signal);
    for (const kept of ['// mine', '/* first */', '"unknown": 1', '"other": [1, 2] // kept']) expect(file.text).toContain(kept);
    await store.remove(serverId('global', 'b'), signal);
    expect(store.all().map((definition) => definition.name)).toEqual(['Notes', 'Files', 'z']);
  });

  it('are never written over a file that does not parse', async () => {
    const broken = '{ "mcpServers": { "a": ';
    const { store, file, problems } = setup(broken);
    await store.load(signal);
    expect(problems()[0]).toMatchObject({ file: 'mcp.json', line: 1 });
    expect(store.all()).toHaveLength(2);
    await expect(store.add(stdio('b'), signal)).rejects.toMatchObject({ code: 'config/invalid' });
    expect(file.text).toBe(broken);
  });

  it('change their revision with what is launched, never with a value', async () => {
    const { store } = setup();
    await store.load(signal);
    const id = await store.add(stdio('a', { LEVEL: { plain: '1' } }), signal);
    const first = byName(store, 'a').revision;
    await store.update(id, stdio('a', { LEVEL: { plain: '2' } }), signal);
    expect(byName(store, 'a').revision).toBe(first);
    await store.update(id, stdio('a', { LEVEL: { plain: '2' }, MORE: { plain: '' } }), signal);
    expect(byName(store, 'a').revision).not.toBe(first);
    expect(ServerId.parse(id)).toBe(id);
  });
});

describe('mcp.json', () => {
  it('is read with comments, trailing commas and a byte-order mark, each bad entry on its own', () => {
    const { entries, problems } = readDefinitionFile('mcp.json', '\uFEFF{ "mcpServers": {\n "a": {"command": "x",},\n "b": {"url": "ftp://x"},\n "c": {"url": "http://x/", "type": "sse"},\n "d": {"command": "x", "url": "http://x"},\n "e": {"socket": "/tmp/s", "disabled": true},\n}, }');
    expect(entries.map(({ name, enabled, transport }) => [name, enabled, transport?.type])).toEqual([['a', undefined, 'stdio'], ['c', undefined, 'sse'], ['e', false, 'socket']]);
    expect(problems.map(({ line, message }) => [line, message.slice(0, 4)])).toEqual([[3, '“b” '], [5, '“d” ']]);
  });

  it('[F-49] takes exactly one of command, url and socket', () => {
    const ways = { command: 'x', url: 'http://127.0.0.1/', socket: '/s' };
    for (const [one, two] of [['command', 'url'], ['command', 'socket'], ['url', 'socket']] as const) {
      const { entries, problems } = readDefinitionFile('mcp.json', JSON.stringify({ mcpServers: { both: { [one]: ways[one], [two]: ways[two] } } }));
      expect(entries).toEqual([]);
      expect(problems[0]?.message).toContain('more than one of command, url and socket');
    }
    for (const way of ['command', 'url', 'socket'] as const) expect(readDefinitionFile('mcp.json', JSON.stringify({ mcpServers: { one: { [way]: ways[way] } } })).entries).toHaveLength(1);
  });
});
