import * as z from 'zod';
import { AppError } from '../../shared/errors.ts';
import type { ToolCallId } from '../../shared/ids.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ScriptCall } from '../../shared/model/script.ts';
import { limits } from '../guard/limits.ts';
import type { ActionAnswer, Actions, OwnToolContext } from '../model-tools/own-tool.ts';
import type { Clock, ScriptJob } from '../ports.ts';

/** A call that a person is asked about first: the script stands still for it. */
export interface PausedCall {
  /** Its place in the trace. */
  readonly at: number;
  readonly params: JsonObject;
}
export interface ScriptHostDeps {
  readonly clock: Clock;
  readonly actions: Actions;
  /** What the script asked for could not be recorded: nothing more may happen. */
  readonly onCaptureFailed: (error: AppError) => void;
}
type HostAnswer = Awaited<ReturnType<ScriptJob['host']>>;

const Path = z.object({ path: z.unknown().optional(), args: z.unknown().optional(), server: z.unknown().optional() });
const kinds = { search: 'search', describe: 'describe', resources: 'resources', readResource: 'read-resource', readResult: 'read-result' } as const;
type Asked = keyof typeof kinds;
/** More than any honest script lists. */
const traceLimit = 2_000;

/** What a script can do: Gatehouse's own actions, each traced. It believes nothing that comes out of the sandbox. */
export class ScriptHost {
  readonly trace: ScriptCall[];
  /** What calls brought that no text can hold, a line each. */
  readonly notes: string[];
  readonly #deps: ScriptHostDeps;
  readonly #context: OwnToolContext;
  readonly #open = new Set<AbortController>();
  #over = false;

  constructor(deps: ScriptHostDeps, context: OwnToolContext, before: { readonly trace: readonly ScriptCall[]; readonly notes: readonly string[] }) {
    this.#deps = deps;
    this.#context = context;
    this.trace = [...before.trace];
    this.notes = [...before.notes];
  }

  /** The code has ended: what is still asked for is wanted by nobody. */
  get over(): boolean {
    return this.#over;
  }

  async answer(name: string, json: string, signal: AbortSignal): Promise<HostAnswer> {
    const input: unknown = JSON.parse(json);
    if (name === 'leftovers') return this.#leftovers();
    if (name === 'call') return this.#callOrPause(input, signal);
    if (!isAsked(name)) throw new TypeError('There is no such function');
    const at = this.#begin({ kind: kinds[name], name: nameOf(input), ...serverOf(input), ms: 0 });
    const began = this.#deps.clock.now();
    const answer = await this.#within(signal, (ending) => this.#deps.actions[name](name === 'describe' ? asTool(input) : input, this.#context, ending));
    this.#end(at, answer, began);
    if (name === 'readResource') return json_(envelope(answer));
    return json_(answer.ok ? answer.data : { error: answer.error });
  }

  /** A paused call, made now: a person is asked. The answer is what the script gets for it. */
  async call({ at, params }: PausedCall, context: OwnToolContext, signal: AbortSignal): Promise<string> {
    const began = this.#deps.clock.now();
    const answer = await this.#within(signal, (ending) => this.#deps.actions.call(params, this.#seen(at, context), ending));
    return this.settle(at, answer, began);
  }

  /** The answer of a paused call, from wherever it came. */
  settle(at: number, answer: ActionAnswer, began = this.#deps.clock.now()): string {
    this.#end(at, answer, began);
    return JSON.stringify(envelope(answer));
  }

  async #callOrPause(input: unknown, signal: AbortSignal): Promise<HostAnswer> {
    const { path, args, server } = Path.parse(input);
    if (typeof path !== 'string' || path.trim() === '') return json_(refusal('invalid_tool_path', 'A tool is named by its path: tools.call(path, args, server?)'));
    if (server !== undefined && (typeof server !== 'string' || server.trim() === '')) return json_(refusal('invalid_arguments', 'The server is given by its name'));
    const params = { tool: path, ...(args === undefined ? {} : { args }), ...(server === undefined ? {} : { server }) };
    const at = this.#begin({ kind: 'call', name: path.slice(0, 200), ...(server === undefined ? {} : { server: server.slice(0, 200) }), ms: 0 });
    if (this.#deps.actions.wouldAsk(params, this.#context)) return { kind: 'pause', reason: { at, params } };
    const began = this.#deps.clock.now();
    const answer = await this.#within(signal, (ending) => this.#deps.actions.call(params, this.#seen(at, this.#context), ending));
    this.#end(at, answer, began);
    return json_(envelope(answer));
  }

