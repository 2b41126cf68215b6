import type { ChatId, RunId } from '../../shared/ids.ts';
import type { RunSetup } from '../../shared/model/run-setup.ts';
import type { ModelChoice, ModelProvider } from '../../shared/model/settings.ts';
import type { SourceRef } from '../../shared/model/source.ts';
import { serverId } from '../servers/server-id.ts';
import type { LoadedProfile, ProfileStore } from '../profiles/profile-store.ts';
import type { ProfileServer, ResolvedProfile } from '../profiles/resolve-profile.ts';
import { runSettings, type RunSettings } from '../profiles/run-settings.ts';
import type { RunLayer } from '../../shared/model/run-layer.ts';
import type { Log } from '../ports.ts';
import type { ServerStore } from '../servers/server-store.ts';
import type { RunScope, RunServerWanted } from './run-scope.ts';
import type { RunScopes } from './run-scopes.ts';
import { systemPrompt } from './system-prompt.ts';

export interface OpenRunDeps {
  readonly log: Log;
  readonly runs: RunScopes;
  readonly profiles: Pick<ProfileStore, 'load'>;
  readonly servers: Pick<ServerStore, 'runLayers' | 'projectDigest'>;
  readonly project: () => string | undefined;
  readonly providers: () => readonly ModelProvider[];
  /** What variables of the environment say of runs. */
  readonly environment: RunLayer;
}
export interface RunWanted {
  readonly profile: string | undefined;
  readonly choice: ModelChoice;
  /** The person chose the model for this very chat: no file speaks against that. */
  readonly ownModel: boolean;
}
/** A run with all that its profile and other layers brought along (H-13). Its servers end with it. */
export interface OpenRun extends Disposable {
  readonly scope: RunScope;
  readonly choice: ModelChoice;
  readonly settings: RunSettings;
  readonly system: string;
  /** Absent where there is nothing to tell. */
  readonly setup?: RunSetup;
}

/**
 * H-14, H-15, H-17: a profile that is missing or cannot be used is said, and the run goes on without it. Throws `request/invalid` for what is no name of a profile (H-16), why a
 * `required` server is not there (U-67), and the signal's reason; nothing stays open then.
 */
export async function openRun(ids: { readonly chatId: ChatId; readonly runId: RunId }, { profile: name, choice, ownModel }: RunWanted, deps: OpenRunDeps, signal: AbortSignal): Promise<OpenRun> {
  const loaded = name === undefined ? undefined : await deps.profiles.load(name, signal);
  const profile = loaded?.kind === 'loaded' ? loaded.profile : undefined;
  const settings = runSettings({ ...deps.servers.runLayers(), profile, environment: deps.environment });
  const model = ownModel ? choice : chosenBy(settings.model, choice, deps.providers());
  const notes = [...(name === undefined || !loaded ? [] : profileNotes(name, loaded)), ...settingNotes(settings, { choice: model, ownModel })];
  const scope = deps.runs.open(ids, { mcp: settings.mcp, allow: settings.toolsAllow });
  try {
    const wanted = profile && settings.mcp ? wantedServers(profile, deps) : [];
    if (!settings.mcp) deps.log.info('A run has no MCP tools', { servers: scope.servers().length, ofProfile: profile?.servers.length ?? 0 });
    const servers = await scope.begin(wanted, signal);
    const tells = name !== undefined || notes.length > 0;
    return {
      scope, choice: model, settings,
      system: settings.systemPrompt === undefined || settings.systemPrompt.trim() === '' ? systemPrompt : `${systemPrompt}\n\n${settings.systemPrompt.trim()}`,
      ...(tells ? { setup: { ...(name === undefined ? {} : { profile: name }), servers, notes } } : {}),
      [Symbol.dispose]: () => deps.runs.close(scope),
    };
  } catch (error) {
    deps.runs.close(scope);
    throw error;
  }
}

/** `provider/model`, by the provider's id, name or kind; a bare name is a model of the provider at hand. */
function chosenBy(model: string | undefined, choice: ModelChoice, providers: readonly ModelProvider[]): ModelChoice {
  if (model === undefined) return choice;
  const slash = model.indexOf('/');
  const [head, rest] = slash < 0 ? ['', ''] : [model.slice(0, slash).toLowerCase(), model.slice(slash + 1)];
  const named = rest === '' ? undefined : providers.find(({ id, name, kind }) => [id, name, kind].some((one) => one.toLowerCase() === head));
  return named ? { providerId: named.id, model: rest } : { ...choice, model };
}

function profileNotes(name: string, loaded: LoadedProfile): readonly string[] {
  switch (loaded.kind) {
    case 'missing':
      return [`There is no profile “${name}”: this run went on without one.`];
    case 'unusable':
      return [`The profile “${name}” cannot be used, and this run went on without it: ${loaded.issues[0]?.message ?? 'it could not be read'}`];
    case 'loaded':
      return loaded.profile.issues.filter(({ severity, server }) => severity === 'error' && server !== undefined).map(({ server, message }) => `“${server}” of the profile cannot be used: ${message}`);
  }
}

function settingNotes({ maxCostUsd, model }: RunSettings, { choice, ownModel }: Pick<RunWanted, 'choice' | 'ownModel'>): readonly string[] {
  return [
    ...(maxCostUsd === undefined ? [] : [`The cost limit of $${maxCostUsd} is not watched: Gatehouse does not know what models cost.`]),
    ...(ownModel && model !== undefined && model !== choice.model ? [`The model ${model} was not used: this chat has a model of its own.`] : []),
  ];
}

/** Entries that are in order. */
function wantedServers({ servers, issues }: ResolvedProfile, { project, servers: store }: OpenRunDeps): readonly RunServerWanted[] {
  const bad = new Set(issues.flatMap(({ severity, server }) => (severity === 'error' && server !== undefined ? [server] : [])));
  const folder = project();
  return servers.filter(({ entry }) => !bad.has(entry.name)).map((server) => ({
    name: server.entry.name, fields: server.entry.fields, source: sourceOf(server), offered: true,
    ...(server.tier === 'project' && folder !== undefined ? { project: { folder, digest: store.projectDigest() } } : {}),
  }));
}

function sourceOf({ tier, path }: ProfileServer): SourceRef {
  const ofProject = tier === 'project';
  return { id: `profile:${path}`, kind: ofProject ? 'project-toml' : 'home-toml', label: path, scope: ofProject ? 'project' : 'global', path };
}

/** The name by which lasting permissions know a server that `connect_mcp` brought: its address. */
export const connectSource = (url: string): SourceRef => ({ id: serverId('connect', url), kind: 'home-toml', label: url, scope: 'global' });
