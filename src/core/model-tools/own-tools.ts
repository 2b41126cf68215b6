import { AppError } from '../../shared/errors.ts';
import { Revision, type ToolCallId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import { GatewayActions, type GatewayActionsDeps } from './gateway-actions.ts';
import { gatewayTool } from './gateway-tool.ts';
import type { Actions, LaterTool, OwnTool, OwnToolContext } from './own-tool.ts';
import { resourceTools } from './resource-tools.ts';
import { findToolTool, searchTool } from './search-tool.ts';

export interface OwnToolsDeps extends GatewayActionsDeps {
  /** `mcp_script`, made on the same actions. */
  readonly script: (actions: Actions) => OwnTool;
  /** A call of an own tool is about to go on from an earlier process. */
  readonly onResume: (callId: ToolCallId) => void;
}

/** Gatehouse's own tools: those that every request carries, and those that are found by searching. */
export class OwnTools {
  readonly actions: Actions;
  /** In the order in which they are offered. The same for every catalog. */
  readonly atStart: readonly CatalogTool[];
  readonly #onResume: OwnToolsDeps['onResume'];
  readonly #tools: ReadonlyMap<string, { readonly tool: OwnTool; readonly shown: CatalogTool }>;

  constructor({ script, onResume, ...deps }: OwnToolsDeps) {
    this.#onResume = onResume;
    const actions = new GatewayActions(deps);
    const searching = { discovery: actions.discovery, deferred: () => deferredShown };
    const deferred = [findToolTool(searching), ...resourceTools(actions)];
    const deferredShown = deferred.map(shownAs);
    const atStart = [searchTool(searching), gatewayTool(actions, (name) => deferred.find((tool) => tool.name === name)), script(actions)];
    this.actions = actions;
    this.atStart = atStart.map(shownAs);
    this.#tools = new Map([...atStart, ...deferred].map((tool) => [tool.name, { tool, shown: shownAs(tool) }]));
  }

  /** As it is offered, if there is such a tool. */
  tool(name: string): CatalogTool | undefined {
    return this.#tools.get(name)?.shown;
  }

  /** What lets a call of this tool go on in another process, where the tool has that. */
  later(name: string): LaterTool | undefined {
    const later = this.#tools.get(name)?.tool.later;
    return later && {
      waits: (callId, signal) => later.waits(callId, signal),
      resume: (context, earlier, signal) => {
        this.#onResume(context.callId);
        return later.resume(context, earlier, signal);
      },
    };
  }

  /** Expected endings are outcomes; a bug is thrown, and the signal's reason when that aborts. */
  async run(call: Pick<ToolCall, 'ref' | 'args'>, context: OwnToolContext, signal: AbortSignal): Promise<ToolOutcome> {
    const known = this.#tools.get(call.ref.tool);
    if (!known) return { kind: 'failed', code: 'tool/not-found', message: `Gatehouse has no tool “${call.ref.tool.slice(0, 200)}”` };
    try {
      return await known.tool.run(call.args, context, signal);
    } catch (error) {
      signal.throwIfAborted();
      const { code, message, kind } = AppError.from(error);
      if (kind === 'bug') throw error;
      return { kind: 'failed', code, message };
    }
  }
}

/** Never changes with a catalog, and so has one revision. */
const shownAs = ({ name, description, inputSchema }: OwnTool): CatalogTool => ({
  ref: { serverId: ownToolsId, tool: name, revision: Revision.parse('own') }, serverName: 'Gatehouse', description, inputSchema, annotations: {}, modelName: name,
});
