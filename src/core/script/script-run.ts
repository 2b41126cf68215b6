import type { ToolCallId } from '../../shared/ids.ts';
import type { ScriptDetails } from '../../shared/model/script.ts';
import type { ActionAnswer, OwnToolContext } from '../model-tools/own-tool.ts';
import type { ScriptEnd, ScriptSandbox } from '../ports.ts';
import { readReport, scriptSource, type ScriptReport } from './prelude.ts';
import { isCaptureFailure, ScriptHost, type PausedCall, type ScriptHostDeps } from './script-host.ts';
import type { Pause, ScriptRecord } from './script-record.ts';
import { ScriptTime } from './script-time.ts';

export interface ScriptRunDeps extends Omit<ScriptHostDeps, 'onCaptureFailed'> {
  readonly sandbox: ScriptSandbox;
  /** Keeps what the script needs to go on; the newest one counts. */
  readonly keep: (record: ScriptRecord, signal: AbortSignal) => Promise<void>;
  /** How a call ended that an earlier process made for the script; `undefined` when it still only asked: then it is asked again. */
  readonly earlier: (callId: ToolCallId) => Promise<ActionAnswer | undefined>;
}
export interface ScriptResult {
  readonly report: ScriptReport;
  readonly details: ScriptDetails;
  readonly notes: readonly string[];
}

