import { describe, expect, it } from 'vitest';
import { AppError } from '../../shared/errors.ts';
import { Pick } from '../../shared/model/exchange.ts';
import { readSource } from '../formats/read-source.ts';
import type { Host } from '../ports.ts';
import { Exchange } from './exchange.ts';

const never = new AbortController().signal;
const mine = '/home/me/.gatehouse/mcp.json';
const host: Host = {
  platform: 'linux', homeFolder: '/home/me', configFolder: '/home/me/.config', appDataFolder: '/home/me/.config', gatehouseHome: '/home/me/.gatehouse', environmentServers: undefined, environmentRun: {}, outputGuard: undefined, directTools: undefined, signInPort: undefined,
  environment: () => Promise.reject(new Error('Nobody may ask for the environment')), readEnvFile: () => ({}),
};

/** Files and secrets in memory; `storing` happens while secrets are being stored. */
function world(files: Record<string, string>, storing: () => void = () => undefined) {
  const stored = new Map<string, string>();
  let fails: 'before' | 'at the end' | undefined;
  const read = () => [{
    source: { id: 'home', kind: 'home', label: 'mcp.json', path: mine, scope: 'global' }, status: 'read', parsed: readSource(files[mine] ?? '', { file: mine, shape: 'gatehouse' }), digest: '',
  } as const];
  const exchange = new Exchange({
    configFiles: { read: async (path) => files[path] },
    host,
    vaultIsOpen: () => true,
    project: () => undefined,
    servers: {
      get current() {
        return { read: read(), merged: { servers: [], orphans: [], on: true } };
      },
      projectIsTrusted: true,
      ownedFile: () => mine,
      rewrite: async (_scope, edit) => {
        if (fails === 'before') throw new AppError('storage/failed', 'The folder cannot be read');
        const after = edit(files[mine]);
        if (fails) throw new AppError('storage/failed', 'The disk is full');
        files[mine] = after;
      },
    },
    secrets: {
      list: async () => [],
      put: async (_scope, key, value, options) => {
        stored.set(key, `${value.reveal()} ${options.policy ?? ''}`);
        storing();
      },
      remove: async (_scope, key) => void stored.delete(key),
    },
  });
  return { exchange, files, stored, fail: (when: typeof fails) => (fails = when) };
}
const cursor = (servers: Readonly<Record<string, unknown>>) => ({ '/home/me/.cursor/mcp.json': JSON.stringify({ mcpServers: servers }) });
const picks = ['docs'].map((name) => Pick.parse({ source: 'cursor', name }));
const docs = { docs: { command: 'node', env: { TOKEN: 'canary' } } };

describe('adopting', () => {
  it('stores secrets before the file names them', async () => {
    const seen: (string | undefined)[] = [];
    const { exchange, files, stored } = world(cursor(docs), () => seen.push(files[mine]));
    expect(await exchange.adopt('global', picks, never)).toEqual({ added: ['docs'] });
    expect(seen).toEqual([undefined]);
    expect([...stored]).toEqual([['mcp.docs.env.TOKEN', 'canary prompt']]);
    expect(files[mine]).toContain('"secretRef": "mcp.docs.env.TOKEN"');
  });

  it('writes over nothing that came into the file meanwhile, and leaves no secret behind then', async () => {
    const files = cursor(docs);
    const { exchange, stored } = world(files, () => Object.assign(files, { [mine]: '{ "mcpServers": { "docs": { "command": "somebody else’s" } } }' }));
    await expect(exchange.adopt('global', picks, never)).rejects.toMatchObject({ code: 'config/changed', data: { name: 'docs' } });
    expect(stored.size).toBe(0);
    const unrelated = cursor(docs);
    const calm = world(unrelated, () => Object.assign(unrelated, { [mine]: '// new\n{ "mcpServers": { "other": { "command": "x" } } }' }));
    await calm.exchange.adopt('global', picks, never);
    expect(calm.files[mine]).toMatch(/\/\/ new[\s\S]*other[\s\S]*docs/);
  });

  it.each(['before', 'at the end'] as const)('leaves no secret behind when writing fails %s', async (when) => {
    const { exchange, stored, fail } = world(cursor(docs));
    fail(when);
    await expect(exchange.adopt('global', picks, never)).rejects.toMatchObject({ code: 'storage/failed' });
    expect(stored.size).toBe(0);
  });

  it('switches a scope on that was switched off, and says so in the diff (U-56)', async () => {
    const { exchange, files } = world({ ...cursor({ docs: { command: 'node' } }), [mine]: '{ "mcpEnabled": false, "mcpServers": {} }' });
    expect((await exchange.previewAdopt('global', picks, never)).diff).toContain('+{ "mcpEnabled": true');
    await exchange.adopt('global', picks, never);
    expect(JSON.parse(files[mine] ?? '')).toMatchObject({ mcpEnabled: true, mcpServers: { docs: { command: 'node' } } });
  });

  it('previews without storing or writing', async () => {
    const { exchange, files, stored } = world(cursor(docs));
    const before = JSON.stringify(files);
    const plan = await exchange.previewAdopt('global', picks, never);
    expect(plan.diff).toContain('/dev/null');
    expect([JSON.stringify(files), stored.size]).toEqual([before, 0]);
  });
});
