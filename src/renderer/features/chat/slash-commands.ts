import type { ServerRow } from '../../../shared/state/app-state.ts';
import { mayBeSignedIn } from '../../bridge/may-sign-in.ts';

/** What `/mcp` can do in the composer. `server` commands take a server's name; `optional` ones mean every server without it, or ask which. */
export const slashCommands = [
  { name: '', says: 'Open the servers', server: 'none' },
  { name: 'setup', says: 'Guided set-up: what is on this machine, known servers', server: 'none' },
  { name: 'tools', says: 'All tools', server: 'none' },
  { name: 'status', says: 'How every server is, with its tools and resources', server: 'none' },
  { name: 'prompts', says: 'Prompts that servers offer', server: 'none' },
  { name: 'reconnect', says: 'Connect anew: one server, or all', server: 'optional' },
  { name: 'disable', says: 'Switch a server off, in this project or for all', server: 'required' },
  { name: 'enable', says: 'Switch a server on again', server: 'required' },
  { name: 'auth', says: 'Sign in to a server in your browser', server: 'optional' },
  { name: 'logout', says: 'Sign out of a server and disconnect it', server: 'required' },
] as const;
export type SlashCommand = (typeof slashCommands)[number];

/** One line of the list above the composer: what choosing it writes, and whether that is a whole command. */
export interface Completion {
  readonly text: string;
  readonly label: string;
  readonly says: string;
  readonly command: SlashCommand;
  readonly serverName?: string;
  /** Enter does it; otherwise Enter writes it and waits for the rest. */
  readonly complete: boolean;
}

/** Whether this is a command and nothing for a model or a search. */
export const isSlashCommand = (text: string): boolean => /^\/(m|mc|mcp(\s.*)?)?$/.test(text);

/** What may be meant, best first; empty when nothing fits. Names of servers may hold spaces: they are compared as a whole. */
export function completionsOf(text: string, servers: readonly ServerRow[]): readonly Completion[] {
  if (!isSlashCommand(text)) return [];
  const [, verb = '', gap = '', rest = ''] = /^\/mcp\s*(\S*)(\s*)(.*)$/.exec(text) ?? [];
  const exact = gap === '' ? undefined : slashCommands.find((command) => command.name === verb && command.server !== 'none');
  if (exact) return serversFor(exact, servers).filter(({ definition }) => startsLike(definition.name, rest)).map((row) => ofServer(exact, row));
  if (gap !== '' && rest !== '') return [];
  return slashCommands
    .filter(({ name }) => name.startsWith(verb))
    .map((command): Completion => ({
      text: `/mcp ${command.name}`.trimEnd() + (command.server === 'none' ? '' : ' '), label: `/mcp ${command.name}`.trimEnd(), says: command.says, command,
      complete: command.server !== 'required',
    }));
}

const startsLike = (name: string, typed: string): boolean => name.toLowerCase().startsWith(typed.trim().toLowerCase());
const ofServer = (command: SlashCommand, { definition: { name } }: ServerRow): Completion => ({
  text: `/mcp ${command.name} ${name}`, label: name, says: command.says, command, serverName: name, complete: true,
});

/** Only those for which it would change something. */
function serversFor({ name }: SlashCommand, servers: readonly ServerRow[]): readonly ServerRow[] {
  const sorted = servers.toSorted((a, b) => a.definition.name.localeCompare(b.definition.name));
  return sorted.filter((row) => {
    if (name === 'enable') return !row.definition.enabled;
    if (name === 'logout') return row.signIn?.login !== undefined;
    return row.definition.enabled && (name !== 'auth' || mayBeSignedIn(row));
  });
}