/** One script from its start, or from where it stood still, to its end. Its time stands still while a person is asked. */
export class ScriptRun {
  readonly #deps: ScriptRunDeps;
  readonly #context: OwnToolContext;
  readonly #host: ScriptHost;
  readonly #code: string;
  readonly #timeoutMs: number | null;
  readonly #time: ScriptTime;
  #continuation: string | undefined;
  #pauses: Pause[];
  readonly #over = new AbortController();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(begin: { readonly code: string; readonly timeoutMs: number | null } | ScriptRecord, deps: ScriptRunDeps, context: OwnToolContext) {
    this.#deps = deps;
    this.#context = context;
    this.#code = begin.code;
    this.#timeoutMs = begin.timeoutMs;
    const record = 'v' in begin ? begin : undefined;
    this.#time = new ScriptTime(record ? record.leftMs : begin.timeoutMs, deps.clock);
    this.#continuation = record?.continuation;
    this.#pauses = record ? [...record.pauses] : [];
    this.#host = new ScriptHost({ ...deps, onCaptureFailed: (error) => this.#over.abort(error) }, context, record ?? { trace: [], notes: [] });
  }

  /** Once. Rejects with the signal's reason when that aborts. A script whose calls, or what it needs to go on, cannot be recorded ends. Nothing of it goes on behind it. */
  async run(signal: AbortSignal): Promise<ScriptResult> {
    try {
      return await this.#toTheEnd(AbortSignal.any([signal, this.#over.signal]));
    } catch (error) {
      signal.throwIfAborted();
      if (!isCaptureFailure(error)) throw error;
      return { report: { said: [] }, notes: this.#host.notes, details: { calls: this.#host.trace, timeoutMs: this.#timeoutMs, error: { code: 'call_capture_failed', message: error.message } } };
    } finally {
      this.#over.abort(new DOMException('The script is over', 'AbortError'));
      await Promise.allSettled(this.#asking.values());
    }
  }

  async #toTheEnd(signal: AbortSignal): Promise<ScriptResult> {
    for (;;) {
      await this.#answered(signal);
      const end = await this.#step(signal);
      if (end.kind !== 'paused') return this.#result(end);
      this.#continuation = end.continuation;
      this.#pauses = end.pauses.map(({ id, reason }) => this.#pauses.find((known) => known.id === id) ?? { id, ...readReason(reason) });
      if (!this.#host.over) await this.#keep(signal);
      this.#askNew(signal);
    }
  }

  async #step(signal: AbortSignal): Promise<ScriptEnd> {
    this.#time.begin();
    const answers = this.#pauses.flatMap(({ id, json }) => (json === undefined ? [] : [{ pauseId: id, json }]));
    const end = await this.#deps.sandbox.run(
      {
        source: scriptSource(this.#code),
        host: (name, json, ending) => this.#host.answer(name, json, ending),
        timeoutMs: this.#time.leftMs,
        ...(this.#continuation === undefined ? {} : { resume: { continuation: this.#continuation, answers } }),
      },
      signal,
    );
    this.#time.end();
    return end;
  }

  /** Until there is one answer at least: a script whose calls stand side by side goes on with each. */
  async #answered(signal: AbortSignal): Promise<void> {
    if (this.#continuation === undefined) return;
    this.#askNew(signal);
    while (!this.#pauses.some(({ json }) => json !== undefined)) await Promise.race(this.#asking.values());
  }

  #askNew(signal: AbortSignal): void {
    for (const pause of this.#pauses) {
      if (pause.json !== undefined || this.#asking.has(pause.id)) continue;
      const asked = this.#ask(pause, signal).finally(() => this.#asking.delete(pause.id));
      asked.catch(() => undefined); // whoever waits for an answer hears of it
      this.#asking.set(pause.id, asked);
    }
  }

  async #ask({ id, at, params, callId }: Pause, signal: AbortSignal): Promise<void> {
    const earlier = this.#host.over ? ended : callId === undefined ? undefined : await this.#deps.earlier(callId);
    const json = earlier ? this.#host.settle(at, earlier) : await this.#call(id, { at, params }, signal);
    // What was cut off by the end of this process is no answer.
    signal.throwIfAborted();
    this.#change(id, { json });
    if (!this.#host.over) await this.#keep(signal);
  }

  /** Which call asks the person is known to the record before anybody is asked. The time that it then runs is the script's, and ends with it. */
  async #call(id: string, call: PausedCall, signal: AbortSignal): Promise<string> {
    const late = new AbortController();
    const timer = new AbortController();
    let running = false;
    const record: OwnToolContext['record'] = async (made) => {
      const recorder = await this.#context.record(made);
      this.#change(id, { callId: made.id });
      await this.#keep(signal);
      return {
        ...recorder,
        started: async (started) => {
          await recorder.started(started);
          running = true;
          this.#time.begin();
          if (this.#time.leftMs !== null) this.#deps.clock.sleep(this.#time.leftMs, timer.signal).then(() => late.abort(new DOMException('The script ran out of time', 'AbortError')), () => undefined);
        },
      };
    };
    try {
      return await this.#host.call(call, { ...this.#context, record }, AbortSignal.any([signal, late.signal]));
    } finally {
      timer.abort();
      if (running) this.#time.end();
    }
  }

  #change(id: string, more: Partial<Pause>): void {
    this.#pauses = this.#pauses.map((pause) => (pause.id === id ? { ...pause, ...more } : pause));
  }

  async #keep(signal: AbortSignal): Promise<void> {
    if (this.#continuation === undefined) return;
    await this.#deps.keep(
      { v: 1, code: this.#code, timeoutMs: this.#timeoutMs, leftMs: this.#time.leftMs, trace: this.#host.trace, notes: this.#host.notes, continuation: this.#continuation, pauses: this.#pauses },
      signal,
    );
  }

  #result(end: Exclude<ScriptEnd, { kind: 'paused' }>): ScriptResult {
    const { notes } = this.#host;
    const details = { calls: this.#host.trace, timeoutMs: this.#timeoutMs };
    if (end.kind === 'failed') return { report: { said: [] }, notes, details: { ...details, error: failure(end, this.#code) } };
    const report = readReport(end.text) ?? { said: [], value: end.text };
    const { error } = report;
    return { report, notes, details: error ? { ...details, error: { code: 'script_error', message: error.message, ...withinCode(error.line, this.#code) } } : details };
  }
}

const ended: ActionAnswer = { ok: false, error: { code: 'aborted', message: 'The script ended before this call was made' } };

function readReason(reason: Readonly<Record<string, unknown>>): Pick<Pause, 'at' | 'params'> {
  return reason as Pick<Pause, 'at' | 'params'>; // written by ScriptHost, and the sandbox hands it back as it was
}

function failure(end: ScriptEnd & { kind: 'failed' }, code: string): NonNullable<ScriptDetails['error']> {
  if (end.why === 'timeout') return { code: 'timeout', message: 'The script took longer than it may' };
  const message = { memory: 'The script took more than 64 MiB of memory', calls: 'The script made more calls than a script may', record: 'The script said or was told more than can be kept', busy: 'Too many scripts run at once; try again', error: end.message }[end.why];
  return { code: 'script_error', message, ...withinCode(end.line, code) };
}

const withinCode = (line: number | undefined, code: string): { readonly line?: number } => (line !== undefined && line <= code.split('\n').length ? { line } : {});
