import { describe, expect, it } from 'vitest';
import { ServerId } from '../../shared/ids.ts';
import { hashOf } from '../kernel/hash.ts';
import type { ToolPrefix } from '../../shared/model/server-options.ts';
import { modelNames, nameAlone } from './model-name.ts';

const taken = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
const tool = (serverName: string, name: string, serverId = `global/${serverName}`, prefix: ToolPrefix = 'gatehouse') => ({
  serverId: ServerId.parse(serverId),
  serverName,
  tool: name,
  prefix,
});
type Tool = ReturnType<typeof tool>;
const namesOf = (tools: readonly Tool[]) => {
  const alone = tools.map(nameAlone);
  const names = modelNames(alone);
  return alone.map((one) => names.get(one));
};

describe('model names', () => {
  it('[H-42] are mcp_<server>_<tool>: both parts lower-cased and trimmed, dash, space, slash and dot as underscores, an empty part as x', () => {
    expect(
      namesOf([tool('My-Server', ' Read File '), tool('git.hub', 'repo/list'), tool(' ', '-a.b', 'global/blank'), tool('Notes', '')]),
    ).toEqual(['mcp_my_server_read_file', 'mcp_git_hub_repo_list', 'mcp_x__a_b', 'mcp_notes_x']);
  });

  it('stay within 64 legal characters and differ where the first 64 are equal', () => {
    const server = 'my-very-long-corporate-documentation-server';
    const tools = [
      'search_documentation_in_all_available_spaces_v2',
      'search_documentation_in_all_available_spaces_v3',
      'files.read',
      'repo/list',
      'a b',
    ].map((name) => tool(server, name));
    const names = namesOf(tools);
    for (const name of names) expect(name).toMatch(taken);
    expect(new Set(names).size).toBe(tools.length);
    expect(names[0]).toMatch(/^mcp_my_very_long_search_documentation_in_all_availab.*_[0-9a-f]{8}$/);
    expect(names[2]).toBe('mcp_my_very_long_corporate_documentation_server_files_read');
    expect(namesOf(tools)).toEqual(names);
  });

  it('keep tools apart whose names have no letter that providers take', () => {
    const tools = [tool('天气', '查询天气'), tool('天气', '查询空气'), tool('日志', '查询天气'), tool('日志', '')];
    const names = namesOf(tools);
    for (const name of names) expect(name).toMatch(taken);
    expect(new Set(names).size).toBe(4);
  });

  it('never let a separator be forged: both tools of a collision get a suffix of their own', () => {
    const [first, second] = namesOf([tool('a_b', 'c'), tool('a', 'b_c')]);
    expect(first).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/);
    expect(second).toMatch(/^mcp_a_b_c_[0-9a-f]{8}$/);
    expect(first).not.toBe(second);
  });

  it('treat names that differ only in case as a collision', () => {
    const names = namesOf([tool('db', 'Query'), tool('db', 'query')]);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(2);
    expect(names).not.toContain('mcp_db_query');
  });

  it('never hand a name over to a server that appears later', () => {
    const mine = tool('a', 'b_c');
    const before = namesOf([mine])[0];
    const names = namesOf([mine, tool('a_b', 'c')]);
    expect(before).toBe('mcp_a_b_c');
    expect(names).not.toContain(before);
  });

  it('cannot be taken by a tool that spells out the suffixed name of another', () => {
    const victim = tool('a', 'b_c');
    const other = tool('a_b', 'c');
    const stolen = `${namesOf([victim, other])[0]}`.slice('mcp_a_'.length);
    const thief = tool('a', stolen, 'global/thief');
    const names = namesOf([victim, other, thief]);
    expect(names[0]).toBe(namesOf([victim, other])[0]);
    expect(new Set(names).size).toBe(3);
  });

  it('do not depend on the order of servers', () => {
    const tools = [
      tool('a_b', 'c'),
      tool('a', 'b_c'),
      tool('prod', 'run'),
      tool('天', '气'),
      tool('prod', 'RUN'),
      tool('z'.repeat(80), 'run'),
    ];
    const forward = new Map(namesOf(tools).map((name, index) => [tools[index], name]));
    const backward = [...tools].reverse();
    namesOf(backward).forEach((name, index) => expect(name).toBe(forward.get(backward[index])));
  });

  it('are all different for a thousand tools that try to clash', () => {
    const tools = Array.from({ length: 1000 }, (_, index) =>
      tool(
        index % 2 === 0 ? 'S ' : 's',
        'run-me-now'
          .split('')
          .map((letter, at) => ((index >> at) & 1 ? letter.toUpperCase() : letter))
          .join(''),
        `global/${index % 2}`,
      ),
    );
    const distinct = new Set(tools.map((one) => hashOf([one.serverId, one.tool])));
    const names = new Set(namesOf(tools));
    expect(names.size).toBe(distinct.size);
    for (const name of names) expect(name).toMatch(taken);
  });

  it.each([
    ['gatehouse', 'GitHub-MCP', 'repo/get.File-now', 'mcp_github_mcp_repo_get_file_now'],
    ['fusion', 'GitHub.MCP', '_get  File-now!', 'mcp__github_mcp__get_file-now'],
    ['fusion', '!!', '.', 'mcp__unnamed__unnamed'],
    ['server', 'github-mcp', 'get.file-now', 'github_mcp_get_file-now'],
    ['short', 'github-mcp', 'get.file-now', 'github_get_file-now'],
    ['short', 'githubmcp', 'x', 'github_x'],
    ['short', 'mcp', 'x', 'mcp_x'],
    ['none', 'github-mcp', 'Get.File-now', 'get_file-now'],
    ['mcp', 'github-mcp', 'get.file-now', 'mcp__github_mcp_get_file-now'],
    ['none', 'x', '2fa', '_2fa'],
  ] as const)('[F-63] [F-64] [U-65] with toolPrefix “%s”, %s’s %s is %s', (prefix, server, name, expected) => {
    expect(namesOf([tool(server, name, 'global/s', prefix)])).toEqual([expected]);
    expect(expected).toMatch(taken);
  });

  it('[F-63] each server by its own prefix; what clashes across prefixes gets suffixes like any other', () => {
    const names = namesOf([tool('a', 'b', 'global/1', 'mcp'), tool('_a', 'b', 'global/2', 'gatehouse'), tool('c', 'b', 'global/3', 'none')]);
    expect(names).toEqual([expect.stringMatching(/^mcp__a_b_[0-9a-f]{8}$/), expect.stringMatching(/^mcp__a_b_[0-9a-f]{8}$/), 'b']);
  });

  it.each(['read', 'bash', 'powershell', 'edit', 'write', 'grep', 'find', 'ls', 'mcp', 'mcp_search', 'mcp_script'])('[F-66] are never the reserved name “%s”', (reserved) => {
    const [name] = namesOf([tool('s', reserved, 'global/s', 'none')]);
    expect(name).toMatch(new RegExp(`^${reserved}_[0-9a-f]{8}$`));
  });

  it.each(['gatehouse', 'fusion', 'server', 'short', 'none', 'mcp'] as const)('are legal, at most 64 long and all different with “%s”, whatever servers and tools are called', (prefix) => {
    const servers = ['a', 'A-mcp', '天气', '日志', '9', 'x'.repeat(300), '', '__', 'a b/c.d'];
    const tools = ['t', 'T', 't-t', 't_t', '查询', '查问', '9', '-', 'y'.repeat(300), `${'y'.repeat(300)}z`, 'mcp', '\u0000', '😀'];
    const all = servers.flatMap((server, at) => tools.map((name) => tool(server, name, `global/${at}`, prefix)));
    const names = namesOf(all);
    for (const name of names) expect(name).toMatch(taken);
    expect(new Set(names).size).toBe(all.length);
  });
});
