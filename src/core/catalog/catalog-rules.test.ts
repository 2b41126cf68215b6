import { describe, expect, it } from 'vitest';
import { ServerId } from '../../shared/ids.ts';
import { Catalog } from './catalog.ts';
import { catalogRules, openRules, type CatalogRules } from './catalog-rules.ts';
import { readDirectTools } from './direct-tools-variable.ts';
import { resourceAlias } from './resource-alias.ts';

const inputSchema = { type: 'object', properties: {} };
const id = ServerId.parse('global:git-hub');
const listing = (names: readonly (string | object)[], resources: readonly string[] = []) => ({
  tools: names.map((name) => (typeof name === 'string' ? { name, inputSchema } : { inputSchema, ...name })),
  resources: resources.map((name) => ({ uri: `a:${name}`, name })), resourceTemplates: resources.map((name) => ({ uriTemplate: `a:${name}/{x}`, name })), prompts: [], warnings: [],
});
function catalogWith(rules: Partial<CatalogRules>, names: readonly (string | object)[], options: { frozen?: boolean; resources?: readonly string[] } = {}) {
  const catalog = new Catalog({ now: () => 0, mask: (text) => text, pinsFrozen: () => options.frozen ?? false, onChange: () => undefined });
  catalog.define(id, 'git-hub', { ...openRules, ...rules });
  catalog.set(id, listing(names, options.resources));
  return catalog;
}
const names = (tools: readonly { readonly ref: { readonly tool: string } }[]) => tools.map(({ ref }) => ref.tool);
const left = (rules: Partial<CatalogRules>, tools: readonly string[]) => names(catalogWith(rules, tools).all());

describe('[F-68] includeTools and excludeTools', () => {
  const tools = ['get-file', 'get_dir', 'Put-file', 'delete'];
  it.each([
    ['exact, with - and _ alike', ['get_file'], ['get-file']], ['a glob', ['get*'], ['get-file', 'get_dir']], ['one letter', ['?et-file'], ['get-file']], ['anchored', ['file', 'get'], []],
    ['case-sensitive', ['put-file'], []], ['the server’s prefix', ['git_hub_get-file'], ['get-file']], ['the mcp prefix', ['mcp__git-hub_get_dir'], ['get_dir']], ['the effective name', ['mcp_git_hub_delete'], ['delete']],
    ['all of them', ['*'], tools],
  ])('name %s', (_what, patterns, expected) => {
    expect(left({ include: patterns }, tools)).toEqual(expected);
    expect(left({ exclude: patterns }, tools)).toEqual(tools.filter((tool) => !expected.includes(tool)));
  });

  it('exclude after include; an empty list is no filter', () => {
    expect(left({ include: ['get*'], exclude: ['*file'] }, tools)).toEqual(['get_dir']);
    expect(left({ include: [], exclude: [] }, tools)).toEqual(tools);
  });

  it('name a server by its short form, and a tool by the name that it has beside others of the same', () => {
    const catalog = new Catalog({ now: () => 0, mask: (text) => text, pinsFrozen: () => false, onChange: () => undefined });
    const [one, two] = [ServerId.parse('global:a'), ServerId.parse('global:b')];
    for (const [server, name] of [[one, 'db-mcp'], [two, 'db.mcp']] as const) {
      catalog.define(server, name);
      catalog.set(server, listing(['run', 'stop']));
    }
    const full = catalog.tool(one, 'run')?.modelName ?? '';
    expect(full).toMatch(/^mcp_db_mcp_run_[0-9a-f]{8}$/);
    catalog.define(one, 'db-mcp', { ...openRules, exclude: [full, 'db_stop'] });
    expect(names(catalog.all())).toEqual(['run', 'stop']);
    expect(catalog.everything().map(({ hidden }) => hidden)).toEqual(['excluded', 'excluded', undefined, undefined]);
  });

  it('[S14] bind what is listed later too', () => {
    const catalog = catalogWith({ exclude: ['delete*'] }, ['get']);
    catalog.set(id, listing(['get', 'delete_all', 'delete-one']));
    expect(names(catalog.all())).toEqual(['get']);
    catalog.define(id, 'git-hub', { ...openRules, exclude: [] });
    expect(names(catalog.all())).toEqual(['get', 'delete_all', 'delete-one']);
  });
});

