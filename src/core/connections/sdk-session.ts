import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ServerIdentity } from '../../shared/model/connection-state.ts';
import { CallLimits } from './call-limits.ts';
import type { CallTarget } from './calls.ts';
import { asAppError } from './failure.ts';
import type { Link } from './link.ts';
import type { CallOptions, CompletionWanted, RawToolResult, ServerSession } from './session.ts';
import { hasSkills } from './skills-extension.ts';

export interface SessionHost {
  readonly server: string;
  /** For requests that are no calls. Milliseconds. */
  readonly requestMs: () => number;
  readonly inputSchema: (tool: string) => JsonObject | undefined;
  /** The person trusts this server's word that this tool may be called twice, and it gives it now (F-58). */
  readonly mayRepeat: (tool: string) => boolean;
  /** The link that takes the place of one whose session is lost; shared by all that lost it. */
  readonly renew: (lost: Link, signal: AbortSignal) => Promise<Link>;
}

/** A session over whatever link is there: when the server forgets it, a new one is made and the request sent again, once. */
export class SdkSession implements ServerSession {
  readonly #host: SessionHost;
  #link: Link;

  constructor(link: Link, host: SessionHost) {
    this.#link = link;
    this.#host = host;
  }

  get identity(): ServerIdentity {
    return this.#link.identity;
  }

  get protocolVersion(): string {
    return this.#link.protocolVersion;
  }

  get era(): 'modern' | 'legacy' {
    return this.#link.era;
  }

  get capabilities(): JsonObject {
    return this.#link.capabilities;
  }

  async callTool(name: string, args: JsonObject, options: CallOptions, signal: AbortSignal): Promise<RawToolResult> {
    const target = { server: this.#host.server, tool: name, inputSchema: this.#host.inputSchema(name) };
    using limits = new CallLimits(options, signal);
    return await this.#onSession(async (link) => {
      using _open = link.calls.begin(options.from, limits);
      return await this.#call(link, target, args, options, limits);
    }, signal);
  }

  /** F-58: what was lost on its way is sent once more on the same client of the new era, where both person and server allow it. Nothing else is (F-60). */
  async #call(link: Link, target: CallTarget, args: JsonObject, options: CallOptions, limits: CallLimits): Promise<RawToolResult> {
    try {
      return await link.call(target, args, options, limits);
    } catch (error) {
      const mayRepeat = link.era === 'modern' && link.wasLostInTransport(error) && this.#host.mayRepeat(target.tool);
      if (!mayRepeat || limits.signal.aborted) throw error;
      return link.call(target, args, options, limits);
    }
  }

  readResource(uri: string, signal: AbortSignal): Promise<JsonObject> {
    return this.#onSession((link) => link.request('resources/read', { uri }, this.#host.requestMs(), signal), signal);
  }

  async complete({ ref, argument, others }: CompletionWanted, signal: AbortSignal): Promise<JsonObject | undefined> {
    if (this.#link.capabilities['completions'] === undefined) return undefined;
    const params = { ref, argument, ...(Object.keys(others).length > 0 ? { context: { arguments: others } } : {}) };
    return this.#onSession((link) => link.request('completion/complete', params, this.#host.requestMs(), signal), signal);
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<JsonObject> {
    return this.#onSession((link) => link.request('prompts/get', { name, arguments: args }, this.#host.requestMs(), signal), signal);
  }

  listSkills(cursor: string | undefined, signal: AbortSignal): Promise<JsonObject | undefined> {
    return this.#ofSkills('skills/list', cursor === undefined ? {} : { cursor }, signal);
  }

  getSkill(uri: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    return this.#ofSkills('skills/get', { uri }, signal);
  }

  async #ofSkills(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined> {
    if (!hasSkills(this.#link.capabilities)) return undefined;
    return this.#onSession((link) => link.request(method, params, this.#host.requestMs(), signal), signal);
  }

  async #onSession<T>(work: (link: Link) => Promise<T>, signal: AbortSignal): Promise<T> {
    const link = this.#link;
    try {
      return await work(link).catch(async (error: unknown) => {
        if (signal.aborted || !link.isSessionLoss(error)) throw error;
        this.#link = await this.#host.renew(link, signal);
        return work(this.#link);
      });
    } catch (error) {
      if (signal.aborted)
        throw signal.reason instanceof AppError ? signal.reason : new AppError('run/cancelled', 'Cancelled', { cause: error });
      throw asAppError(error instanceof Error && error.name === 'SessionLost' ? error.cause : error, this.#link.ended);
    }
  }
}
