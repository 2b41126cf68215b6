import type { ToolCall } from '../../shared/model/tool-call.ts';
import { actionParams, parsedParams } from './action-params.ts';
import { call, innerCall, wouldAsk, type CallActionDeps } from './call-action.ts';
import { describe, list, search, type DiscoveryDeps } from './discovery.ts';
import type { ActionAnswer, Actions, OwnToolContext } from './own-tool.ts';
import { readResource, readResult, resources, type ResourceActionsDeps } from './resource-actions.ts';
import { connect, instructions, status, type ServerActionsDeps } from './server-actions.ts';
import { authComplete, authStart, type SignInActionsDeps } from './sign-in-actions.ts';

export type GatewayActionsDeps = Omit<ServerActionsDeps & ResourceActionsDeps & SignInActionsDeps, 'asksFirst'>;

/** What the gateway, scripts, the command line and programs do alike. Everything that reaches a server as a call goes through `execute`. */
export class GatewayActions implements Actions {
  readonly #deps: ServerActionsDeps & ResourceActionsDeps & SignInActionsDeps & DiscoveryDeps & CallActionDeps;

  constructor(deps: GatewayActionsDeps) {
    this.#deps = { ...deps, asksFirst: (tool, context) => deps.verdict(innerCall(deps, tool, {}, context)) === 'ask' };
  }

  /** What search and typed discovery need as well. */
  get discovery(): DiscoveryDeps {
    return this.#deps;
  }

  search(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return search(this.#deps, params, context, signal);
  }

  list(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return list(this.#deps, params, context, signal);
  }

  describe(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return describe(this.#deps, params, context, signal);
  }

  call(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return call(this.#deps, params, context, signal);
  }

  wouldAsk(params: unknown, context: OwnToolContext): boolean {
    return wouldAsk(this.#deps, params, context);
  }

  connect(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return connect(this.#deps, params, context, signal);
  }

  async status(params: unknown, context: OwnToolContext): Promise<ActionAnswer> {
    return status(this.#deps, params, context);
  }

  instructions(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return instructions(this.#deps, params, context, signal);
  }

  resources(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return resources(this.#deps, params, context, signal);
  }

  readResource(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return readResource(this.#deps, params, context, signal);
  }

  readResult(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return readResult(this.#deps, params, context, signal);
  }

  authStart(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return authStart(this.#deps, params, context, signal);
  }

  authComplete(params: unknown, context: OwnToolContext, signal: AbortSignal): Promise<ActionAnswer> {
    return authComplete(this.#deps, params, context, signal);
  }

  /** Messages from the windows of MCP apps, which Gatehouse does not open yet: there are none. */
  uiMessages(params: unknown): ActionAnswer {
    const parsed = parsedParams(actionParams.uiMessages, params);
    return parsed.ok ? { ok: true, text: 'No app window has sent a message.', data: { messages: [] } } : parsed;
  }

  /** For one of Gatehouse's own tools that a call names. */
  static ownToolCall(params: unknown): { readonly name: string; readonly args: ToolCall['args'] } | undefined {
    const parsed = parsedParams(actionParams.call, params);
    return parsed.ok && parsed.value.server === undefined ? { name: parsed.value.tool, args: { ...parsed.value.args } } : undefined;
  }
}
