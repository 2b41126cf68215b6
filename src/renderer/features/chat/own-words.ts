import { ownToolsId } from '../../../shared/model/own-tools.ts';
import type { ToolCallView } from '../../../shared/model/tool-call.ts';

/** What one of Gatehouse's own tools was asked for, in a sentence that its object ends. */
export interface OwnWords {
  readonly title: string;
  /** A server, a tool, a query, an address: as the model wrote it. */
  readonly about: string;
}

export const isOwn = ({ call }: ToolCallView): boolean => call.ref.serverId === ownToolsId;
export const isSearch = (view: ToolCallView): boolean => isOwn(view) && (view.call.ref.tool === 'mcp_search' || view.call.ref.tool === 'find_tool');

type Args = ToolCallView['call']['args'];
const textOf = (args: Args, name: string): string => (typeof args[name] === 'string' ? args[name].replaceAll(/\s+/g, ' ').trim() : '');

/** The gateway's actions, each with the argument that says of what. */
const actions: Readonly<Record<string, readonly [title: string, about: string]>> = {
  status: ['Asked how the servers are', ''],
  search: ['Looked for tools', 'query'],
  list: ['Listed the tools of', 'server'],
  describe: ['Looked at the tool', 'tool'],
  call: ['Asked for the tool', 'tool'],
  connect: ['Asked to connect', 'server'],
  instructions: ['Asked how to use', 'server'],
  resources: ['Asked for resources of', 'server'],
  'read-resource': ['Read the resource', 'uri'],
  'read-result': ['Read on in a long result', ''],
  'auth-start': ['Asked for a sign-in to', 'server'],
  'auth-complete': ['Asked to end a sign-in to', 'server'],
  'ui-messages': ['Asked for messages of app windows', ''],
};

/** `undefined` for a server's tool. */
export function ownWords(view: ToolCallView): OwnWords | undefined {
  if (!isOwn(view)) return undefined;
  const { ref, args } = view.call;
  switch (ref.tool) {
    case 'mcp': {
      const [title, field] = actions[textOf(args, 'action')] ?? ['MCP gateway', ''];
      return { title, about: textOf(args, field) };
    }
    case 'mcp_search':
    case 'find_tool':
      return searchWords(textOf(args, 'query'), textOf(args, 'server'));
    case 'connect_mcp':
      return { title: 'Asked to connect', about: textOf(args, 'url') };
    case 'mcp_script':
      return { title: 'Script', about: '' };
    case 'list_mcp_resources':
      return { title: 'Asked for resources of', about: textOf(args, 'server') || 'all servers' };
    case 'read_mcp_resource':
      return { title: 'Read the resource', about: textOf(args, 'uri') };
    default:
      return { title: ref.tool, about: '' };
  }
}

/** Why one of them could not do it, in a line of its own words; `undefined` where there is none. */
export function ownTrouble(view: ToolCallView): string | undefined {
  if (!isOwn(view) || view.phase !== 'settled' || view.outcome.kind !== 'tool-error') return undefined;
  const { script, parts } = view.outcome.result;
  if (script?.error) {
    const { code, line, message } = script.error;
    return code === 'timeout' ? 'It took too long' : `Stopped${line === undefined ? '' : ` in line ${line}`}: ${firstLine(message)}`;
  }
  const said = parts.find((part) => part.type === 'text');
  return said ? firstLine(said.text).replace(/ \([a-z_]+\)$/, '') : undefined;
}

/** The server that one of them could not reach for want of a sign-in, by the name that the model gave. */
export function ownSignIn(view: ToolCallView): string | undefined {
  if (!isOwn(view) || view.phase !== 'settled' || view.outcome.kind !== 'tool-error') return undefined;
  const { structured } = view.outcome.result;
  const server = textOf(view.call.args, 'server');
  return server !== '' && structured !== undefined && 'json' in structured && errorCodeOf(structured.json) === 'auth_required' ? server : undefined;
}

function errorCodeOf(json: string): unknown {
  const said: unknown = JSON.parse(json);
  if (typeof said !== 'object' || said === null || !('error' in said)) return undefined;
  const { error } = said;
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

const firstLine = (text: string): string => (text.trim().split('\n')[0] ?? '').slice(0, 300);

function searchWords(query: string, server: string): OwnWords {
  const exact = /^select:(.*)$/.exec(query)?.[1]?.trim();
  if (exact !== undefined) return { title: 'Asked for the tool', about: exact };
  if (query === '') return server === '' ? { title: 'Listed all tools', about: '' } : { title: 'Listed the tools of', about: server };
  return { title: 'Looked for tools', about: server === '' ? query : `${query} · ${server}` };
}
