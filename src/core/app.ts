import { createDispatch } from './api/dispatch.ts';
import { createHandlers } from './api/handlers.ts';
import type { Parts } from './api/parts.ts';
import { ApprovalDesk } from './approvals/approval-desk.ts';
import { Grants } from './approvals/grants.ts';
import { authRequiredWords } from './auth/auth-required-words.ts';
import { AutoAuth, autoAuthOf } from './auth/auto-auth.ts';
import { Catalog } from './catalog/catalog.ts';
import { CatalogCache } from './catalog/catalog-cache.ts';
import { sameServer } from './catalog/catalog-identity.ts';
import { catalogRules } from './catalog/catalog-rules.ts';
import { readDirectTools } from './catalog/direct-tools-variable.ts';
import { loadEraCache } from './connections/era-cache.ts';
import type { SignInTarget } from './auth/sign-in-target.ts';
import type { SignIns } from './auth/sign-ins.ts';
import { createSignIns } from './connections/create-sign-ins.ts';
import { bothTaps } from './connections/message-tap.ts';
import { ConnectionPool } from './connections/pool.ts';
import { followResource } from './connections/follow-resource.ts';
import { ProbeTargets } from './connections/probe-targets.ts';
import { Prober } from './connections/probe.ts';
import { resolveLaunch } from './connections/resolve-launch.ts';
import { ElicitationDesk } from './dialogue/elicitation-desk.ts';
import { Exchange } from './exchange/exchange.ts';
import { tidyDaily } from './contents/tidy-contents.ts';
import { outputCaps } from './guard/output-caps.ts';
import { Inspector } from './inspector/inspector.ts';
import { Tracer } from './inspector/tracer.ts';
import { Lifetime } from './kernel/lifetime.ts';
import type { FileWatch, Ports } from './ports.ts';
import { Prompts } from './prompts/prompts.ts';
import { ProfileStore } from './profiles/profile-store.ts';
import { createChats, keptBy, type ModelSide } from './runs/create-chats.ts';
import { RunScopes } from './runs/run-scopes.ts';
import { maskedModels } from './runs/masked-models.ts';
import { Providers } from './runs/providers.ts';
import { CatalogIndex } from './search/catalog-index.ts';
import { openingVault } from './secrets/opening-vault.ts';
import { SecretBook } from './secrets/secret-book.ts';
import { SecretDesk } from './secrets/secret-desk.ts';
import type { Redactor } from './secrets/redactor.ts';
import { joinApproveTools } from './policy/join-approve-tools.ts';
import { launchTarget } from './servers/launch-revision.ts';
import { namedUses } from './servers/secret-uses.ts';
import { renameReferences, storeDrafted } from './servers/store-secrets.ts';
import { ServerStore } from './servers/server-store.ts';
import { TrustStore } from './servers/trust-store.ts';
import { whichBuiltIn } from './servers/which-built-in.ts';
import { settingsOfFiles } from './servers/settings-of-files.ts';
import { SettingsStore } from './settings/settings-store.ts';
import { Skills } from './skills/skills.ts';
import { createProblems } from './state/file-problems.ts';
import { TopicStore } from './state/topic-store.ts';
import { askingCall } from './tool-calls/asking-call.ts';
import { invokeTool } from './tool-calls/invoke-tool.ts';
import { resourceTool } from './tool-calls/read-resource.ts';
import { ToolCalls } from './tool-calls/tool-calls.ts';
import { contract } from '../shared/ipc/contract.ts';
import type { Reply, RequestContext } from '../shared/ipc/define.ts';
import { AppError } from '../shared/errors.ts';
import { ChatId, type ServerId } from '../shared/ids.ts';
import type { ConnectionState } from '../shared/model/connection-state.ts';
import type { ServerDefinition } from '../shared/model/server-definition.ts';
import type { Caller, ToolCall } from '../shared/model/tool-call.ts';
import { rulesOf } from '../shared/model/server-rules.ts';
import { Settings } from '../shared/model/settings.ts';
import { emptyAppState, reduceApp, type AppState, type StateAction } from '../shared/state/app-state.ts';
import type { Envelope, Snapshot } from '../shared/state/follower.ts';
import { reduceLog, type LogAction, type LogState } from '../shared/state/topics.ts';

