import { AppError } from '../../shared/errors.ts';
import { RunId, ToolCallId, type ChatId, type EntryId } from '../../shared/ids.ts';
import type { Attachment } from '../../shared/model/attachment.ts';
import type { JsonObject, ToolRef } from '../../shared/model/catalog.ts';
import type { ChatTools, ToolName } from '../../shared/model/chat-tools.ts';
import { mayUse } from '../../shared/model/every-tool.ts';
import type { DefinitionCost } from '../../shared/model/cost.ts';
import { ownToolsId } from '../../shared/model/own-tools.ts';
import type { ModelChoice, ModelProvider, ProviderKind } from '../../shared/model/settings.ts';
import type { ToolCall, ToolOutcome } from '../../shared/model/tool-call.ts';
import type { RunEnding } from '../../shared/model/transcript-entry.ts';
import { closing } from '../kernel/closing.ts';
import { Lifetime } from '../kernel/lifetime.ts';
import type { OwnToolContext } from '../model-tools/own-tool.ts';
import { toldCall } from '../model-tools/told-args.ts';
import type { ModelTool } from '../ports.ts';
import type { CallRecorder } from '../tool-calls/tool-calls.ts';
import { profileName } from '../profiles/profile-name.ts';
import type { Transcript } from '../transcripts/transcript.ts';
import { notOfferable, toolsToOffer, type OfferSource } from './offered-tools.ts';
import { executeOwn, isOwnCall, ownCall, resumeOwn, standsStill, topicOf, type OwnCallDeps } from './own-calls.ts';
import type { RunWanted } from './open-run.ts';
import { run, type RunDeps } from './run.ts';

export interface ChatDeps extends Omit<RunDeps, 'recorder' | 'tools' | 'execute' | 'onSent' | 'before' | 'notOffered'>, OwnCallDeps {
  /** One call to a server, by the one door to it. */
  readonly execute: (call: ToolCall, recorder: CallRecorder, signal: AbortSignal) => Promise<ToolOutcome>;
  readonly offers: OfferSource;
  /** Whether the chat's run, if there is one, leaves it this tool. */
  readonly runAllows: (chatId: ChatId, tool: ToolName) => boolean;
  /** What to tell a model that calls a tool by a name which it was not offered (F-99). */
  readonly notOffered: (chatId: ChatId, name: string) => string;
  /** Where the chat's run, if there is one, takes in more servers. */
  readonly runConnections: (chatId: ChatId) => OwnToolContext['run'];
  /** Why a search may load nothing, where that is so (F-103). */
  readonly noLoading: () => string | undefined;
  /** What the definitions of a request cost; resolves to nothing where they could not be counted. */
  readonly cost: (kind: ProviderKind, sent: readonly ModelTool[], signal: AbortSignal) => Promise<DefinitionCost | undefined>;
  readonly defaultModel: () => ModelChoice | undefined;
  readonly serverName: (ref: ToolRef) => string;
  /** Resolves once the chat's list entry says that something is under way, so that a crash is noticed at the next start. */
  readonly onBusy: () => Promise<void>;
  /** A run is over, and nothing of it goes on. */
  readonly onRest: () => void;
}

/** One conversation: its transcript, at most one run at a time, and the calls that a person makes in Direct mode. */
export class Chat implements AsyncDisposable {
  readonly id: ChatId;
  readonly transcript: Transcript;
  readonly #deps: ChatDeps;
  readonly #lifetime = new Lifetime();
  #run: Lifetime | undefined;
  readonly #directCalls = new Map<ToolCallId, AbortController>();
  readonly #madeCalls = new Map<ToolCallId, AbortController>();
  /** Calls of an earlier process that stand still for a person, until `goOn`. */
  #still: readonly ToolCall[] = [];

  constructor(id: ChatId, transcript: Transcript, deps: ChatDeps) {
    this.id = id;
    this.transcript = transcript;
    this.#deps = deps;
    this.#lifetime.own(transcript);
  }

  get running(): boolean {
    return this.#run !== undefined;
  }

  /** Nothing is under way, and nothing stands still. */
  get atRest(): boolean {
    return !this.running && this.#directCalls.size === 0 && this.#madeCalls.size === 0 && this.#still.length === 0;
  }

  get directCalls(): number {
    return this.#directCalls.size;
  }

