import { Client, type ClientCapabilities, type VersionNegotiationOptions } from '@modelcontextprotocol/client';
import type { ServerId } from '../../shared/ids.ts';
import type { ServerLogLine } from '../../shared/model/connection-state.ts';
import type { ProcessEnd, StdioTransport } from '../ports.ts';
import { answerElicitation, elicitationCapability } from './answer-elicitation.ts';
import { HttpWire, SseWire } from './http-wire.ts';
import { Link, type ListKind } from './link.ts';
import { boundedLog } from './log-budget.ts';
import { skillsExtension } from './skills-extension.ts';
import type { ProcessAhead } from './process-ahead.ts';
import type { LinkDeps, ReadyLaunch } from './session.ts';
import { Wire } from './wire.ts';
import { aborted, unless } from '../kernel/aborted.ts';
import { deadline } from '../kernel/deadline.ts';

export interface Handshake {
  readonly launch: ReadyLaunch;
  /** Over stdio: the process that was started ahead, for the first who takes it. */
  readonly ahead?: ProcessAhead;
  readonly serverId: ServerId;
  readonly deps: LinkDeps;
  readonly log: (line: Omit<ServerLogLine, 'at'>) => void;
  /** For the whole handshake; the signal ends with it. Milliseconds. */
  readonly limitMs: number;
}
export interface Offer {
  readonly negotiation: VersionNegotiationOptions;
  /** Offered to `initialize` in this order; the SDK's own list when absent. */
  readonly versions?: readonly string[];
  /** Use HTTP+SSE although Streamable HTTP was configured. */
  readonly overSse?: boolean;
}

/** A connect that failed, with what its process left behind. */
export class ConnectFailed extends Error {
  override readonly name = 'ConnectFailed';
  /** Set when the process ended by itself. */
  readonly ended: ProcessEnd | undefined;
  readonly stderr: string | undefined;
  /** What it wrote in place of MCP. */
  readonly saidInstead: string | undefined;
  /** It got as far as `initialize`, so the server is taken for one of the old era. */
  readonly atInitialize: boolean;

  constructor(cause: unknown, ended: ProcessEnd | undefined, process: StdioTransport | undefined, atInitialize: boolean) {
    super('The connect failed', { cause });
    this.ended = ended;
    this.stderr = process?.ended?.stderr;
    this.saidInstead = process?.saidInstead;
    this.atInitialize = atInitialize;
  }
}

/** The exit of a process may be seen a moment after its pipe broke. Milliseconds. */
const exitMs = 300;

/** One transport, one client, one handshake. Throws ConnectFailed, with everything closed. */
export async function connectOnce(handshake: Handshake, offer: Offer, signal: AbortSignal): Promise<Link> {
  const made: { link?: Link } = {};
  const log = boundedLog(handshake.log, handshake.deps.clock);
  const { wire, over, process } = makeWire(handshake, offer, log, () => made.link);
  const { roots, elicitation: questions } = handshake.deps.serverRequests ?? {};
  const elicitation = questions?.isOn() === true ? questions : undefined;
  const capabilities: ClientCapabilities = { extensions: { [skillsExtension]: {} }, ...(roots ? { roots: {} } : {}), ...(elicitation ? { elicitation: elicitationCapability } : {}) };
  const client = new Client(handshake.deps.clientInfo, {
    capabilities,
    versionNegotiation: offer.negotiation,
    ...(offer.versions ? { supportedProtocolVersions: [...offer.versions] } : {}),
    // Answers are judged elsewhere; this one would throw them away.
    // No tool is listed through the client, so this never runs and its cast never counts.
    jsonSchemaValidator: { getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }) },
  });
  const link = (made.link = new Link(client, wire, over, process, handshake.launch.type === 'stdio' ? handshake.launch.launch.package : undefined));
  const ended = new AbortController();
  listen(client, link, handshake, log);
  if (elicitation) answerElicitation(client, link, handshake.serverId, elicitation);
  if (roots)
    client.setRequestHandler('roots/list', async (_request, context) => ({
      roots: [...(await roots(handshake.serverId, context.mcpReq.signal))],
    }));
  client.onclose = () => {
    ended.abort();
    link.down(wire.lastError);
  };
  try {
    await unless(signal, client.connect(wire, { timeout: handshake.limitMs, signal }));
    return link;
  } catch (error) {
    if (process && !process.ended && !signal.aborted) {
      using wait = deadline(exitMs, signal);
      await Promise.race([aborted(ended.signal), aborted(wait.signal)]);
    }
    const end = process?.ended;
    await link
      .close({ keepSession: true })
      .catch((closing: unknown) => handshake.deps.log.error('A connection could not be closed', closing));
    throw new ConnectFailed(error, end, process, wire.sentInitialize);
  }
}

