import { AppError } from '../../shared/errors.ts';
import { ApprovalId, type ChatId } from '../../shared/ids.ts';
import type { CatalogTool, JsonObject } from '../../shared/model/catalog.ts';
import type { ToolResult } from '../../shared/model/content.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { ApproveTools } from '../../shared/model/server-options.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { Approval, ApprovalAnswer, ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import type { ApprovalDesk } from '../approvals/approval-desk.ts';
import type { GrantCheck, Grants, GrantSubject } from '../approvals/grants.ts';
import { argumentProblem, sizeProblem } from '../guard/arguments.ts';
import { decide, type PolicyFacts, type Verdict } from '../policy/decide.ts';
import type { Clock, Log, SchemaValidator } from '../ports.ts';
import { askedCall, type AskedTool } from './asked-call.ts';

/** Where a call's story is kept. What these write is on disk when they resolve. */
export interface CallRecorder {
  waiting(approvalId: ApprovalId): Promise<void>;
  started(call: ToolCall): Promise<void>;
  settled(outcome: ToolOutcome): Promise<void>;
  progress(progress: CallProgress): void;
}
export interface CallProgress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}
export interface ToolCallsDeps {
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
  readonly schemas: SchemaValidator;
  readonly approvals: ApprovalDesk;
  readonly grants: Grants;
  readonly settings: () => Settings;
  readonly paused: () => boolean;
  readonly definition: (call: ToolCall) => ServerDefinition | undefined;
  /** Globs in place of the settings' own; absent where the settings hold. */
  readonly serverApproveTools: (definition: ServerDefinition) => ApproveTools | undefined;
  /** A server's command line or URL for people, secrets masked. */
  readonly target: (definition: ServerDefinition) => string;
  /** The package that its command was last found to run, with its version: another version asks again. */
  readonly packageOf: (definition: ServerDefinition) => string | undefined;
  readonly tool: (call: ToolCall) => CatalogTool | undefined;
  /** What keeps this tool from the chat that calls it; nothing where no chat calls. */
  readonly keptBy: (call: ToolCall) => PolicyFacts['keptBy'];
  /** What is known of a server that is not connected may be old: connects it, so that a person is asked about what is there now. Throws why it cannot be. */
  readonly lookAgain: (call: ToolCall, signal: AbortSignal) => Promise<void>;
  readonly invoke: (call: ToolCall, tool: CatalogTool, onProgress: (progress: CallProgress) => void, signal: AbortSignal) => Promise<{ readonly result: ToolResult; readonly isError: boolean }>;
}

/** The one door to a tool, for chats, Direct mode, the CLI, the HTTP API and app windows alike: they differ in `caller` alone. */
export class ToolCalls {
  readonly #deps: ToolCallsDeps;

  constructor(deps: ToolCallsDeps) {
    this.#deps = deps;
  }

  /** Expected endings are outcomes; this does not throw for them. `call-requested` has been recorded by the caller. */
  execute(call: ToolCall, recorder: CallRecorder, signal: AbortSignal): Promise<ToolOutcome> {
    return this.#settled(this.#attempt(call, recorder, signal), recorder, signal);
  }

  /** The same for one of Gatehouse's own tools about which a person is asked each time. */
  executeAsked(call: ToolCall, asked: AskedTool, recorder: CallRecorder, signal: AbortSignal): Promise<ToolOutcome> {
    return this.#settled(askedCall(call, asked, this.#deps, recorder, signal), recorder, signal);
  }

  async #settled(attempt: Promise<ToolOutcome>, recorder: CallRecorder, signal: AbortSignal): Promise<ToolOutcome> {
    const ending = await attempt.catch((error: unknown) => this.#asOutcome(error, signal));
    return recorder.settled(ending).then(
      () => ending,
      (error: unknown) => {
        this.#deps.log.error('The outcome of a tool call could not be saved', error);
        return { kind: 'failed', code: 'storage/failed', message: 'The outcome could not be saved' };
      },
    );
  }

  /** What policy says of the call as things are now, without making it. A call that leads nowhere is denied. */
  verdict(call: ToolCall): Verdict {
    try {
      const { tool, definition } = this.#find(call);
      return this.#decide(call, tool, definition, this.#subject(tool, definition)).verdict;
    } catch (error) {
      return { kind: 'deny', because: AppError.from(error).message };
    }
  }