  /** Nothing of an earlier process is still under way, but for what stands still for a person: says so, honestly, before anything new happens. Answers whether there was anything. */
  async settleLeftovers(): Promise<boolean> {
    const { calls, items, run: view } = this.transcript.store.current;
    const left = Object.values(calls).filter(({ phase }) => phase !== 'settled');
    const open = view.phase === 'running' || left.length > 0;
    const still = new Set<ToolCall>();
    for (const { call, phase } of left) if (phase === 'running' && (await standsStill(call, this.#deps))) still.add(call);
    this.#still = [...still];
    for (const item of items) if (item.kind === 'assistant' && item.finish === undefined) await this.transcript.append({ type: 'step-finished', stepId: item.id, finish: 'cut-off' }, false);
    for (const { call, phase } of left) if (!still.has(call)) await this.#recorder(call.id).settled(phase === 'running' ? lost : { kind: 'cancelled' });
    if (view.phase === 'running' && !this.#still.some((call) => this.#isOfRun(call))) await this.transcript.append({ type: 'run-settled', runId: view.runId, ending: { how: 'interrupted' } }, true);
    return open;
  }

  /** Goes on with what stood still: the person is asked again, and the run that waited for it goes on after it. */
  goOn(): void {
    const still = this.#still;
    this.#still = [];
    const ofRun = still.filter((call) => this.#isOfRun(call));
    for (const call of still) if (!ofRun.includes(call)) void this.#track(call, (signal) => this.#resume(call, undefined, signal));
    const started = this.transcript.entries.findLast((entry) => entry.type === 'run-started');
    if (ofRun.length === 0 || started?.type !== 'run-started') return;
    const lifetime = new Lifetime();
    this.#run = lifetime;
    const { model, runId, profile, ownModel = false } = started;
    const before = async (choice: ModelChoice, signal: AbortSignal) => {
      const { provider } = await this.#deps.provider(choice, signal).catch(() => ({ provider: undefined }));
      await Promise.all(ofRun.map((call) => this.#cancellable(call, signal, (either) => this.#resume(call, provider, either))));
    };
    lifetime.run((signal) => this.#toRest(runId, { choice: model, profile, ownModel }, signal, before).finally(() => this.#rest()), (error) => this.#deps.log.error('A run could not go on', error));
  }

  async #resume(call: ToolCall, provider: ModelProvider | undefined, signal: AbortSignal): Promise<ToolOutcome> {
    await this.#deps.prepare([], signal).catch(() => undefined); // a server that is missing is told by the call that needs it
    const earlier = (callId: ToolCallId) => {
      const view = this.transcript.store.current.calls[callId];
      return view?.phase === 'settled' ? { call: view.call, outcome: view.outcome, started: view.startedAt !== undefined } : undefined;
    };
    return resumeOwn(call, this.#recorder(call.id), this.#context(call, provider), earlier, this.#deps, signal);
  }

  #isOfRun({ id }: ToolCall): boolean {
    return this.transcript.store.current.items.some((item) => item.kind === 'assistant' && item.calls.includes(id));
  }

  /** Resolves when the message is on disk; the run goes on by itself. Throws `chat/busy`, `model/not-chosen`, `storage/failed`. */
  async send(text: string, attachments: readonly Attachment[]): Promise<void> {
    const choice = this.#ready();
    const begin = this.#reserve();
    try {
      await this.#deps.onBusy();
      if (this.transcript.store.current.items.length === 0) await this.#name(text.trim() === '' ? (attachments[0]?.name ?? '') : text);
      await this.transcript.append({ type: 'user-message', text, ...(attachments.length > 0 ? { attachments } : {}) }, true);
    } catch (error) {
      this.#run = undefined;
      throw error;
    }
    begin(choice);
  }

  /** Goes on from wherever the transcript ends. */
  async continue(): Promise<void> {
    const choice = this.#ready();
    const begin = this.#reserve();
    await this.#deps.onBusy();
    begin(choice);
  }

  async stop(): Promise<void> {
    for (const controller of this.#directCalls.values()) controller.abort(new DOMException('Stopped', 'AbortError'));
    await this.#run?.end(new DOMException('Stopped', 'AbortError'));
  }

  async rename(title: string): Promise<void> {
    await this.transcript.append({ type: 'chat-renamed', title }, true);
  }

  /** `undefined`: none of its own. */
  async chooseModel(model: ModelChoice | null | undefined): Promise<void> {
    await this.transcript.append(model === undefined ? { type: 'model-left-open' } : { type: 'model-chosen', model }, true);
  }

  /** Throws `request/invalid` for what is no name (H-16). */
  async chooseProfile(profile: string | null): Promise<void> {
    await this.transcript.append({ type: 'profile-chosen', profile: profile === null ? null : profileName(profile) }, true);
  }

  /** Resolves when the request is written; its outcome is followed. Nothing is sent before its start, which comes after it, has reached the disk. */
  async callTool(ref: ToolRef, args: Readonly<Record<string, unknown>>): Promise<ToolCallId> {
    const serverName = isOwnCall({ ref }) ? 'Gatehouse' : this.#deps.serverName(ref);
    return (await this.#direct({ id: ToolCallId.parse(this.#deps.newId()), ref, serverName, args: { ...args }, caller: { kind: 'direct', chatId: this.id } })).callId;
  }

  /** One of Gatehouse's own tools, used by a person; resolves to its outcome. An abort of the signal cancels it. */
  async useOwnTool(name: string, args: JsonObject, signal: AbortSignal): Promise<ToolOutcome> {
    const { callId, outcome } = await this.#direct(ownCall(name, args, { kind: 'direct', chatId: this.id }, this.#deps.newId));
    const cancel = () => this.cancelCall(callId);
    signal.addEventListener('abort', cancel, { once: true });
    return outcome.finally(() => signal.removeEventListener('abort', cancel));
  }

  async setTools(tools: ChatTools): Promise<void> {
    await this.transcript.append({ type: 'chat-tools-set', tools }, true);
  }

  /** `outcome` never rejects. */
  async #direct(call: ToolCall): Promise<{ readonly callId: ToolCallId; readonly outcome: Promise<ToolOutcome> }> {
    this.#directCalls.set(call.id, new AbortController());
    try {
      await this.#deps.onBusy();
      if (this.transcript.store.current.items.length === 0) await this.#name(topicOf(call));
      await this.transcript.append({ type: 'call-requested', call: toldCall(call) }, false);
    } catch (error) {
      this.#directCalls.delete(call.id);
      throw error;
    }
    return { callId: call.id, outcome: this.#track(call, (signal) => this.#execute(call, this.#recorder(call.id), undefined, signal)) };
  }

  /** Work on a call that no run makes: it can be cancelled, and ends with the chat. Never rejects. */
  #track(call: ToolCall, work: (signal: AbortSignal) => Promise<ToolOutcome>): Promise<ToolOutcome> {
    const controller = this.#directCalls.get(call.id) ?? new AbortController();
    this.#directCalls.set(call.id, controller);
    return new Promise<ToolOutcome>((resolve) => {
      this.#lifetime.run(
        async (ending) => {
          const abort = () => controller.abort(ending.reason);
          ending.addEventListener('abort', abort, { once: true });
          const made = work(controller.signal).finally(() => {
            ending.removeEventListener('abort', abort);
            this.#directCalls.delete(call.id);
          });
          resolve(await made);
        },
        (error) => {
          this.#deps.log.error('A direct call met a bug', error);
          resolve({ kind: 'failed', code: 'internal/bug', message: 'Something went wrong' });
        },
      );
    });
  }

  #execute(call: ToolCall, recorder: CallRecorder, provider: ModelProvider | undefined, signal: AbortSignal): Promise<ToolOutcome> {
    return isOwnCall(call) ? executeOwn(call, recorder, this.#context(call, provider), this.#deps, signal) : this.#deps.execute(call, recorder, signal);
  }

  /** Work on a call that a run, or another call, makes: it ends with that, and can be cancelled by itself; what made it goes on without it (F-62). */
  async #cancellable(call: ToolCall, signal: AbortSignal, work: (either: AbortSignal) => Promise<ToolOutcome>): Promise<ToolOutcome> {
    const controller = new AbortController();
    this.#madeCalls.set(call.id, controller);
    return work(AbortSignal.any([signal, controller.signal])).finally(() => this.#madeCalls.delete(call.id));
  }

  #context(call: ToolCall, provider: ModelProvider | undefined): OwnToolContext {
    const { transcript } = this;
    // A person's call beside a run may outlive it.
    const ofRun = call.caller.kind === 'chat' ? this.#deps.runConnections(this.id) : undefined;
    return {
      caller: call.caller, callId: call.id,
      ...(ofRun ? { run: ofRun } : {}),
      record: async (inner) => {
        await transcript.append({ type: 'call-requested', call: inner }, false);
        return this.#recorder(inner.id);
      },
      cancellable: (inner, signal, work) => this.#cancellable(inner, signal, work),
      mayUse: (tool) => mayUse(transcript.store.current.tools, tool) && this.#deps.runAllows(this.id, tool),
      load: async (tools) => {
        const none = this.#deps.noLoading();
        const left = tools.flatMap((tool) => {
          const why = none ?? (provider && this.#notOfferable(provider.kind, tool));
          return why === undefined ? [] : [{ tool, why }];
        });
        const loaded = tools.filter((tool) => !left.some((one) => one.tool === tool));
        if (loaded.length > 0) await transcript.append({ type: 'tools-loaded', tools: loaded }, false);
        return left;
      },
    };
  }

  #notOfferable(kind: ProviderKind, { serverId, tool }: ToolName): string | undefined {
    const { offers } = this.#deps;
    const known = serverId === ownToolsId ? offers.ownTool(tool) : offers.tool(serverId, tool);
    return known ? notOfferable(kind, known) : 'it is gone';
  }

  cancelCall(callId: ToolCallId): void {
    (this.#directCalls.get(callId) ?? this.#madeCalls.get(callId))?.abort(new DOMException('Cancelled', 'AbortError'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#run?.end(closing);
    await this.#lifetime.end(closing);
  }

  #ready(): ModelChoice {
    if (this.#run) throw new AppError('chat/busy', 'A run is under way in this chat');
    const chosen = this.transcript.store.current.model;
    const choice = chosen === undefined ? this.#deps.defaultModel() : (chosen ?? undefined);
    if (!choice) throw new AppError('model/not-chosen', 'This chat has no model');
    return choice;
  }

  /** Takes the chat's one run at once, so that a second message cannot slip in between. */
  #reserve(): (choice: ModelChoice) => void {
    const lifetime = new Lifetime();
    this.#run = lifetime;
    return (choice) => lifetime.run((signal) => this.#go(choice, signal).finally(() => this.#rest()), (error) => this.#deps.log.error('A run could not be recorded', error));
  }

  #rest(): void {
    this.#run = undefined;
    this.#deps.onRest();
  }

  async #go(choice: ModelChoice, signal: AbortSignal): Promise<void> {
    const runId = RunId.parse(this.#deps.newId());
    const { profile, model } = this.transcript.store.current;
    const ownModel = model !== undefined && model !== null;
    await this.transcript.append({ type: 'run-started', runId, model: choice, ...(profile === undefined ? {} : { profile }), ...(ownModel ? { ownModel } : {}) }, true);
    await this.#toRest(runId, { choice, profile, ownModel }, signal);
  }

  async #toRest(runId: RunId, wanted: RunWanted, signal: AbortSignal, before?: RunDeps['before']): Promise<void> {
    const { run: view } = this.transcript.store.current;
    const deps = { ...this.#runDeps(), ...(before ? { before } : {}) };
    const ending = await run({ ...wanted, chatId: this.id, runId, stepsDone: view.phase === 'running' ? view.step : 0 }, this.transcript, deps, signal);
    if (signal.reason === closing && (await this.#hasStill())) return;
    const said: RunEnding = signal.aborted && signal.reason === closing ? { how: 'interrupted' } : ending;
    await this.transcript.append({ type: 'run-settled', runId, ending: said }, true);
  }

  /** A run that waits for what stands still is not over: the next start goes on with it. */
  async #hasStill(): Promise<boolean> {
    for (const { call, phase } of Object.values(this.transcript.store.current.calls)) if (phase === 'running' && this.#isOfRun(call) && (await standsStill(call, this.#deps))) return true;
    return false;
  }

  #runDeps(): RunDeps {
    return {
      ...this.#deps,
      recorder: (callId) => this.#recorder(callId),
      notOffered: (name) => this.#deps.notOffered(this.id, name),
      tools: ({ scope, settings }) => toolsToOffer(this.#deps.offers, this.transcript.store.current, { scope, settings }),
      execute: (call, recorder, provider, signal) => this.#cancellable(call, signal, (either) => this.#execute(call, recorder, provider, either)),
      onSent: (stepId, provider, tools) => this.#count(stepId, provider.kind, tools),
    };
  }

  /** After the request, beside the answer: counting delays nothing, and a chat without its costs is whole. */
  #count(stepId: EntryId, kind: ProviderKind, tools: readonly ModelTool[]): void {
    this.#lifetime.run(
      async (signal) => {
        const cost = await this.#deps.cost(kind, tools, signal);
        if (cost) await this.transcript.append({ type: 'cost-counted', stepId, cost }, false);
      },
      (error) => this.#deps.log.error('A cost could not be recorded', error),
    );
  }

  async #name(text: string): Promise<void> {
    const line = text.trim().split('\n')[0] ?? '';
    const title = line.length > 60 ? `${line.slice(0, 60).trimEnd()}…` : line;
    if (title !== '') await this.transcript.append({ type: 'chat-renamed', title }, false);
  }

  #recorder(callId: ToolCallId): CallRecorder {
    const { transcript } = this;
    return {
      waiting: async (approvalId) => void (await transcript.append({ type: 'call-waiting', callId, approvalId }, true)),
      started: async (call) => void (await transcript.append({ type: 'call-started', callId, call: toldCall(call) }, true)),
      settled: async (outcome) => void (await transcript.append({ type: 'call-settled', callId, outcome }, true)),
      progress: (progress) => transcript.show({ type: 'progress', callId, progress }),
    };
  }
}

const lost: ToolOutcome = { kind: 'failed', code: 'tool/outcome-unknown', message: 'Gatehouse ended while this call ran' };
