import type { ServerId } from '../../shared/ids.ts';
import type { ToolLine } from '../../shared/model/catalog.ts';
import type { OptionsPatch } from '../../shared/model/server-options.ts';
import type { AppState } from '../../shared/state/app-state.ts';
import { api, type RequestError } from './api.ts';
import { useApp } from './live.ts';
import { useRequest } from './request-state.ts';
import { byServer, hidePatch, pinPatch } from './tool-rules.ts';

export interface ToolRules {
  /** All of these, of one server or several, in one step each file. `all`: every tool that is listed now. */
  readonly pin: (tools: readonly ToolLine[], pinned: boolean, all: readonly ToolLine[]) => void;
  readonly hide: (tools: readonly ToolLine[], hidden: boolean) => void;
  readonly patch: (serverId: ServerId, fields: OptionsPatch) => void;
  readonly busy: boolean;
  readonly error: RequestError | undefined;
}

/** A person's changes to pins and filters. They are saved at once, in the file of the scope that the server belongs to, beside whatever it says of it. */
export function useToolRules(servers: AppState['servers']): ToolRules {
  const { state, run } = useRequest();
  const save = (changes: ReadonlyMap<ServerId, OptionsPatch>) =>
    run(async () => {
      for (const scope of ['global', 'project'] as const) {
        const edits = [...changes].flatMap(([serverId, fields]) => {
          const definition = servers[serverId]?.definition;
          return definition && (definition.owner === 'project') === (scope === 'project') ? [{ op: 'patch' as const, name: definition.name, fields }] : [];
        });
        if (edits.length > 0) await api.config.save({ scope, edits });
      }
    });
  const each = (tools: readonly ToolLine[], patchOf: (serverId: ServerId, own: readonly ToolLine[]) => OptionsPatch) =>
    save(new Map([...byServer(tools)].map(([serverId, own]) => [serverId, patchOf(serverId, own)])));
  const pinsByDefault = useApp((app) => app.settings.directTools) ?? false;
  const optionsOf = (serverId: ServerId) => servers[serverId]?.definition.options ?? {};
  /** No other file says anything of it. */
  const isAlone = (serverId: ServerId) => (servers[serverId]?.provenance.chain.length ?? 0) < 2;
  return {
    pin: (tools, pinned, all) =>
      each(tools, (serverId, own) => {
        const now = all.filter((tool) => tool.serverId === serverId && tool.pinned).map(({ tool }) => tool);
        return pinPatch(optionsOf(serverId), now, own.map(({ tool }) => tool), pinned, isAlone(serverId) && !pinsByDefault);
      }),
    hide: (tools, hidden) => each(tools, (serverId, own) => hidePatch(optionsOf(serverId), own, hidden, isAlone(serverId))),
    patch: (serverId, fields) => save(new Map([[serverId, fields]])),
    busy: state.phase === 'sending',
    error: state.phase === 'failed' ? state.error : undefined,
  };
}