describe('resources under filters', () => {
  it.each([['Read Me.md', 'read_read_me_md'], ['  __a--b  ', 'read_a_b'], ['2024 plan', 'read_resource_2024_plan'], ['天气', 'read_resource'], ['', 'read_resource'], ['ÄB', 'read_b']])('[F-144] %s is read as %s', (name, alias) => {
    expect(resourceAlias(name)).toBe(alias);
  });
  it('are left out by their alias, and all of them where they are not exposed', () => {
    const shown = (rules: Partial<CatalogRules>) => {
      const server = catalogWith(rules, ['t'], { resources: ['Secret plan', 'Menu'] }).server(id);
      return [server?.resources.map(({ name }) => name), server?.resourceTemplates.map(({ name }) => name)];
    };
    expect(shown({})).toEqual([['Secret plan', 'Menu'], ['Secret plan', 'Menu']]);
    expect(shown({ exclude: ['read_secret_*'] })).toEqual([['Menu'], ['Menu']]);
    expect(shown({ include: ['t', 'read_menu'] })).toEqual([['Menu'], ['Menu']]);
    expect(shown({ exposeResources: false })).toEqual([[], []]);
  });
});

describe('tools that a server means for some', () => {
  const ui = (visibility: unknown) => ({ _meta: { ui: { visibility } } });
  it('for its app alone are in no model’s catalog; for models alone are none of the app’s', () => {
    const catalog = catalogWith({}, [{ name: 'both', ...ui(['model', 'app']) }, { name: 'app', ...ui(['app']) }, { name: 'model', ...ui(['model']) }, { name: 'odd', ...ui('app') }, { name: 'empty', ...ui([]) }, { name: 'plain' }]);
    expect(names(catalog.all())).toEqual(['both', 'model', 'odd', 'empty', 'plain']);
    expect(catalog.tool(id, 'app')?.hidden).toBe('app-only');
    expect(names(catalog.everything().filter(({ notForApps }) => notForApps))).toEqual(['model']);
  });
  it('that become so with the next list too', () => {
    const catalog = catalogWith({ pins: true }, [{ name: 'x' }]);
    catalog.set(id, listing([{ name: 'x', ...ui(['app']) }]));
    expect([catalog.all(), catalog.pinned()]).toEqual([[], []]);
  });
});