  async #attempt(asked: ToolCall, recorder: CallRecorder, signal: AbortSignal): Promise<ToolOutcome> {
    const known = this.#find(asked);
    if (known.tool.problem !== undefined) return { kind: 'denied', by: 'guard', reason: known.tool.problem };
    const early = this.#decide(asked, known.tool, known.definition, this.#subject(known.tool, known.definition)).verdict;
    if (early.kind === 'deny') return { kind: 'denied', by: 'policy', reason: early.because };
    await this.#deps.lookAgain(asked, signal);
    const { tool, definition } = this.#find(asked);
    const problem = await this.#argumentProblem(asked, tool, asked.args, signal);
    if (problem !== undefined) return { kind: 'denied', by: 'guard', reason: problem };
    const subject = this.#subject(tool, definition);
    const { verdict, check } = this.#decide(asked, tool, definition, subject);
    let call = asked;
    if (verdict.kind === 'deny') return { kind: 'denied', by: 'policy', reason: verdict.because };
    if (verdict.kind === 'ask') {
      const answer = await this.#ask(call, tool, definition, verdict.because, check, recorder, signal);
      if (answer.decision === 'deny') return { kind: 'denied', by: 'user', reason: answer.reason ?? '' };
      const allowed = await this.#allow(call, answer, tool, subject, signal);
      if ('refused' in allowed) return { kind: 'denied', by: 'guard', reason: allowed.refused };
      call = allowed.call;
    }
    // Between the question and now the tool, its server or the person's wishes may have changed.
    const still = this.#find(call);
    if (still.definition.revision !== definition.revision) return { kind: 'denied', by: 'guard', reason: 'The server changed while the question was open' };
    const now = this.#decide(call, still.tool, still.definition, subject).verdict;
    if (now.kind === 'deny') return { kind: 'denied', by: 'policy', reason: now.because };
    signal.throwIfAborted();
    await recorder.started(call);
    const { result, isError } = await this.#deps.invoke(call, tool, (progress) => recorder.progress(progress), signal);
    return { kind: isError ? 'tool-error' : 'succeeded', result };
  }

  /** A call that another call makes is judged by its server alone, which answers with what it expects (F-107). */
  async #argumentProblem(call: ToolCall, tool: CatalogTool, args: JsonObject, signal: AbortSignal): Promise<string | undefined> {
    return call.parentId === undefined ? argumentProblem(this.#deps.schemas, tool.inputSchema, args, signal) : sizeProblem(args);
  }

  #find(call: ToolCall): { readonly tool: CatalogTool; readonly definition: ServerDefinition } {
    const definition = this.#deps.definition(call);
    if (!definition) throw new AppError('server/not-found', `There is no server “${call.serverName}” any more`);
    if (!definition.enabled) throw new AppError('server/disabled', `“${definition.name}” is switched off`);
    const tool = this.#deps.tool(call);
    // What a filter hides is called by nobody (F-69), and what is for app windows by them alone (F-70).
    const byApp = call.caller.kind === 'app-window';
    const hidden = byApp ? tool?.notForApps === true || (tool?.hidden !== undefined && tool.hidden !== 'app-only') : tool?.hidden !== undefined;
    if (!tool || hidden) throw new AppError('tool/not-found', `“${definition.name}” has no tool “${call.ref.tool}”`);
    if (tool.ref.revision !== call.ref.revision) throw new AppError('tool/not-found', 'The tool changed meanwhile; look at it again before calling it');
    return { tool, definition };
  }

  #subject(tool: CatalogTool, definition: ServerDefinition): GrantSubject {
    const { inputSchema, outputSchema, annotations, title, description } = tool;
    const runs = this.#deps.packageOf(definition);
    return {
      ...(runs === undefined ? {} : { package: runs }),
      serverId: definition.kin ?? definition.id, serverName: definition.name, serverRevision: definition.revision, target: this.#deps.target(definition),
      tool: tool.ref.tool, toolRevision: tool.ref.revision,
      // Only a grant that is given, or was given to another definition, wants it.
      get definition() {
        return JSON.stringify({ name: tool.ref.tool, title, description, annotations, inputSchema, outputSchema }, null, 2);
      },
    };
  }

  #decide(call: ToolCall, tool: CatalogTool, definition: ServerDefinition, subject: GrantSubject): { readonly verdict: Verdict; readonly check: GrantCheck } {
    const check = this.#deps.grants.check(subject, chatOf(call));
    const settings = this.#deps.settings();
    const verdict = decide({
      caller: call.caller, serverId: definition.id, names: { serverName: definition.name, tool: tool.ref.tool, modelName: tool.modelName },
      preset: settings.approvals, approveTools: settings.approveTools, serverApproveTools: this.#deps.serverApproveTools(definition),
      allowed: check.allowed, stale: check.stale?.what, paused: this.#deps.paused(), keptBy: this.#deps.keptBy(call), inner: call.parentId !== undefined,
    });
    return { verdict, check };
  }

  async #ask(call: ToolCall, tool: CatalogTool, definition: ServerDefinition, because: string, check: GrantCheck, recorder: CallRecorder, signal: AbortSignal): Promise<ApprovalAnswer> {
    const approval: Approval = {
      id: ApprovalId.parse(this.#deps.newId()),
      call, because, askedAt: this.#deps.clock.now(), target: this.#deps.target(definition),
      ...(tool.title === undefined ? {} : { toolTitle: tool.title }),
      toolDescription: tool.description, annotations: tool.annotations, inputSchema: tool.inputSchema,
      ...(check.stale ? { changed: check.stale } : {}),
    };
    if (this.#deps.approvals.canAsk) await recorder.waiting(approval.id);
    return this.#deps.approvals.ask(approval, signal);
  }

  /** What the answer allows: for longer if it says so, and the arguments as the person left them. Edited arguments are judged like any others. */
  async #allow(call: ToolCall, answer: ApprovalAnswer & { decision: 'allow' }, tool: CatalogTool, subject: GrantSubject, signal: AbortSignal): Promise<{ readonly call: ToolCall } | { readonly refused: string }> {
    const chatId = chatOf(call);
    if (answer.scope === 'chat' && chatId !== undefined) this.#deps.grants.allowForChat(chatId, subject);
    if (answer.scope === 'tool' || answer.scope === 'server') await this.#deps.grants.allowAlways(subject, answer.scope, signal);
    if (answer.args === undefined) return { call };
    const problem = await this.#argumentProblem(call, tool, answer.args, signal);
    return problem === undefined ? { call: { ...call, args: answer.args } } : { refused: problem };
  }

  #asOutcome(error: unknown, signal: AbortSignal): ToolOutcome {
    if (signal.aborted) return { kind: 'cancelled' };
    const { code, message, kind } = AppError.from(error);
    if (kind === 'bug') this.#deps.log.error('A tool call met a bug', error);
    return { kind: 'failed', code, message };
  }
}

const chatOf = (call: ToolCall): ChatId | undefined => (call.caller.kind === 'chat' || call.caller.kind === 'direct' ? call.caller.chatId : undefined);
