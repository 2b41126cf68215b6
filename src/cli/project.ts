import { realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { unlessMissing } from '../node/records/storage-problem.ts';
import { CliError } from './cli-error.ts';

const marks = ['.mcp.json', '.gatehouse', '.git'] as const;

/** The nearest folder from here up that holds one of the marks of a project. The home of Gatehouse itself is no such mark. */
export async function nearestProject(from: string, home: string): Promise<string | undefined> {
  const ownHome = await unlessMissing(realpath(home));
  for (let folder = await realpath(from); ; folder = dirname(folder)) {
    for (const mark of marks) {
      const found = await realpath(join(folder, mark)).catch(() => undefined);
      if (found !== undefined && found !== ownHome) return folder;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** A folder that was named. */
export async function namedProject(path: string, cwd: string): Promise<string> {
  const folder = resolve(cwd, path);
  const facts = await stat(folder).catch(() => undefined);
  if (!facts?.isDirectory()) throw new CliError(`There is no folder ${folder}.`);
  return realpath(folder);
}
