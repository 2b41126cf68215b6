import { AppError, type ErrorCode } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import { everyTool, mayUse } from '../../shared/model/every-tool.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import type { SignInStatus } from '../../shared/model/sign-in.ts';
import type { Caller, ToolCall } from '../../shared/model/tool-call.ts';
import type { AutoAuth } from '../auth/auto-auth.ts';
import type { SignIns } from '../auth/sign-ins.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogView } from '../catalog/joined-catalog.ts';
import type { ConnectionPool } from '../connections/pool.ts';
import { keeperOf } from '../contents/keeper.ts';
import type { OutputCaps } from '../guard/output-caps.ts';
import { guardResult } from '../guard/results.ts';
import { deadline } from '../kernel/deadline.ts';
import type { OwnToolContext } from '../model-tools/own-tool.ts';
import { OwnTools } from '../model-tools/own-tools.ts';
import type { Models, Ports } from '../ports.ts';
import type { ProfileStore } from '../profiles/profile-store.ts';
import type { PolicyFacts } from '../policy/decide.ts';
import { scriptGuide } from '../script/script-guide.ts';
import { scriptTool } from '../script/script-tool.ts';
import type { CatalogIndex } from '../search/catalog-index.ts';
import type { ServerStore } from '../servers/server-store.ts';
import type { SettingsStore } from '../settings/settings-store.ts';
import type { Skills } from '../skills/skills.ts';
import type { ToolCalls } from '../tool-calls/tool-calls.ts';
import { Chats, type ChatsDeps } from './chats.ts';
import { CostMeter } from './cost-meter.ts';
import type { OfferSource } from './offered-tools.ts';
import { connectSource, openRun } from './open-run.ts';
import type { RunScope } from './run-scope.ts';
import type { RunScopes } from './run-scopes.ts';
import type { Providers } from './providers.ts';

export interface CreateChatsDeps extends Pick<ChatsDeps, 'onSummary' | 'onRemoved'> {
  readonly ports: Ports;
  readonly models: Models;
  readonly settings: SettingsStore;
  readonly servers: ServerStore;
  readonly profiles: ProfileStore;
  readonly runs: RunScopes;
  readonly project: () => string | undefined;
  readonly catalog: Catalog;
  readonly search: CatalogIndex;
  /** Resolves when the catalog knows what was remembered. */
  readonly remembered: () => Promise<void>;
  readonly pool: ConnectionPool;
  readonly signIns: SignIns;
  readonly signIn: (serverId: ServerId) => SignInStatus | undefined;
  readonly autoAuth: AutoAuth;
  readonly toolCalls: ToolCalls;
  /** A resource as the gate sees it, whoever asks. */
  readonly readable: (serverId: ServerId, uri: string, caller: Caller) => CatalogTool | undefined;
  readonly skills: Skills;
  readonly providers: Providers;
  readonly mask: (text: string) => string;
  readonly caps: () => OutputCaps;
}
export interface ModelSide {
  readonly chats: Chats;
  readonly ownTools: OwnTools;
  readonly costs: CostMeter;
}

/** Chats, and all that a model in them is given. */
export function createChats(deps: CreateChatsDeps): ModelSide {
  const { ports, settings, servers, runs, catalog, search, pool, toolCalls, providers, models, autoAuth } = deps;
  const { clock, newId, log, contents } = ports;
  const isOn = (id: ServerId) => servers.get(id)?.enabled === true;
  const costs = new CostMeter({ tokens: ports.tokens, log, everyTool: () => catalog.all().filter(({ ref }) => isOn(ref.serverId)) });
  const ownTools = new OwnTools({
    clock, newId, contents,
    view: (caller) => runs.view(caller),
    origin: (id) => runs.catalogOf(id).origin(id),
    readable: contents,
    ownResources: () => (settings.current.scriptGuide && settings.current.scriptMode ? [scriptGuide] : []),
    connection: (id) => pool.state(id),
    find: (query, options) => search.find(query, options),
    connect: (id, invocation, signal) => autoAuth.run(id, invocation, () => pool.look(id, { anew: false }, signal), signal),
    listed: (id, signal) => pool.listed(id, signal),
    refresh: (id, invocation, signal) => autoAuth.run(id, invocation, () => pool.look(id, { anew: true }, signal), signal),
    signIns: deps.signIns,
    signIn: deps.signIn,
    signsInFirst: (id) => autoAuth.wouldAsk(id),
    onResume: (callId) => autoAuth.leaveAlone(callId),
    execute: (call, recorder, signal) => toolCalls.execute(call, recorder, signal),
    executeAsked: (call, asked, recorder, signal) => toolCalls.executeAsked(call, asked, recorder, signal),
    verdict: (call) => toolCalls.verdict(call).kind,
    resourceTool: deps.readable,
    skills: deps.skills,
    script: (actions) => scriptTool({ clock, contents, sandbox: ports.scripts, sealed: ports.sealed, timeoutMs: () => settings.current.scriptTimeoutMs, guarded: (text, caller, signal) => guardText(deps, text, caller, signal) }, actions),
  });
  const offers: OfferSource = {
    own: () => ownTools.atStart.filter(({ modelName }) => modelName !== 'mcp_script' || settings.current.scriptMode),
    ownTool: (name) => ownTools.tool(name),
    askedFor: (allow) => ownTools.askedFor(allow),
    pinned: () => catalog.pinned().filter(({ ref }) => isOn(ref.serverId)),
    tool: (serverId, name) => {
      const tool = isOn(serverId) ? catalog.tool(serverId, name) : runs.owns(serverId) ? runs.catalogOf(serverId).tool(serverId, name) : undefined;
      return tool?.hidden === undefined && tool?.problem === undefined ? tool : undefined;
    },
    gatewayHidden: () => settings.current.disableProxyTool,
  };
  const chats: Chats = new Chats({
    clock, newId, log, contents, documents: ports.documents, transcripts: ports.transcripts,
    onSummary: deps.onSummary, onRemoved: deps.onRemoved,
    chat: {
      newId, log, models, offers, ownTools,
      stepLimit: () => settings.current.stepLimit,
      defaultModel: () => settings.current.model,
      serverName: (ref) => (servers.get(ref.serverId) ?? runs.definition(ref.serverId))?.name ?? '',
      openRun: (ids, wanted, signal) => openRun(ids, wanted, { ...deps, log, environment: ports.host.environmentRun, providers: () => providers.all() }, signal),
      runAllows: (chatId, tool) => runs.ofChat(chatId)?.allows(tool) ?? true,
      provider: (choice, signal) => providers.open(choice.providerId, signal),
      prepare: async (asked, signal) => {
        servers.applyPending();
        await deps.remembered();
        await Promise.all([reachRequired(servers.all(), pool, signal), discover(deps, asked, signal)]);
      },
      notOffered: (chatId, name) => notOffered(runs.view({ kind: 'chat', chatId }).catalog, name),
      runConnections: (chatId) => connectionsOf(runs.ofChat(chatId)),
      noLoading: () => (noDirectTools(ports.host.directTools) ? 'MCP_DIRECT_TOOLS switches typed tools off' : undefined),
      cost: (kind, sent, signal) => costs.request(kind, sent, signal),
      readImage: async (ref, signal) => (await contents.read(ref.id, 0, ref.bytes, signal)).bytes,
      execute: (call, recorder, signal) => toolCalls.execute(call, recorder, signal),
      onRest: () => void (chats.busy().runs === 0 && servers.applyPending()),
    },
  });
  return { chats, ownTools, costs };
}