describe('pins', () => {
  const settings = { toolPrefix: 'gatehouse', directTools: false } as const;
  const pinsOf = (directTools: boolean | string[] | undefined, global: boolean) =>
    names(catalogWith({ pins: catalogRules({ name: 'git-hub', enabled: true, options: directTools === undefined ? {} : { directTools } }, { ...settings, directTools: global }, undefined).pins }, ['a-b', 'a_b', 'c']).pinned());
  it.each([
    [undefined, false, []], [undefined, true, ['a-b', 'a_b', 'c']], [true, false, ['a-b', 'a_b', 'c']], [false, true, []], [['a_b'], false, ['a_b']], [['c', 'none', 'mcp_git_hub_a_b'], true, ['c']], [[], true, []],
  ])('[F-102] are by original names, a server’s own over the settings’: %j over %j', (own, global, expected) => {
    expect(pinsOf(own, global)).toEqual(expected);
  });
  it.each([
    ['git-hub', ['a-b', 'a_b', 'c']], ['other, git-hub/c ,git-hub/a_b', ['a_b', 'c']], ['other', []], ['__none__', []], ['git-hub,__none__', []], ['', ['c']], [' , ', ['c']],
  ])('[F-103] are what MCP_DIRECT_TOOLS=%s says, where it says anything; every tool can be searched for all the same', (variable, expected) => {
    const catalog = catalogWith({ pins: catalogRules({ name: 'git-hub', enabled: true, options: { directTools: ['c'] } }, { ...settings, directTools: true }, readDirectTools(variable)).pins }, ['a-b', 'a_b', 'c']);
    expect(names(catalog.pinned())).toEqual(expected);
    expect(names(catalog.all())).toEqual(['a-b', 'a_b', 'c']);
  });
  it('leave with their tool', () => {
    const catalog = catalogWith({ pins: true }, ['a', 'b']);
    catalog.set(id, listing(['b']));
    expect(names(catalog.pinned())).toEqual(['b']);
  });
  it('are no hidden tools, and none with a problem', () => {
    expect(names(catalogWith({ pins: true, exclude: ['a'] }, ['a', 'b', { name: 'c', inputSchema: null }]).pinned())).toEqual(['b']);
  });
  it('[F-104] stay as they were first offered while they are frozen, until the server is connected by hand', () => {
    const catalog = catalogWith({ pins: true }, [{ name: 'a', description: 'first' }, 'b'], { frozen: true });
    expect(names(catalog.pinned())).toEqual(['a', 'b']);
    catalog.set(id, listing([{ name: 'a', description: 'second' }, 'c']));
    expect(names(catalog.pinned())).toEqual(['a', 'b']);
    const [a] = catalog.pinned();
    expect(a?.description).toBe('first');
    // What is called is the tool of now: a person is asked about that.
    expect(a?.ref.revision).toBe(catalog.tool(id, 'a')?.ref.revision);
    catalog.thaw(id);
    catalog.set(id, listing([{ name: 'a', description: 'third' }, 'c']));
    expect(catalog.pinned().map(({ ref, description }) => [ref.tool, description])).toEqual([['a', 'third'], ['c', '']]);
    catalog.set(id, listing(['d']));
    expect(names(catalog.pinned())).toEqual(['a', 'c']);
  });
  it('[F-104] follow a person who pins, unpins, hides or switches off all the same', () => {
    const catalog = catalogWith({ pins: true }, ['a', 'b'], { frozen: true });
    catalog.pinned();
    catalog.define(id, 'git-hub', { ...openRules, pins: ['b'] });
    expect(names(catalog.pinned())).toEqual(['b']);
    catalog.define(id, 'git-hub', { ...openRules, pins: ['b'], exclude: ['b'] });
    expect(catalog.pinned()).toEqual([]);
    catalog.define(id, 'git-hub', { ...openRules, pins: ['b'], on: false });
    expect(catalog.pinned()).toEqual([]);
  });
  it('that nobody has seen yet want a look; without pins nothing does', () => {
    const catalog = catalogWith({}, ['a']);
    const [pinned, plain, none] = ['pinned', 'plain', 'none'].map((name) => ServerId.parse(`global:${name}`));
    if (!pinned || !plain || !none) throw new Error('three ids');
    catalog.define(pinned, 'pinned', { ...openRules, pins: ['x'] });
    catalog.define(plain, 'plain');
    catalog.define(none, 'none', { ...openRules, pins: [] });
    expect([pinned, plain, none, id].map((server) => catalog.needsDiscovery(server))).toEqual([true, false, false, false]);
    catalog.remember(pinned, { ...listing(['x']), seenAt: 1, revisions: new Map() });
    expect(catalog.needsDiscovery(pinned)).toBe(false);
  });
});

describe('what follows the catalog', () => {
  it('is told of no tool of a server that is off, and a person still sees it', () => {
    const catalog = catalogWith({ pins: true }, ['a']);
    catalog.define(id, 'git-hub', { ...openRules, pins: true, on: false });
    expect([catalog.all(), catalog.pinned(), catalog.resolve('a'), names(catalog.everything())]).toEqual([[], [], { kind: 'unknown' }, ['a']]);
    catalog.define(id, 'git-hub', { ...openRules, pins: true });
    expect(names(catalog.all())).toEqual(['a']);
  });
  it('sees which servers stayed as they were', () => {
    const catalog = catalogWith({}, ['a']);
    const before = catalog.server(id)?.tools;
    const other = ServerId.parse('global:other');
    catalog.define(other, 'other');
    catalog.set(other, listing(['b']));
    expect(catalog.server(id)?.tools).toBe(before);
    catalog.define(other, 'git_hub');
    catalog.set(other, listing(['a']));
    expect(catalog.server(id)?.tools).not.toBe(before);
  });
  it('is told that what was live is of an earlier connection once it ends, and keeps it', () => {
    const catalog = catalogWith({}, ['a']);
    expect(catalog.origin(id)).toEqual({ from: 'live' });
    catalog.asleep(id);
    expect(catalog.origin(id)).toEqual({ from: 'cache', seenAt: 0 });
    expect(names(catalog.all())).toEqual(['a']);
    catalog.remember(id, { ...listing(['older']), seenAt: 1, revisions: new Map() });
    expect(names(catalog.all())).toEqual(['a']);
  });
  it('can be asked for a descriptor as it was sent', () => {
    const sent = { name: 'a', title: 'A', inputSchema, _meta: { ui: { resourceUri: 'ui://a' } }, 'x-more': [1] };
    expect(catalogWith({}, [sent]).descriptor({ serverId: id, tool: 'a' })).toEqual(sent);
    expect(catalogWith({}, [sent]).descriptor({ serverId: id, tool: 'b' })).toBeUndefined();
  });
});
