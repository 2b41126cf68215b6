import { expect, it } from 'vitest';
import { unifiedDiff } from './diff.ts';

it('shows each change with three lines around it, and nothing when nothing changes', () => {
  const before = Array.from({ length: 12 }, (_, n) => `line ${String(n)}`).join('\n');
  expect(unifiedDiff('mcp.json', before, before)).toBe('');
  expect(unifiedDiff('mcp.json', undefined, '')).toBe('');
  expect(unifiedDiff('mcp.json', before, before.replace('line 6', 'new'))).toBe(
    '--- mcp.json\n+++ mcp.json\n@@ -4,7 +4,7 @@\n line 3\n line 4\n line 5\n-line 6\n+new\n line 7\n line 8\n line 9\n',
  );
  expect(unifiedDiff('mcp.json', undefined, '{}\n')).toBe('--- /dev/null\n+++ mcp.json\n@@ -0,0 +1,1 @@\n+{}\n');
});
