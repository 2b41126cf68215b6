import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where data lives: `GATEHOUSE_HOME`, or .gatehouse in the person's own folder. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env.GATEHOUSE_HOME?.trim() ?? '';
  if (chosen === '') return join(homedir(), '.gatehouse');
  return chosen === '~' || /^~[/\\]/.test(chosen) ? join(homedir(), chosen.slice(1)) : resolve(chosen);
}