interface MadeWire {
  readonly wire: Wire;
  readonly over: Link['over'];
  readonly process?: StdioTransport;
}

/** What a process writes comes bounded already; `log` is for what comes by protocol. */
function makeWire({ launch, ahead, serverId, deps, log: writes }: Handshake, offer: Offer, log: Handshake['log'], link: () => Link | undefined): MadeWire {
  const note = (text: string): void => log({ from: 'gatehouse', level: 'warning', text });
  const hooks = (over: Link['over']) => ({ onStray: note, tap: deps.tap?.(serverId, over) });
  switch (launch.type) {
    case 'stdio': {
      const process = ahead?.take() ?? deps.transports.stdio(launch.launch, { log: writes });
      return { wire: new Wire(process, hooks('stdio')), over: 'stdio', process };
    }
    case 'socket':
      return { wire: new Wire(deps.transports.socket(launch.path, { log: writes }), hooks('socket')), over: 'socket' };
    case 'sse':
      return { wire: new SseWire(launch, deps.transports.fetch, hooks('sse')), over: 'sse' };
    case 'streamable-http': {
      if (offer.overSse === true) return { wire: new SseWire(launch, deps.transports.fetch, hooks('sse')), over: 'sse' };
      const wire = new HttpWire(launch, deps.transports.fetch, deps.clock, {
        ...hooks('http'),
        onNote: note,
        onRefused: (error) => link()?.down(error),
        onSessionLost: () => link()?.sessionLost(),
        onReopened: () => link()?.allListsChanged(),
      });
      return { wire, over: 'http' };
    }
  }
}

const changes: Readonly<Record<string, ListKind>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/resources/list_changed': 'resources',
  'notifications/prompts/list_changed': 'prompts',
};

/** So many of one link's errors go to the developers' log. */
const reportedErrors = 20;

function listen(client: Client, link: Link, { deps, serverId }: Handshake, log: Handshake['log']): void {
  let reported = 0;
  client.onerror = (error) => {
    reported += 1;
    if (reported <= reportedErrors) deps.log.info('A connection reported an error', { message: deps.mask(error.message).slice(0, 300) });
  };
  // The fallback takes a notification as it is: one that is slightly wrong still counts.
  client.fallbackNotificationHandler = async (notification) => {
    const kind = changes[notification.method];
    if (kind) link.listChanged(kind);
    const uri = notification.params?.['uri'];
    if (notification.method === 'notifications/resources/updated' && typeof uri === 'string') link.resourceChanged(uri);
    const elicitationId = notification.params?.['elicitationId'];
    if (notification.method === 'notifications/elicitation/complete' && typeof elicitationId === 'string') deps.serverRequests?.elicitation?.completed(serverId, elicitationId);
    if (notification.method === 'notifications/message') log(asLogLine(notification.params ?? {}));
  };
}

function asLogLine(params: Readonly<Record<string, unknown>>): Omit<ServerLogLine, 'at'> {
  const { level, data, logger } = params;
  const words = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return {
    from: 'server',
    level: levels[typeof level === 'string' ? level : 'info'] ?? 'error',
    text: typeof logger === 'string' ? `${logger}: ${words}` : words,
  };
}
/** The levels of syslog that are not here are errors. */
const levels: Readonly<Record<string, ServerLogLine['level']>> = { debug: 'debug', info: 'info', notice: 'info', warning: 'warning' };