export interface AppOptions {
  readonly version: string;
  /** Where the app runs, for the About page. */
  readonly environment: { readonly home: string; readonly platform: string; readonly electron: string; readonly chrome: string; readonly node: string };
  /** Takes secret values out of text; shared with the log, which is older than the app. */
  readonly redactor: Redactor;
  /** In place of the home's mcp.json (F-20). */
  readonly configPath?: string;
  /** There is a window, and a person at it: servers may ask them something. A terminal has no form for it. */
  readonly hasWindow?: boolean;
  /** In place of the project that the settings name; never saved. */
  readonly project?: string;
}
/** The whole product behind its doors. */
export interface App {
  readonly state: TopicStore<AppState, StateAction>;
  /** Answers to every route of the contract; never rejects. */
  dispatch(route: string, input: unknown, context: RequestContext): Promise<Reply<unknown>>;
  /** The topic's state now, and its actions from now on. Throws `request/unknown-route`, `chat/not-found` or `server/not-found`. */
  follow(topic: string, listener: (envelope: Envelope<unknown>) => void, signal: AbortSignal): Promise<Snapshot<unknown> & Disposable>;
  /** Whoever waited for the app has it: servers that run from the start begin to connect, in the background (F-39). Without it they start when they are used. */
  begin(): void;
  /** What runs right now: for the question before quitting. */
  busy(): { readonly runs: number; readonly calls: number; readonly approvals: number };
  /** Stops runs, settles what is open, ends every connection. Safe to call twice. */
  close(): Promise<void>;
}

