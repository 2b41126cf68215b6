import { Revision } from '../../shared/ids.ts';
import type { TransportConfig } from '../../shared/model/server-definition.ts';
import { hashOf } from '../kernel/hash.ts';

/** Changes when what would be started or contacted changes: command, arguments, folder, names of environment and header values, URL, path. Values never count. */
export function launchRevision(transport: TransportConfig): Revision {
  switch (transport.type) {
    case 'stdio':
      return of({ type: 'stdio', command: transport.command, args: transport.args, cwd: transport.cwd, env: names(transport.env) });
    case 'streamable-http':
    case 'sse':
      return of({ type: transport.type, url: transport.url, headers: names(transport.headers) });
    case 'socket':
      return of({ type: 'socket', path: transport.path });
  }
}
const of = (parts: object) => Revision.parse(hashOf(parts));
const names = (values: Readonly<Record<string, unknown>>) => Object.keys(values).sort();

/** For people: the command line or the address. Values of environment and headers are not in it. */
export function launchTarget(transport: TransportConfig): string {
  switch (transport.type) {
    case 'stdio':
      return commandLine(transport.command, transport.args);
    case 'streamable-http':
    case 'sse':
      return transport.url;
    case 'socket':
      return transport.path;
  }
}

/** With quotes where a part would not be one word otherwise. */
export const commandLine = (command: string, args: readonly string[]): string =>
  [command, ...args].map((part) => (/^[\w@%+=:,./\\~-]+$/.test(part) ? part : JSON.stringify(part))).join(' ');
