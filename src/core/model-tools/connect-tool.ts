import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { holdsVariable } from '../../shared/model/server-definition.ts';
import { folded } from '../policy/tool-forms.ts';
import { refusalOf, refused, type Refusal } from './action-answer.ts';
import { parsedParams } from './action-params.ts';
import { outcomeOf } from './own-result.ts';
import type { ActionAnswer, OwnTool, OwnToolContext, RunConnections } from './own-tool.ts';
import { preview } from './pages.ts';
import type { ServerLookupDeps } from './server-lookup.ts';

const ConnectParams = z.strictObject({ url: z.string().trim().min(1).max(8192), server_name: z.string().nullish() });
/** H-50. Longer names would leave no room for a tool's own. */
const serverName = /^[A-Za-z0-9_-]{1,64}$/;
/** How many of the new tools are told by name; programs are given all. */
const mostNamed = 50;

/** What is connected, and under which name. */
export interface NewServer {
  readonly name: string;
  /** As it is dialled: the host in ASCII, no fragment. */
  readonly url: string;
}

/**
 * `connect_mcp` (H-50 to H-52): a server for the rest of this run, by its address. A person is asked each time, with the whole address; their yes counts as if they
 * had typed it, so that it may be on this computer. Nothing is looked up or contacted before.
 */
export function connectTool(deps: Pick<ServerLookupDeps, 'view'>): OwnTool {
  return {
    name: 'connect_mcp',
    title: 'Connect to a new server',
    description: 'Connect to an MCP server that is not configured, by its http(s) address, for the rest of this run. The person is asked first. Its tools are then found with mcp_search.',
    inputSchema: {
      type: 'object',
      properties: {
        url: { type: 'string', description: 'address of its MCP endpoint' },
        server_name: { type: 'string', description: 'what to call it: letters, digits, _ and -; by default its host' },
      },
      required: ['url'],
    },
    asksFirst: {
      because: 'A model wants to reach an address that you did not configure; Gatehouse asks each time',
      about(args, { run, caller }) {
        if (!run) return noRun();
        const wanted = newServer(args);
        if (!wanted.ok) return wanted;
        const { name, url } = wanted.server;
        // A yes that leads nowhere is not asked for.
        return deps.view(caller).servers().some((server) => sameName(server.name, name)) ? taken(name) : { ok: true, target: url };
      },
    },
    run: async (args, context, signal) => outcomeOf(await connected(args, context, signal)),
  };
}

async function connected(args: JsonObject, { run, mayUse }: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
  const wanted = newServer(args);
  if (!wanted.ok) return wanted;
  if (!run) return noRun();
  let found: Awaited<ReturnType<RunConnections['connect']>>;
  try {
    found = await run.connect(wanted.server, signal);
  } catch (error) {
    if (error instanceof AppError && error.code === 'server/exists') return taken(wanted.server.name);
    return refusalOf(error, 'connect_failed', signal);
  }
  const usable = found.tools.filter(({ ref: { serverId, tool } }) => mayUse({ serverId, tool }));
  const names = usable.map(({ modelName }) => modelName).toSorted();
  return { ok: true, data: { server_name: found.serverName, tools_registered: names, count: names.length }, text: wordsFor(found.serverName, names, found.tools.length) };
}

function wordsFor(name: string, tools: readonly string[], all: number): string {
  if (tools.length === 0) return `Connected “${name}” until this run ends. ${all === 0 ? 'It has no tools.' : 'This run may use none of its tools.'}`;
  const more = tools.length > mostNamed ? ` and ${tools.length - mostNamed} more` : '';
  return [
    `Connected “${name}” until this run ends. ${tools.length === 1 ? 'Its tool' : `Its ${tools.length} tools`}: ${tools.slice(0, mostNamed).join(', ')}${more}.`,
    'Load what you need with mcp_search, for example select:NAME, or call it through mcp with action call.',
  ].join('\n');
}

/** Alike in the names of their tools. */
const sameName = (one: string, other: string): boolean => folded(one).toLowerCase() === folded(other).toLowerCase();
const taken = (name: string): Refusal => refused('invalid_arguments', `There is a server “${name}” already. Its tools are found with mcp_search; for another server say another server_name.`);
const noRun = (): Refusal => refused('connect_failed', 'connect_mcp works within the run of a chat: what it connects ends with that run, and none is under way here. Servers for longer are added in Gatehouse.');

/** What the arguments ask for, or why that cannot be. Reads nothing but them. */
export function newServer(args: JsonObject): { readonly ok: true; readonly server: NewServer } | Refusal {
  const parsed = parsedParams(ConnectParams, args);
  if (!parsed.ok) return parsed;
  const { url: text, server_name: given } = parsed.value;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return refused('invalid_arguments', 'url: must be an http or https address');
  if (url.username !== '' || url.password !== '') return refused('invalid_arguments', 'url: must hold no user name or password');
  url.hash = '';
  // What is filled in at a launch may be a secret, and would leave with the address. Parsing takes line breaks out, and so may put one together.
  if (holdsVariable(text) || holdsVariable(url.href)) return refused('invalid_arguments', 'url: variables and secrets are not filled in here; give the address as it is');
  const name = given === undefined || given === null || given === '' ? nameOf(url) : given;
  if (!serverName.test(name)) return refused('invalid_arguments', `server_name: letters, digits, _ and - only, 64 at most; “${preview(name, 80)}” is not`);
  return { ok: true, server: { name, url: url.href } };
}

/** The host; what a name cannot hold, dots and the colons of IPv6 among them, becomes `_`. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
