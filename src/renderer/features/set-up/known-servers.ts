import type { ServerDraft } from '../../../shared/model/server-definition.ts';
import type { AppState } from '../../../shared/state/app-state.ts';

/** A server that many people use, with what it needs. Nothing of it is contacted before it is added. */
export interface KnownServer {
  readonly name: string;
  readonly means: string;
  /** Command line or address. */
  readonly target: string;
  /** Asks for a sign-in in the browser at its first use. */
  readonly signsIn?: true;
  readonly only?: 'mac';
}

const all: readonly KnownServer[] = [
  { name: 'DeepWiki', means: 'Answers questions about public GitHub repositories.', target: 'https://mcp.deepwiki.com/mcp' },
  { name: 'Context7', means: 'Current documentation of libraries, with examples.', target: 'https://mcp.context7.com/mcp' },
  { name: 'Notion', means: 'Pages and databases of your Notion workspace.', target: 'https://mcp.notion.com/mcp', signsIn: true },
  { name: 'GitHub', means: 'Repositories, issues and pull requests.', target: 'https://api.githubcopilot.com/mcp/', signsIn: true },
  {
    name: 'Chrome DevTools',
    means: 'Drives a Chrome of its own: pages, console, network, performance. Needs Node and Chrome.',
    target: 'npx -y chrome-devtools-mcp@latest',
  },
  {
    name: 'RepoPrompt',
    means: 'The RepoPrompt app on this Mac, which has to be running.',
    target: '${HOME}/RepoPrompt/repoprompt_cli',
    only: 'mac',
  },
];

export const knownServers = (platform: string): readonly KnownServer[] =>
  all.filter(({ only }) => only === undefined || /mac/i.test(platform));

export function draftOf({ name, target, signsIn }: KnownServer): ServerDraft {
  if (target.startsWith('https://')) {
    return { name, transport: { type: 'streamable-http', url: target, headers: {} }, ...(signsIn ? { options: { auth: 'oauth' } } : {}) };
  }
  const [command = '', ...args] = target.split(' ');
  return { name, transport: { type: 'stdio', command, args, env: {} } };
}

const plain = (address: string): string => address.replace(/\/+$/, '').toLowerCase();

/** There is a server of this name, or one that goes to the same place. */
export function isThere(known: KnownServer, servers: AppState['servers']): boolean {
  const { transport } = draftOf(known);
  return Object.values(servers).some(({ definition }) => {
    if (definition.name.toLowerCase() === known.name.toLowerCase()) return true;
    const there = definition.transport;
    if ('url' in there && 'url' in transport) return plain(there.url) === plain(transport.url ?? '');
    return there.type === 'stdio' && transport.type === 'stdio' && [there.command, ...there.args].join(' ') === known.target;
  });
}
