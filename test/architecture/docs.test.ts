import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The pages that name folders at their top: `---`, `folders: [src/core, src/node]`, `---`. Decisions are history, and name none. */
const PAGES = ['architecture.md', 'glossary.md', 'conventions.md', 'security.md', 'configuration.md', 'cli.md', 'backup.md'];

const foldersOf = (page: string): readonly string[] | undefined => {
  const frontMatter = /^---\n([\s\S]*?)\n---\n/.exec(page)?.[1];
  const inline = frontMatter && /^folders:[ \t]*\[([^\]]*)\][ \t]*$/m.exec(frontMatter)?.[1];
  const listed = frontMatter && /^folders:[ \t]*\n((?:[ \t]*-[ \t]+.*(?:\n|$))+)/m.exec(frontMatter)?.[1];
  const names = inline ? inline.split(',') : listed ? listed.split('\n').map((line) => line.replace(/^[ \t]*-/, '')) : undefined;
  return names?.map((name) => name.trim().replace(/^['"]|['"]$/g, '')).filter((name) => name !== '');
};

it('there is a page on the architecture', () => {
  expect(existsSync('docs/architecture.md')).toBe(true);
});

it('reads the folders that a page names, in either form', () => {
  expect(foldersOf('---\nfolders: [src/core, "src/node"]\n---\n# A\n')).toEqual(['src/core', 'src/node']);
  expect(foldersOf('---\ntitle: A\nfolders:\n  - src/core\n  - src/node\n---\n# A\n')).toEqual(['src/core', 'src/node']);
  expect(foldersOf('# A\nfolders: [src]\n')).toBeUndefined();
});

describe.each(PAGES.filter((name) => existsSync(join('docs', name))))('docs/%s', (name) => {
  const folders = foldersOf(readFileSync(join('docs', name), 'utf8'));

  it('names the folders that it covers', () => {
    expect(folders ?? []).not.toEqual([]);
  });

  it('names only folders that exist', () => {
    expect((folders ?? []).filter((folder) => !existsSync(folder))).toEqual([]);
  });
});
