import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readFacts, type Import } from './imports.ts';

/** What costs too much to be loaded before somebody uses it. Types of it are free. */
const loadedByUse = ['@modelcontextprotocol/client', 'yaml'] as const;

const isCode = (to: string): boolean => to.startsWith('.') && /\.tsx?$/.test(to);
const besides = (file: string, to: string): string => posix.join(posix.dirname(file), to);

/**
 * The ways by which a start reaches what is to be loaded by use, each as the files in between. A start runs the entry with all that it imports, and what those files of the
 * entry's own layer load late: that is how the core and its ports are brought in while the window is made already. `root` is where the layers are.
 */
export function reachedAtStart(root: string, entry: string): string[] {
  const known = new Map<string, readonly Import[]>();
  const importsOf = (file: string): readonly Import[] => {
    const imports = known.get(file) ?? readFacts(file, readFileSync(join(root, file), 'utf8')).imports.filter(({ typeOnly }) => !typeOnly);
    known.set(file, imports);
    return imports;
  };
  const layer = `${entry.split('/')[0] ?? ''}/`;
  const ways = new Map<string, string>([[entry, entry]]);
  const found: string[] = [];
  for (const [file, way] of ways) {
    for (const { to, late } of importsOf(file)) {
      if (late && !file.startsWith(layer)) continue;
      if (isCode(to)) {
        const next = besides(file, to);
        if (!ways.has(next)) ways.set(next, `${way} > ${next}`);
      } else if (loadedByUse.some((name) => to === name || to.startsWith(`${name}/`))) found.push(`${way} > ${to}`);
    }
  }
  return found;
}
