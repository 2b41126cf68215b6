import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { homeFolder } from '../node/home/home-folder.ts';
import { attach } from './attach.ts';
import { CoreClient } from './client.ts';
import type { Cli } from './session.ts';

/** Typing does not wait longer than this for names. Milliseconds. */
const namesWithinMs = 700;
/** What a command's `name` names. */
const naming = {
  servers: ['mcp edit', 'mcp enable', 'mcp disable', 'mcp remove', 'mcp test', 'mcp auth', 'mcp logout'],
  profiles: ['profiles show', 'profiles save', 'profiles remove'],
} as const;
type Names = { readonly [What in keyof typeof naming]: readonly string[] };

/** `completion <shell>` prints a script; it asks `complete -- …` back while the person types. To be called when every other command is there. */
export function completionCommands(program: Command, cli: Cli): void {
  const root = tab(program, { completionCommandName: 'completion' });
  let names: Names = { servers: [], profiles: [] };
  for (const what of ['servers', 'profiles'] as const) {
    for (const command of naming[what]) {
      const argument = root.commands.get(command)?.arguments.get('name');
      if (argument) argument.handler = (complete) => names[what].forEach((name) => complete(name, ''));
    }
  }
  program.hook('preAction', async (_program, command) => {
    if (command.name() === 'complete') names = await namesOf(cli).catch(() => names);
  });
}

/** Of the running app only: a Tab key opens no home. Names that a shell would take apart are left out. */
async function namesOf({ env, signal }: Cli): Promise<Names> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(namesWithinMs)]);
  const app = await attach(homeFolder(env), within);
  if (!app) return { servers: [], profiles: [] };
  await using client = new CoreClient('app', app);
  const { servers } = await client.state(within);
  const profiles = await client.request('profiles.list', undefined, within);
  return { servers: typeable(Object.values(servers).map(({ definition }) => definition.name)), profiles: typeable(profiles.filter(({ scope }) => scope !== 'built-in').map(({ name }) => name)) };
}
const typeable = (names: readonly string[]): readonly string[] => [...new Set(names)].toSorted().filter((name) => /^[\w.@:-]+$/.test(name));
