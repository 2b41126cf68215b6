import type { RunContinuationState, RunError, Runner } from 'run';
import type { ScriptEnd, ScriptJob, ScriptSandbox } from '../../core/ports.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';

const mebibyte = 1024 * 1024;
const limits = {
  memoryLimitBytes: 64 * mebibyte,
  maxSourceBytes: mebibyte,
  maxResultBytes: 8 * mebibyte,
  maxHostFunctionArgumentsBytes: 5 * mebibyte,
  maxHostFunctionOutputBytes: 9 * mebibyte,
  maxBridgeRequests: 2_000,
  maxInFlightBridgeRequests: 64,
  maxContinuationBytes: 32 * mebibyte,
} as const;
/** What a timer takes at most: 24.8 days stand for no limit. */
const noLimitMs = 2_147_483_647;

type Library = typeof import('run');
interface Loaded {
  readonly library: Library;
  readonly runner: Runner<string>;
}

/** Scripts in QuickJS (`run`), which is loaded with the first one: a megabyte that most starts of the app never need. */
export function createScriptSandbox(): ScriptSandbox {
  let loading: Promise<Loaded> | undefined;
  return {
    async run(job, signal) {
      signal.throwIfAborted();
      const { library, runner } = await (loading ??= load());
      try {
        const end = await runner.run<unknown>({
          source: job.source,
          hostFunctions: { host: { call: hostCall(library, job) } },
          abortSignal: signal,
          limits: { ...limits, timeoutMs: job.timeoutMs ?? noLimitMs },
          ...(job.resume ? { continuation: job.resume.continuation, resolutions: job.resume.answers.map(({ pauseId, json }) => ({ interruptionId: pauseId, value: json })) } : {}),
        });
        if (end.status === 'completed') return typeof end.value === 'string' ? { kind: 'returned', text: end.value } : { kind: 'failed', why: 'error', message: 'The script returned no text' };
        return { kind: 'paused', continuation: end.continuation, pauses: end.interruptions.map(({ id, payload }) => ({ id, reason: payload as JsonObject })) }; // written by hostCall below
      } catch (error) {
        signal.throwIfAborted();
        return failed(error, library);
      }
    },
  };
}

/** The record is plain text here; whoever stores it seals it. */
async function load(): Promise<Loaded> {
  const library = await import('run');
  const codec = { encode: (state: RunContinuationState) => JSON.stringify(state), decode: (text: string) => JSON.parse(text) as RunContinuationState }; // the library checks what it reads
  return { library, runner: library.createRunner<string>({ continuationCodec: codec, continuationAudience: 'gatehouse' }) };
}

const hostCall =
  ({ getHostFunctionContext }: Library, job: ScriptJob) =>
  async (name: unknown, json: unknown): Promise<string> => {
    const context = getHostFunctionContext();
    if (context.resume) return String(context.resume.resolution);
    if (typeof name !== 'string' || typeof json !== 'string') throw new TypeError('host.call takes two strings');
    const answer = await job.host(name, json, context.abortSignal).catch((error: unknown) => {
      // Nobody waits for a script that has ended.
      if (context.abortSignal.aborted) return { kind: 'answer', json: '' } as const;
      throw error;
    });
    return answer.kind === 'answer' ? answer.json : context.interrupt(answer.reason);
  };

function failed(error: unknown, { RunError: known }: Library): ScriptEnd {
  if (!(error instanceof Error)) return { kind: 'failed', why: 'error', message: String(error) };
  const code = known.isInstance(error) ? error.code : 'code' in error ? error.code : undefined;
  const message = /^(Run.*)?Error$/.test(error.name) ? error.message : `${error.name}: ${error.message}`;
  return { kind: 'failed', why: causes[String(code)] ?? (/^out of memory$/.test(error.message) ? 'memory' : 'error'), message, ...lineOf(error) };
}

/** The library counts lines as the source does. */
function lineOf(error: Error): { readonly line?: number } {
  const line = /run\.js:(\d+)/.exec(error.stack ?? '')?.[1];
  return line === undefined ? {} : { line: Number(line) };
}

const causes: Readonly<Record<RunError['code'], (ScriptEnd & { kind: 'failed' })['why']>> = {
  RUN_TIMEOUT: 'timeout',
  RUN_BRIDGE_LIMIT: 'calls',
  RUN_CONCURRENCY_LIMIT: 'busy',
};
