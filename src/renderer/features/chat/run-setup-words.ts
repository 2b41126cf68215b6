import type { RunServer, RunSetup } from '../../../shared/model/run-setup.ts';
import { countText } from '../../ui/time.ts';

export const isConnected = ({ tools }: RunServer): boolean => tools !== undefined;

/** What a run brought along, in a line: `2 servers, 14 tools · 1 is not connected`. Empty where it brought no server. */
export function setupFacts(servers: readonly RunServer[]): string {
  if (servers.length === 0) return '';
  const connected = servers.filter(isConnected);
  const missing = servers.length - connected.length;
  const count = countText(servers.length, 'server');
  if (connected.length === 0) return `${count}, ${missing === 1 ? 'not connected' : 'none of them connected'}`;
  const tools = countText(connected.reduce((sum, server) => sum + (server.tools ?? 0), 0), 'tool');
  return `${count}, ${tools}${missing === 0 ? '' : ` · ${missing} ${missing === 1 ? 'is' : 'are'} not connected`}`;
}

/** Who brought it. */
export const setupTitle = ({ profile, servers }: RunSetup): string => (profile !== undefined ? `Profile ${profile}` : servers.length > 0 ? 'For this run' : 'About this run');

/** Problems that are in sight without opening anything, and how many more there are. */
export function problemsInSight(servers: readonly RunServer[], most = 3): { readonly shown: readonly RunServer[]; readonly more: number } {
  const all = servers.filter(({ problem }) => problem !== undefined);
  return { shown: all.slice(0, most), more: Math.max(0, all.length - most) };
}
