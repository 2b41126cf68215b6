import { expect, it } from 'vitest';
import { allowList } from './allow-list.ts';

const tool = (serverName: string, name: string) => ({ serverName, tool: name, modelName: `mcp_${serverName}_${name}` });

it('a list has names and globs, and asks for what stands after mcp:', () => {
  const list = allowList(['read_*', 'mcp:git-hub', 'mcp:files/write']);
  expect([tool('a', 'read_x'), tool('git_hub', 'push'), tool('files', 'write'), tool('files', 'delete'), tool('a', 'x')].map((one) => [list.allows(one), list.asksFor(one)])).toEqual([
    [true, false], [true, true], [true, true], [false, false], [false, false],
  ]);
  expect(['git-hub', 'git_hub', 'files', 'a'].map((name) => list.asksForServer(name))).toEqual([true, true, true, false]);
});

it('nothing is a glob after mcp:, and half an entry asks for nothing', () => {
  const list = allowList(['mcp:*', 'mcp:files/*', 'mcp:', 'mcp:/x']);
  expect([tool('files', 'write'), tool('', 'x'), tool('x', 'mcp:')].map((one) => list.asksFor(one))).toEqual([false, false, false]);
  expect(list.allows(tool('files', 'write'))).toBe(false);
});