  #leftovers(): HostAnswer {
    this.#over = true;
    for (const controller of this.#open) controller.abort(new DOMException('The script is over', 'AbortError'));
    return json_(null);
  }

  async #within<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const forward = () => controller.abort(signal.reason);
    if (signal.aborted) forward();
    else signal.addEventListener('abort', forward, { once: true });
    this.#open.add(controller);
    try {
      return await work(controller.signal);
    } catch (error) {
      if (isCaptureFailure(error)) this.#deps.onCaptureFailed(error);
      throw error;
    } finally {
      this.#open.delete(controller);
      signal.removeEventListener('abort', forward);
    }
  }

  /** The trace names the call that it became. */
  #seen(at: number, context: OwnToolContext): OwnToolContext {
    return {
      ...context,
      record: async (call) => {
        this.#note(at, { callId: call.id });
        return context.record(call);
      },
    };
  }

  #begin(call: ScriptCall): number {
    return this.trace.length < traceLimit ? this.trace.push(call) - 1 : traceLimit;
  }

  /** What was ended together with the script is left as it is: without an answer. */
  #end(at: number, answer: ActionAnswer, began: number): void {
    const name = this.trace[at]?.name ?? '';
    this.notes.push(...payloads(answer).map((payload) => `[${name} left ${payload}]`));
    if (this.#over && !answer.ok && answer.error.code === 'aborted') return;
    const ms = this.#deps.clock.now() - began;
    this.#note(at, answer.ok ? { ok: true, ms } : { ok: false, code: answer.error.code, ms });
  }

  #note(at: number, more: Partial<ScriptCall> & { readonly callId?: ToolCallId }): void {
    const known = this.trace[at];
    if (known) this.trace[at] = { ...known, ...more };
  }
}

export const isCaptureFailure = (error: unknown): error is AppError => error instanceof AppError && error.code === 'storage/failed';
const isAsked = (name: string): name is Asked => Object.hasOwn(kinds, name);
const json_ = (value: unknown): HostAnswer => ({ kind: 'answer', json: JSON.stringify(value) });
const refusal = (code: string, message: string) => ({ ok: false, error: { code, message } });

/** What a script gets for a call (F-136). A result over 4 MiB comes as its reference alone. */
function envelope(answer: ActionAnswer): JsonObject {
  const result = answer.outcome && 'result' in answer.outcome ? answer.outcome.result : undefined;
  const resultRef = result?.reference === undefined ? {} : { resultRef: result.reference.id };
  const fits = answer.data !== undefined && JSON.stringify(answer.data).length <= limits.valueBytes;
  const rest = { ...(fits ? { data: answer.data } : {}), ...resultRef };
  return answer.ok ? { ok: true, ...rest } : { ok: false, error: { code: answer.error.code, message: answer.error.message, ...answer.error.data }, ...rest };
}

/** Images, sound and files are kept for the person, who finds them by these. */
function payloads({ outcome }: ActionAnswer): readonly string[] {
  if (!outcome || !('result' in outcome)) return [];
  return outcome.result.parts.flatMap((part) => (part.type === 'image' || part.type === 'audio' || part.type === 'blob' ? [`${part.ref.mimeType}, ${part.ref.bytes} bytes, kept as ${part.ref.id}`] : []));
}

/** Scripts say `path` where the gateway says `tool`. */
function asTool(input: unknown): unknown {
  const described = z.looseObject({ path: z.unknown() }).safeParse(input);
  if (!described.success) return input;
  const { path, ...rest } = described.data;
  return { ...rest, tool: path };
}

function nameOf(params: unknown): string {
  const named = z.object({ query: z.string() }).or(z.object({ path: z.string() })).or(z.object({ uri: z.string() })).or(z.object({ ref: z.string() })).or(z.object({ server: z.string() })).safeParse(params);
  return named.success ? (Object.values(named.data)[0] ?? '').slice(0, 200) : '';
}
function serverOf(params: unknown): { readonly server?: string } {
  const named = z.object({ server: z.string() }).safeParse(params);
  return named.success ? { server: named.data.server.slice(0, 200) } : {};
}