/** Opens a home: reads what the person configured, settles what an earlier process left open, and starts nothing that is not used. */
export async function createApp(ports: Ports, options: AppOptions): Promise<App> {
  const { clock, newId, log, documents, contents } = ports;
  const vault = openingVault(ports.vault);
  const { redactor } = options;
  const lifetime = new Lifetime();
  const state = new TopicStore<AppState, StateAction>(emptyAppState(Settings.parse({})), reduceApp);
  const logs = new Map<ServerId, TopicStore<LogState, LogAction>>();
  const problems = createProblems(state);
  const mask = (text: string) => redactor.mask(text);
  const models = maskedModels(ports.models, mask);
  const inBackground = (work: (signal: AbortSignal) => Promise<unknown>) => {
    if (!lifetime.signal.aborted) lifetime.run(work, (error) => log.error('Work in the background failed', error));
  };

  const settings = new SettingsStore({
    documents, vault, newId,
    onChange: (next, origins) => {
      const moved = next.project !== state.current.settings.project;
      state.apply({ type: 'settings/set', settings: next, origins });
      servers.all().forEach(rule);
      if (moved) inBackground(changeProject);
    },
  });
  const project = () => options.project ?? settings.current.project;
  /** Files serves one folder: another project is another launch. And it has files of its own that say what servers there are. */
  const changeProject = async (signal: AbortSignal) => {
    const files = servers.all().find((definition) => whichBuiltIn(definition) === 'files');
    if (files?.enabled) {
      await pool.stop(files.id, 'asleep', signal);
      catalog.forget(files.id);
      const row = state.current.servers[files.id];
      if (row) state.apply({ type: 'server/put', row: { definition: files, connection: shown(files, pool.state(files.id), project()), warnings: [], provenance: row.provenance } });
    }
    watch();
    await servers.load(signal);
  };
  let watching: FileWatch | undefined;
  const watch = () => {
    watching?.[Symbol.dispose]();
    watching = ports.configFiles.watch(servers.watched(), () => inBackground((signal) => servers.load(signal)));
  };
  const directTools = readDirectTools(ports.host.directTools);
  const catalog = new Catalog({
    mask, now: () => clock.now(), pinsFrozen: () => settings.current.freezeDirectTools, pinsFixed: directTools !== undefined,
    onChange: (serverId, counts, origin, warnings) => state.apply({ type: 'server/catalog', serverId, counts, catalog: origin, warnings }),
  });
  const cache = new CatalogCache({ documents, clock, log, mask, catalog, definitions: () => servers.all(), inBackground });
  /** What a server's options, the settings and the environment say of its part of the catalog. */
  const rule = (definition: ServerDefinition) => catalog.define(definition.id, definition.name, catalogRules(definition, settings.current, directTools));
  const search = new CatalogIndex({ all: () => runs.all() });
  const book: SecretBook = new SecretBook({
    vault, documents, clock, log, redactor, project,
    defaultPolicy: () => settings.current.secretPolicy,
    uses: () => namedUses(servers.current.read, (name) => servers.all().find((definition) => definition.name === name)?.id),
    renameReferences: (scope, from, to, signal) => renameReferences(servers, scope, from, to, signal),
    onChange: () => state.apply({ type: 'config/read' }),
  });
  const secretDesk = new SecretDesk({ book, newId, interaction: ports.interaction, onQuestions: (questions) => state.apply({ type: 'secret-questions/set', questions }) });
  const { builtInServers, host, configFiles, secretCommands } = ports;
  const launching = { builtInServers, host, configFiles, secretCommands, secrets: secretDesk, redactor, project, httpAuth: (target: SignInTarget) => signIns.httpAuth(target) };
  const elicitations = new ElicitationDesk({
    clock, newId, mask, schemas: ports.schemas, browser: ports.browser, canAsk: () => options.hasWindow === true && ports.interaction === 'person' && settings.current.elicitation !== false,
    serverName: (id) => defined(id)?.name ?? '',
    onChange: (all) => state.apply({ type: 'elicitations/set', elicitations: all }),
  });
  const inspector = lifetime.own(new Inspector({ now: () => clock.now(), mask }));
  const tracer = lifetime.own(new Tracer({
    now: () => clock.now(), mask, files: ports.traces, setting: () => settings.current.trace,
    server: (id) => {
      const definition = defined(id);
      return definition && { name: definition.name, trace: definition.options.trace };
    },
  }));
  const pool = new ConnectionPool({
    clock, log, needsDiscovery: (id) => catalog.needsDiscovery(id), packages: ports.packages, transports: ports.transports, network: ports.network, mask,
    clientInfo: { name: 'Gatehouse', version: options.version },
    rules: (definition) => rulesOf(definition, servers.provenanceOf(definition.id) ?? runs.provenance(definition.id), settings.current),
    resolveLaunch: (definition, progress, signal) => resolveLaunch(definition, { ...launching, material }, progress, signal),
    serverRequests: { elicitation: elicitations },
    eraCache: await loadEraCache(ports, lifetime.signal),
    onState: (serverId, connection) => {
      if (connection.phase === 'stopped') secretDesk.ended(serverId);
      if (connection.phase !== 'ready' && connection.phase !== 'reconnecting') elicitations.connectionEnded(serverId);
      if (connection.phase !== 'ready' && connection.phase !== 'reconnecting') runs.catalogOf(serverId).asleep(serverId);
      if (!runs.owns(serverId)) state.apply({ type: 'server/connection', serverId, connection: shown(servers.get(serverId), connection, project()) });
    },
    tap: (serverId, over) => bothTaps(inspector.tap(serverId, over), tracer.tap(serverId, over)),
    onLog: (serverId, line) => logOf(logs, serverId).apply({ type: 'lines', lines: [line] }),
    onListing: (serverId, listing) => {
      runs.catalogOf(serverId).set(serverId, listing);
      const definition = servers.get(serverId);
      if (definition) cache.note(definition, listing);
    },
  });
  /** Servers that exist in one run only are not in the person's list: a server's id is looked up in both. */
  const defined = (id: ServerId) => servers.get(id) ?? runs.definition(id);
  const material = (id: ServerId) => servers.launchOf(id) ?? runs.material(id);
  const loginIdOf = (id: ServerId) => runs.definition(id)?.kin ?? id;
  const forgetMessages = (id: ServerId) => {
    logs.delete(id);
    inspector.forget(id);
  };
  const runs: RunScopes = new RunScopes({
    log, mask, pool, catalog, now: () => clock.now(), servers: () => servers.all(), forget: forgetMessages, onEnded: (loginId, ends) => (ends ? inBackground((signal) => signIns.remove(loginId, signal)) : signIns.publish(loginId)),
    rules: (definition) => catalogRules(definition, { toolPrefix: settings.current.toolPrefix, directTools: false }, undefined),
  });
  const signIns: SignIns = lifetime.own(createSignIns({
    clock, newId, log, documents, vault, redactor, fetch: ports.signInFetch, listeners: ports.signInListeners, browser: ports.browser, locks: ports.locks,
    callbackPort: () => host.signInPort, documentUrl: () => settings.current.clientMetadataUrl,
    filling: launching, definition: (id) => servers.get(id) ?? runs.ofLogin(id), present: (id) => [...servers.all().filter((one) => one.id === id), ...runs.presentOf(id)], material, pool: () => pool,
    onStatus: (serverId, status) => state.apply(servers.get(serverId) ? { type: 'server/sign-in', serverId, signIn: status } : { type: 'run-sign-in/set', loginId: serverId, signIn: status }),
  }));
  const trust = new TrustStore({ documents, clock });
  const profiles: ProfileStore = new ProfileStore({
    configFiles, log, project, gatehouseHome: host.gatehouseHome,
    projectIsTrusted: () => servers.projectIsTrusted,
    lookAgain: (signal) => servers.load(signal),
    writeToProject: (path, write, signal) => servers.writeToProject(path, write, signal),
  });
  const servers: ServerStore = new ServerStore({
    configFiles: ports.configFiles, host: ports.host, trust, project,
    ...(options.configPath === undefined ? {} : { configPath: options.configPath }),
    reading: (read) => watching?.reading(read) ?? read(),
    alsoOfProject: (folder, signal) => profiles.ofProject(folder, signal),
    running: (): boolean => chats.busy().runs > 0,
    storeSecrets: (secrets, scope, signal) => storeDrafted(book, secrets, scope, signal),
    onMoved: async (from, to, signal) => {
      if (to !== undefined) await signIns.move(from, to, signal);
      else if (!servers.get(from)) await signIns.remove(from, signal);
    },
    onTrustRenewed: (from, to, signal) => book.renewGrants(from, to, signal),
    onProblems: problems.of('servers'),
    onTrust: (status) => state.apply({ type: 'trust/set', trust: status }),
    onRead: () => {
      settings.hearFiles(settingsOfFiles(servers.current.read));
      state.apply({ type: 'config/read' });
    },
    onChange: ({ put, removed }) => {
      for (const serverId of removed) {
        inBackground((signal) => pool.forget(serverId, signal));
        catalog.remove(serverId);
        skills.forget(serverId);
        forgetMessages(serverId);
        state.apply({ type: 'server/removed', serverId });
      }
      for (const { definition, provenance, pending, relaunch } of put) {
        const old = state.current.servers[definition.id];
        const sameRevision = old?.definition.revision === definition.revision;
        const known = old && sameServer(old.definition, definition);
        if (!known) catalog.forget(definition.id);
        if (!known) skills.forget(definition.id);
        pool.define(definition);
        const { pending: _pending, counts, catalog: seen, warnings = [], ...kept } = old ?? {};
        const listed = known ? { warnings, ...(counts && seen ? { counts, catalog: seen } : {}) } : { warnings: [] };
        state.apply({ type: 'server/put', row: { ...kept, ...listed, definition, provenance, connection: shown(definition, pool.state(definition.id), project()), ...(pending ? { pending } : {}) } });
        rule(definition);
        if (!old) signIns.publish(definition.id);
        if (old && known) cache.refilter(old.definition, definition);
        // A value is not in the revision: what is up with the old one comes up again with the new.
        if (relaunch && sameRevision && definition.enabled && pool.state(definition.id).phase !== 'stopped') inBackground((signal) => pool.restart(definition.id, signal));
      }
      cache.serversChanged();
    },
  });
  const approvals = new ApprovalDesk({
    interaction: ports.interaction,
    onAsked: (approval) => state.apply({ type: 'approval/asked', approval }),
    onClosed: (approvalId) => state.apply({ type: 'approval/closed', approvalId }),
  });
  const grants = new Grants({ clock, newId, documents, onChange: (all) => state.apply({ type: 'grants/set', grants: all }) });
  const caps = () => outputCaps(settings.current.outputGuard, host.outputGuard);
  const skills = new Skills({ catalog, pool, mask, now: () => clock.now() });
  const invokeOnce = invokeTool({ pool, contents, skills, schemas: ports.schemas, mask, caps });
  const invoke: typeof invokeOnce = (call, ...rest) => elicitations.showingPages({ serverId: call.ref.serverId, calls: [askingCall(call)] }, () => invokeOnce(call, ...rest));
  const signIn = (id: ServerId) => signIns.status(loginIdOf(id));
  const autoAuth = new AutoAuth({
    signIns: { start: (id, ...rest) => signIns.start(loginIdOf(id), ...rest), wait: (id, signal) => signIns.wait(loginIdOf(id), signal), cancel: (id) => signIns.cancel(loginIdOf(id)) },
    browser: ports.browser, interaction: ports.interaction, status: signIn,
    // A model that was led astray must not bring a person to a page of its choice.
    isOn: (id) => !runs.isByModel(id) && autoAuthOf(defined(id), material(id)?.origins.autoAuth?.scope, settings.current),
    words: (id, error) => authRequiredWords(error, { server: defined(id)?.name ?? '', template: settings.current.authRequiredMessage, canSignIn: signIn(id) !== undefined }),
  });
  const toolCalls = new ToolCalls({
    clock, newId, log, schemas: ports.schemas, approvals, grants,
    settings: () => settings.current,
    paused: () => state.current.paused,
    definition: ({ ref: { serverId }, caller }) => servers.get(serverId) ?? runs.of(caller)?.owned(serverId)?.definition,
    // A project's own rules come on top of the person's: they never take the place of them.
    serverApproveTools: ({ id, options: { approveTools } }) =>
      material(id)?.origins.approveTools?.scope === 'project' ? joinApproveTools(settings.current.approveTools, approveTools) : approveTools,
    target: (definition) => (definition.owner === 'built-in' ? 'Comes with Gatehouse' : mask(launchTarget(definition.transport))),
    packageOf: ({ transport }) => {
      const known = transport.type === 'stdio' ? ports.packages.known(transport.command, transport.args) : undefined;
      return known && `${known.name} ${known.version}`;
    },
    tool: ({ ref, resource, caller }) => (resource === undefined ? runs.catalogOf(ref.serverId).tool(ref.serverId, ref.tool) : readable(ref.serverId, resource, caller)),
    keptBy: (call): ReturnType<typeof keptBy> => keptBy(chats, runs, call),
    lookAgain: async (call, signal) => {
      const { serverId } = call.ref;
      if (runs.catalogOf(serverId).origin(serverId)?.from !== 'live') await autoAuth.run(serverId, outermost(call), () => pool.look(serverId, { anew: false }, signal), signal);
    },
    invoke: (call, tool, onProgress, signal) => autoAuth.run(call.ref.serverId, outermost(call), () => invoke(call, tool, onProgress, signal), signal),
  });
  /** What a server linked to in a chat is read there like what it lists (O23). */
  const readable = (serverId: ServerId, uri: string, caller: Caller) =>
    resourceTool(runs.catalogOf(serverId), serverId, uri, { skill: skills.subject(serverId, uri), linked: () => ('chatId' in caller ? chats.linkIn(caller.chatId, serverId, uri) : undefined) });
  const prompts = new Prompts({ catalog, pool, contents, mask, caps, isOn: (id) => servers.get(id)?.enabled === true });
  const providers = new Providers({ vault, redactor, all: () => [...settings.current.providers, ...state.current.detected] });
  const unseen = () => servers.all().filter(({ id, enabled }) => enabled && !catalog.knows(id) && isAsleep(state.current.servers[id]?.connection)).map(({ id }) => id);
  const { chats, ownTools, costs }: ModelSide = createChats({
    ports, models, settings, servers, profiles, runs, project, catalog, search, pool, toolCalls, providers, readable, skills, signIns, signIn, autoAuth,
    remembered: () => cache.ready(),
    mask, caps,
    onSummary: (chat) => state.apply({ type: 'chat/put', chat }),
    onRemoved: (chatId) => state.apply({ type: 'chat/removed', chatId }),
  });

  lifetime.own(vault.onStatus((status) => state.apply({ type: 'vault/set', vault: status })));
  lifetime.own(cache);
  lifetime.own(runs);
  lifetime.own(pool);
  const prober = lifetime.own(new Prober({
    clock, log, mask, transports: ports.transports, network: ports.network, clientInfo: { name: 'Gatehouse', version: options.version },
    environment: (signal) => host.environment(signal),
  }));
  lifetime.own(chats);
  const others = Promise.all([problems.watch('grants.json', grants.load(lifetime.signal)), problems.watch('secrets.json', book.load(lifetime.signal)), problems.watch('sign-ins.json', signIns.load(lifetime.signal)), chats.load(lifetime.signal)]);
  // Which project is open, and whether it is trusted, says what servers there are.
  await Promise.all([problems.watch('settings.json', settings.load(lifetime.signal)), problems.watch('trust.json', trust.load(lifetime.signal))]);
  lifetime.onEnd(() => watching?.[Symbol.dispose]());
  await Promise.all([others, servers.load(lifetime.signal)]);
  chats.goOn();
  // The app is open before every folder was looked into. What changed since the files were read is seen by reading them once more.
  inBackground(async (signal) => {
    watch();
    await servers.load(signal);
  });
  const isChat = (keeper: ChatId) => state.current.chats.some(({ id }) => id === keeper);
  const tidying = { contents, clock, days: () => settings.current.contentDays, chats: (signal: AbortSignal) => ports.transcripts.list(signal), isChat };
  inBackground((signal) => tidyDaily(tidying, (error) => log.error('Contents could not be tidied', error), signal));
  inBackground(async (signal) => state.apply({ type: 'detected/set', detected: await models.detect(signal) }));

  const vaultIsOpen = () => vault.status.phase === 'ready' || vault.status.phase === 'memory-only';
  const parts: Parts = {
    prober, signIns, profiles, inspector, homeArchive: ports.homeArchive, now: () => clock.now(),
    probeTargets: new ProbeTargets({ ...launching, servers, trialAuth: (target) => signIns.trialAuth(target) }),
    exchange: new Exchange({ configFiles, host, servers, secrets: book, vaultIsOpen, project }),
    state, servers, pool, catalog, search, chats, ownTools, costs, toolCalls, prompts, skills, readable, log, newId, approvals, elicitations, grants, providers, vault, book, secretDesk, contents, models, inBackground, unseen, remembered: () => cache.ready(),
    settings,
    info: () => ({ version: options.version, ...options.environment }),
  };
  const dispatch = createDispatch(contract, createHandlers(parts), (error, route) => log.error(`${route} met a bug`, error));
  return {
    state,
    dispatch,
    begin: () => inBackground(async () => (await cache.ready(), pool.begin(), providers.prepare(models, settings.current.model))),
    busy: () => ({ ...chats.busy(), approvals: approvals.waiting }),
    async follow(topic, listener, signal) {
      if (topic === 'app') return state.follow(listener);
      const [kind, ...rest] = topic.split('/');
      const id = rest.join('/');
      if (kind === 'chat' && ChatId.safeParse(id).success) return (await chats.get(ChatId.parse(id), signal)).transcript.store.follow(listener);
      const server = servers.all().find((definition) => definition.id === id);
      if (kind === 'log' && server) return logOf(logs, server.id).follow(listener);
      if (kind === 'messages' && server) return inspector.log(server.id).follow(listener);
      const [watched = '', ...address] = rest;
      const owner = kind === 'resource' ? servers.all().find((definition) => encodeURIComponent(definition.id) === watched) : undefined;
      if (owner) return followResource(pool, owner.id, address.join('/'), listener);
      throw new AppError(kind === 'log' || kind === 'messages' ? 'server/not-found' : 'request/unknown-route', `There is no topic ${topic.slice(0, 100)}`);
    },
    close: () => lifetime.end(),
  };
}

/** Calls that a call makes are part of it. */
const outermost = ({ id, parentId }: Pick<ToolCall, 'id' | 'parentId'>) => parentId ?? id;
const isAsleep = (connection: ConnectionState | undefined) => connection?.phase === 'stopped' && connection.why === 'asleep';

/** Files without a project is not asleep: it waits for a folder. */
function shown(definition: ServerDefinition | undefined, connection: ConnectionState, project: string | undefined): ConnectionState {
  const waits = definition && whichBuiltIn(definition) === 'files' && project === undefined && isAsleep(connection);
  return waits ? { phase: 'needs', what: 'project', message: 'Open a project folder to use its files' } : connection;
}

function logOf(logs: Map<ServerId, TopicStore<LogState, LogAction>>, serverId: ServerId): TopicStore<LogState, LogAction> {
  const store = logs.get(serverId) ?? new TopicStore<LogState, LogAction>([], reduceLog);
  logs.set(serverId, store);
  return store;
}
