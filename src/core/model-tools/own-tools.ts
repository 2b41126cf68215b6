import { AppError } from '../../shared/errors.ts';
import { Revision, ToolCallId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import { matchesName } from '../policy/name-match.ts';
import type { AskedTool } from '../tool-calls/asked-call.ts';
import type { CallRecorder } from '../tool-calls/tool-calls.ts';
import { connectTool } from './connect-tool.ts';
import { GatewayActions, type GatewayActionsDeps } from './gateway-actions.ts';
import { gatewayTool } from './gateway-tool.ts';
import { forRecord, outcomeOf } from './own-result.ts';
import type { Actions, LaterTool, OwnTool, OwnToolContext } from './own-tool.ts';
import { resourceTools } from './resource-tools.ts';
import { findToolTool, searchTool } from './search-tool.ts';

export interface OwnToolsDeps extends GatewayActionsDeps {
  /** `mcp_script`, made on the same actions. */
  readonly script: (actions: Actions) => OwnTool;
  /** A call of an own tool is about to go on from an earlier process. */
  readonly onResume: (callId: ToolCallId) => void;
  /** Asks a person, and runs the tool if they say yes. */
  readonly executeAsked: (call: ToolCall, asked: AskedTool, recorder: CallRecorder, signal: AbortSignal) => Promise<ToolOutcome>;
}
interface Known {
  readonly tool: OwnTool;
  readonly shown: CatalogTool;
}

/** Gatehouse's own tools: those that every request carries, and those that are found by searching. */
export class OwnTools {
  readonly actions: Actions;
  /** In the order in which they are offered. The same for every catalog. */
  readonly atStart: readonly CatalogTool[];
  readonly #deps: Pick<OwnToolsDeps, 'onResume' | 'executeAsked' | 'newId'>;
  readonly #deferred: readonly CatalogTool[];
  readonly #tools: ReadonlyMap<string, Known>;

  constructor({ script, ...deps }: OwnToolsDeps) {
    this.#deps = deps;
    const actions = new GatewayActions(deps);
    const searching = { discovery: actions.discovery, deferred: () => deferredShown };
    const deferred = [findToolTool(searching), ...resourceTools(actions), connectTool(actions.discovery)];
    const deferredShown = deferred.map(shownAs);
    const throughGateway = (name: string): OwnTool['run'] | undefined => {
      const tool = deferred.find((one) => one.name === name);
      return tool && ((args, context, signal) => (tool.asksFirst ? this.#innerCall(tool, args, context, signal) : tool.run(args, context, signal)));
    };
    const atStart = [searchTool(searching), gatewayTool(actions, throughGateway), script(actions)];
    this.actions = actions;
    this.#deferred = deferredShown;
    this.atStart = atStart.map(shownAs);
    this.#tools = new Map([...atStart, ...deferred].map((tool) => [tool.name, { tool, shown: shownAs(tool) }]));
  }

  /** As it is offered, if there is such a tool. */
  tool(name: string): CatalogTool | undefined {
    return this.#tools.get(name)?.shown;
  }

  /** Those of the others that lists of allowed tools name, each list as it narrows the ones before. A pattern names none of them. */
  askedFor(allow: readonly (readonly string[])[]): readonly CatalogTool[] {
    return this.#deferred.filter(({ modelName }) => allow.some((names) => names.includes(modelName)) && allow.every((names) => matchesName(names, modelName)));
  }

  /** Whether a call of this tool asks a person each time: `executeAsked` is then the way to run it. */
  asksFirst(name: string): boolean {
    return this.#tools.get(name)?.tool.asksFirst !== undefined;
  }

  /** Asked about, run and recorded to its end. Expected endings are outcomes. */
  executeAsked(call: ToolCall, recorder: CallRecorder, context: OwnToolContext, signal: AbortSignal): Promise<ToolOutcome> {
    const known = this.#tools.get(call.ref.tool);
    const asks = known?.tool.asksFirst;
    if (!known || !asks) throw new Error(`${call.ref.tool} asks nobody`);
    const { tool, shown } = known;
    const asked: AskedTool = {
      tool: shown, because: asks.because,
      about: (args) => {
        const leads = asks.about(args, context);
        return leads.ok ? { target: leads.target } : { outcome: outcomeOf(leads) };
      },
      run: ({ args }, ending) => tool.run(args, context, ending),
    };
    return this.#deps.executeAsked(call, asked, { ...recorder, settled: (outcome) => recorder.settled(forRecord(outcome)) }, signal);
  }

  /** What the gateway was asked to call. */
  async #innerCall(tool: OwnTool, args: ToolCall['args'], context: OwnToolContext, signal: AbortSignal): Promise<ToolOutcome> {
    const { ref, serverName } = shownAs(tool);
    const call: ToolCall = { id: ToolCallId.parse(this.#deps.newId()), ref, serverName, args, caller: context.caller, parentId: context.callId };
    return this.executeAsked(call, await context.record(call), context, signal);
  }

  /** What lets a call of this tool go on in another process, where the tool has that. */
  later(name: string): LaterTool | undefined {
    const later = this.#tools.get(name)?.tool.later;
    return later && {
      waits: (callId, signal) => later.waits(callId, signal),
      resume: (context, earlier, signal) => {
        this.#deps.onResume(context.callId);
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
const shownAs = ({ name, title, description, inputSchema }: OwnTool): CatalogTool => ({
  ref: { serverId: ownToolsId, tool: name, revision: Revision.parse('own') }, serverName: 'Gatehouse', ...(title === undefined ? {} : { title }), description, inputSchema, annotations: {}, modelName: name,
});
