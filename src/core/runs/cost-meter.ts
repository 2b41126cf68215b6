import type { ServerId } from '../../shared/ids.ts';
import type { CatalogTool } from '../../shared/model/catalog.ts';
import type { DefinitionCost, ServerCost } from '../../shared/model/cost.ts';
import type { ProviderKind } from '../../shared/model/settings.ts';
import { fitTool } from '../catalog/provider-fit.ts';
import type { Log, ModelTool, TokenCounter } from '../ports.ts';
import { toFit } from './offered-tools.ts';

export interface CostMeterDeps {
  readonly tokens: TokenCounter;
  readonly log: Log;
  /** All usable tools of all servers that are switched on, live or remembered: what a host that sends everything would send. */
  readonly everyTool: () => readonly CatalogTool[];
}

/** So many definitions are made ready at a time; between them others have their turn. */
const batch = 32;
/** Counts that are remembered; a tool has one for each kind of provider. */
const remembered = 20_000;

/** What tool definitions cost in a model's context: estimates in o200k tokens, each definition counted once as long as it stays what it is. */
export class CostMeter {
  readonly #deps: CostMeterDeps;
  readonly #counts = new Map<string, number>();
  #failed = false;

  constructor(deps: CostMeterDeps) {
    this.#deps = deps;
  }

  /** One request's definitions beside those of a host that sends every tool, in the form that the same provider takes. `undefined` where it cannot be counted. */
  async request(kind: ProviderKind, sent: readonly ModelTool[], signal: AbortSignal): Promise<DefinitionCost | undefined> {
    return this.#unlessBroken(async () => {
      const own = await this.#deps.tokens.count(sent.map((tool) => JSON.stringify(tool)), signal);
      const all = await this.#costs(kind, this.#deps.everyTool(), signal);
      return { sent: sum(own), plainHost: sum(all) };
    }, signal);
  }

  /** Server by server, as a provider of that kind would be sent its tools. */
  async servers(kind: ProviderKind, signal: AbortSignal): Promise<readonly ServerCost[] | undefined> {
    return this.#unlessBroken(async () => {
      const tools = this.#deps.everyTool();
      const costs = await this.#costs(kind, tools, signal);
      const byServer = new Map<ServerId, { tools: number; tokens: number }>();
      tools.forEach(({ ref: { serverId } }, at) => {
        const before = byServer.get(serverId) ?? { tools: 0, tokens: 0 };
        byServer.set(serverId, { tools: before.tools + 1, tokens: before.tokens + (costs[at] ?? 0) });
      });
      return [...byServer].map(([serverId, cost]) => ({ serverId, ...cost }));
    }, signal);
  }

  async #costs(kind: ProviderKind, tools: readonly CatalogTool[], signal: AbortSignal): Promise<readonly number[]> {
    const keys = tools.map((tool) => keyOf(kind, tool));
    const counts = new Map(keys.map((key) => [key, this.#counts.get(key)]));
    const open = tools.filter((_tool, at) => counts.get(keys[at] ?? '') === undefined);
    if (this.#counts.size + open.length > remembered) this.#counts.clear();
    for (let from = 0; from < open.length; from += batch) {
      const some = open.slice(from, from + batch);
      const texts = some.map((tool) => sentText(kind, tool));
      const counted = await this.#deps.tokens.count(texts, signal);
      some.forEach((tool, at) => {
        const key = keyOf(kind, tool);
        const count = texts[at] === '' ? 0 : (counted[at] ?? 0);
        counts.set(key, count);
        this.#counts.set(key, count);
      });
    }
    return keys.map((key) => counts.get(key) ?? 0);
  }

  /** Costs are a remark: that they cannot be counted is said once, in the log. */
  async #unlessBroken<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!signal.aborted && !this.#failed) this.#deps.log.error('Tokens cannot be counted', error);
      this.#failed ||= !signal.aborted;
      return undefined;
    }
  }
}

/** A tool's revision says all of its definition; its name and its title depend on more. */
const keyOf = (kind: ProviderKind, { ref, modelName }: CatalogTool): string => JSON.stringify([kind, ref.serverId, ref.revision, modelName]);

/** What cannot be sent costs nothing. */
function sentText(kind: ProviderKind, tool: CatalogTool): string {
  const fit = fitTool(kind, toFit(tool));
  return fit.kind === 'fits' ? JSON.stringify(fit.tool) : '';
}
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
