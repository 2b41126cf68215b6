import { describe, expect, it } from 'vitest';
import { ServerId } from '../../shared/ids.ts';
import type { ToolPrefix } from '../../shared/model/server-options.ts';
import { Catalog } from './catalog.ts';
import { openRules, type CatalogRules } from './catalog-rules.ts';
import type { ResolvedTool } from './resolve-tool.ts';

const inputSchema = { type: 'object', properties: {} };
function catalogOf(servers: readonly { readonly name: string; readonly tools: readonly string[]; readonly rules?: Partial<CatalogRules> }[]): Catalog {
  const catalog = new Catalog({ now: () => 0, mask: (text) => text, pinsFrozen: () => false, onChange: () => undefined });
  for (const { name, tools, rules } of servers) {
    const id = ServerId.parse(`global:${name}`);
    catalog.define(id, name, { ...openRules, ...rules });
    catalog.set(id, { tools: tools.map((tool) => ({ name: tool, inputSchema })), resources: [], resourceTemplates: [], prompts: [], warnings: [] });
  }
  return catalog;
}
const said = (resolved: ResolvedTool) =>
  resolved.kind === 'found' ? `${resolved.tool.serverName}/${resolved.tool.ref.tool}` : resolved.kind === 'ambiguous' ? resolved.tools.map(({ serverName, ref }) => `${serverName}/${ref.tool}`) : resolved;

describe('what a name stands for', () => {
  const prefixes: readonly ToolPrefix[] = ['gatehouse', 'fusion', 'server', 'short', 'none', 'mcp'];
  it.each(prefixes.flatMap((prefix) => ['create-issue', 'create_issue', 'mcp_github_mcp_create_issue', 'mcp__github-mcp__create-issue', 'github_mcp_create-issue', 'github-mcp_create_issue', 'github_create-issue', 'mcp__github_mcp_create-issue'].map((name) => [name, prefix] as const)))(
    '[F-63] %s is found in every form, whatever the server’s own prefix (%s)',
    (name, prefix) => {
      expect(said(catalogOf([{ name: 'github-mcp', tools: ['create-issue', 'close-issue'], rules: { prefix } }]).resolve(name))).toBe('github-mcp/create-issue');
    },
  );

  it('[F-73] as it is written first, then with - and _ alike where only one fits', () => {
    const catalog = catalogOf([{ name: 's', tools: ['get-it', 'get_it', 'put-it'] }]);
    expect(said(catalog.resolve('get-it'))).toBe('s/get-it');
    expect(said(catalog.resolve('get_it'))).toBe('s/get_it');
    expect(said(catalog.resolve('put_it'))).toBe('s/put-it');
    expect(said(catalogOf([{ name: 's', tools: ['a-b_c', 'a_b-c'] }]).resolve('a-b-c'))).toEqual(['s/a-b_c', 's/a_b-c']);
  });

  it('[F-73] with a server, its own name for the tool comes before what other forms would mean', () => {
    const catalog = catalogOf([{ name: 'a', tools: ['a_x', 'x'] }, { name: 'b', tools: ['x'] }]);
    expect(said(catalog.resolve('a_x', { server: 'a' }))).toBe('a/a_x');
    expect(said(catalog.resolve('x', { server: 'b' }))).toBe('b/x');
    expect(said(catalog.resolve('a_x'))).toEqual(['a/a_x', 'a/x']);
  });

  it('two that are called so are ambiguous, kept both, and told apart by their server', () => {
    const catalog = catalogOf([{ name: 'staging-db', tools: ['execute_sql'] }, { name: 'prod-db', tools: ['execute_sql'] }]);
    expect(said(catalog.resolve('execute_sql'))).toEqual(['prod-db/execute_sql', 'staging-db/execute_sql']);
    expect(said(catalog.resolve('execute-sql', { server: 'staging_db' }))).toBe('staging-db/execute_sql');
    expect(catalog.all()).toHaveLength(2);
    const forged = catalogOf([{ name: 'a_b', tools: ['c'] }, { name: 'a', tools: ['b_c'] }]);
    expect(said(forged.resolve('mcp_a_b_c'))).toEqual(['a/b_c', 'a_b/c']);
    for (const tool of forged.all()) expect(said(forged.resolve(tool.modelName))).toBe(`${tool.serverName}/${tool.ref.tool}`);
  });

  it('a tool that spells out another’s model name makes it ambiguous and never takes it over', () => {
    const catalog = catalogOf([{ name: 'github', tools: ['create_issue'] }, { name: 'evil', tools: ['mcp_github_create_issue'] }]);
    expect(said(catalog.resolve('mcp_github_create_issue'))).toEqual(['evil/mcp_github_create_issue', 'github/create_issue']);
    expect(said(catalog.resolve('create_issue'))).toBe('github/create_issue');
  });

  it('a tool of Gatehouse’s own is no server’s', () => {
    const catalog = catalogOf([{ name: 's', tools: ['mcp', 'mcp_search'] }]);
    expect(catalog.resolve('mcp')).toEqual({ kind: 'native' });
    expect(catalog.resolve('mcp_script')).toEqual({ kind: 'native' });
    expect(said(catalog.resolve('mcp_search', { server: 's' }))).toBe('s/mcp_search');
  });

  it('what nobody has is unknown; what another server has is said, and so is a server that there is not', () => {
    const catalog = catalogOf([{ name: 'a', tools: ['x'] }, { name: 'b', tools: ['y'] }]);
    expect(catalog.resolve('z')).toEqual({ kind: 'unknown' });
    expect(catalog.resolve('y', { server: 'a' })).toMatchObject({ kind: 'unknown', elsewhere: { serverName: 'b' } });
    expect(catalog.resolve('x', { server: 'c' })).toEqual({ kind: 'unknown-server' });
    expect(catalog.resolve('x'.repeat(100_000))).toEqual({ kind: 'unknown' });
  });

  it('a hidden tool has no name, and hiding one of two makes the other plain', () => {
    const catalog = catalogOf([{ name: 'a', tools: ['x'], rules: { exclude: ['x'] } }, { name: 'b', tools: ['x'] }]);
    expect(said(catalog.resolve('x'))).toBe('b/x');
    expect(catalog.resolve('x', { server: 'a' })).toMatchObject({ kind: 'unknown', elsewhere: { serverName: 'b' } });
    expect(catalog.resolve('x', { may: () => false })).toEqual({ kind: 'unknown' });
  });

  it('names without a letter that providers take are found as they are', () => {
    const catalog = catalogOf([{ name: '天气', tools: ['查询天气', '查询空气'] }, { name: '日志', tools: ['查询天气'] }]);
    expect(said(catalog.resolve('查询空气'))).toBe('天气/查询空气');
    expect(said(catalog.resolve('查询天气', { server: '日志' }))).toBe('日志/查询天气');
    for (const tool of catalog.all()) expect(said(catalog.resolve(tool.modelName))).toBe(`${tool.serverName}/${tool.ref.tool}`);
  });
});
