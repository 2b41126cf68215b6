import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-view.tsx';

describe('a diff', () => {
  it('shows what comes, what goes and where, without the heading of the file', () => {
    const diff = [
      'Index: a',
      '===',
      '--- a',
      '+++ a',
      '@@ -1,2 +1,2 @@',
      ' {',
      '-  "--x": 1',
      '+  "++y": 2',
      '\\ No newline at end of file',
      '',
    ].join('\n');
    expect(diffLines(diff)).toEqual([
      { kind: 'place', text: '@@ -1,2 +1,2 @@' },
      { kind: 'same', text: '{' },
      { kind: 'gone', text: '  "--x": 1' },
      { kind: 'added', text: '  "++y": 2' },
      { kind: 'place', text: 'No newline at end of file' },
    ]);
  });
  it('is empty when nothing changes', () => {
    expect(diffLines('')).toEqual([]);
  });
});