/** What a script puts out is held to the limits of any result. */
const guardText = ({ ports: { contents }, mask, caps }: CreateChatsDeps, text: string, caller: Caller, signal: AbortSignal): Promise<ToolResult> =>
  guardResult({ content: [{ type: 'text', text }] }, { mask, caps: caps(), keep: (source, mimeType) => contents.put(keeperOf(caller), source, mimeType, signal) });

/** Whether the person keeps this tool from the chat that calls it, or its run does. */
export function keptBy(chats: Chats, runs: RunScopes, { caller, ref }: ToolCall): PolicyFacts['keptBy'] {
  const tools = caller.kind === 'chat' || caller.kind === 'direct' ? chats.toolsOf(caller.chatId) : everyTool;
  if (!mayUse(tools, { serverId: ref.serverId, tool: ref.tool })) return 'chat';
  return runs.of(caller)?.allows(ref) === false ? 'run' : undefined;
}

/** How long a run waits for servers whose pinned tools nobody has seen yet. Milliseconds. */
const discoverMs = 8_000;

/** What a person pinned, or a run's list asks for, is there from the first message on (F-42, F-207). One that is late, or does not come, keeps no run waiting. */
async function discover({ servers, catalog, pool }: CreateChatsDeps, asked: readonly ServerId[], signal: AbortSignal): Promise<void> {
  const unknown = servers.all().filter(({ id, enabled }) => enabled && (catalog.needsDiscovery(id) || (asked.includes(id) && !catalog.knows(id))));
  if (unknown.length === 0) return;
  using limit = deadline(discoverMs, signal);
  await pool.wake(unknown.map(({ id }) => id), limit.signal).catch(() => signal.throwIfAborted());
}

/** U-67: without these a run does not begin. Its reason is a word, for the server's own row tells the rest (U-69). */
async function reachRequired(servers: readonly ServerDefinition[], pool: ConnectionPool, signal: AbortSignal): Promise<void> {
  const required = servers.filter(({ enabled, options }) => enabled && options.required === true);
  await Promise.all(
    required.map(async ({ id, name }) => {
      try {
        await pool.look(id, { anew: false }, signal);
      } catch (error) {
        signal.throwIfAborted();
        const { code } = AppError.from(error);
        throw new AppError(code, `The server “${name}” is required and is not there (${categoryOf(code)})`);
      }
    }),
  );
}

function categoryOf(code: ErrorCode): 'secret-materialization' | 'connect' | 'aborted' {
  if (/^(secret|vault|variable)\//.test(code) || code === 'user/needed') return 'secret-materialization';
  return code === 'run/cancelled' ? 'aborted' : 'connect';
}

/** F-99: the name may well be right; what is not loaded is not called by guessing it. */
function notOffered(catalog: Pick<CatalogView, 'resolve'>, name: string): string {
  const resolved = catalog.resolve(name);
  if (resolved.kind !== 'found') return `There is no tool named “${name}”. Look for one with mcp_search.`;
  const { modelName } = resolved.tool;
  return `“${name}” is not among your tools yet. Load it with mcp_search, query "select:${modelName}", and call it in your next message; or use mcp with action "call" and tool "${modelName}".`;
}

const connectionsOf = (scope: RunScope | undefined): OwnToolContext['run'] =>
  scope && { connect: ({ name, url }, signal) => scope.connect({ name, fields: { url }, source: connectSource(url), offered: false }, signal) };

/** F-103. */
const noDirectTools = (variable: string | undefined): boolean => (variable ?? '').split(',').some((item) => item.trim() === '__none__');
