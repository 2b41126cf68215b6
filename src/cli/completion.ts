import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { homeFolder } from '../node/home/home.ts';
import { attach } from './attach.ts';
import { CoreClient } from './client.ts';
import type { Cli } from './session.ts';

/** Typing does not wait longer than this for names. Milliseconds. */
const namesWithinMs = 700;
const naming = ['mcp edit', 'mcp enable', 'mcp disable', 'mcp remove', 'mcp test'];

/** `completion <shell>` prints a script; it asks `complete -- …` back while the person types. To be called when every other command is there. */
export function completionCommands(program: Command, cli: Cli): void {
  const root = tab(program, { completionCommandName: 'completion' });
  let names: readonly string[] = [];
  for (const command of naming) {
    const argument = root.commands.get(command)?.arguments.get('name');
    if (argument) argument.handler = (complete) => names.forEach((name) => complete(name, ''));
  }
  program.hook('preAction', async (_program, command) => {
    if (command.name() === 'complete') names = await serverNames(cli).catch(() => []);
  });
}

/** Of the running app only: a Tab key opens no home. Names that a shell would take apart are left out. */
async function serverNames({ env, signal }: Cli): Promise<readonly string[]> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(namesWithinMs)]);
  const app = await attach(homeFolder(env), within);
  if (!app) return [];
  await using client = new CoreClient('app', app);
  const { servers } = await client.state(within);
  return Object.values(servers).map(({ definition }) => definition.name).toSorted().filter((name) => /^[\w.@:-]+$/.test(name));
}
