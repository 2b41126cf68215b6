import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import { asAppError, rpcErrorOf, wasNeverSent } from './failure.ts';
import type { Link } from './link.ts';
import type { CallOptions, CallProgress, RawToolResult } from './session.ts';
import { LostAnswer, rawKey } from './wire.ts';

/** The SDK's own limit must never be the first to end a call. Milliseconds. */
const behindMs = 60_000;

export interface CallTarget {
  readonly server: string;
  readonly tool: string;
  /** As the server listed it: the new era sends some arguments as headers too, and the schema says which. */
  readonly inputSchema: JsonObject | undefined;
}

/** One call on one link; it is sent once. A session that the server forgot is thrown as it is, for the caller to renew. */
export async function callOnce(
  link: Link,
  target: CallTarget,
  args: JsonObject,
  options: CallOptions,
  signal: AbortSignal,
): Promise<RawToolResult> {
  using limits = new CallLimits(options, signal);
  try {
    const result: Readonly<Record<string, unknown>> = await link.client.callTool(
      { name: target.tool, arguments: { ...args } },
      {
        signal: limits.signal,
        timeout: options.totalMs + behindMs,
        onprogress: (progress) => {
          limits.progressed();
          options.onProgress?.(asProgress(progress));
        },
        // Without an output schema the SDK judges nothing: a result that misfits is still a result.
        ...(link.era === 'modern' && target.inputSchema
          ? { toolDefinition: { name: target.tool, inputSchema: { ...target.inputSchema, type: 'object' } } }
          : {}),
      },
    );
    const raw = result[rawKey];
    return asToolResult(typeof raw === 'object' && raw !== null ? { ...raw } : result);
  } catch (error) {
    signal.throwIfAborted();
    if (link.isSessionLoss(error)) throw error;
    throw limits.ended ?? callError(error, link, target);
  }
}

/** A call's two limits. Aborting is what ends it: the SDK then tells the server. */
class CallLimits implements Disposable {
  readonly #controller = new AbortController();
  readonly #options: CallOptions;
  readonly #parent: AbortSignal;
  readonly #total: ReturnType<typeof setTimeout>;
  #idle: ReturnType<typeof setTimeout>;
  /** Why it was ended, if one of the limits did it. */
  ended: AppError | undefined;

  constructor(options: CallOptions, parent: AbortSignal) {
    this.#options = options;
    this.#parent = parent;
    this.#total = setTimeout(() => this.#end(`The tool did not finish within ${seconds(options.totalMs)}`), options.totalMs);
    this.#idle = this.#startIdle();
    if (parent.aborted) this.#forward();
    else parent.addEventListener('abort', this.#forward, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  progressed(): void {
    clearTimeout(this.#idle);
    this.#idle = this.#startIdle();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.#parent.removeEventListener('abort', this.#forward);
  }

  readonly #forward = (): void => this.#controller.abort(this.#parent.reason);

  #startIdle(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#end(`The tool was silent for ${seconds(this.#options.idleMs)}`), this.#options.idleMs);
  }

  #end(message: string): void {
    this.ended = new AppError('tool/timed-out', `${message}; it was told to stop, and may have done its work all the same`);
    this.#controller.abort(this.ended);
  }
}

/** What a failed call is to the one who asked: refused, or sent with nobody knowing how it ended. */
function callError(error: unknown, link: Link, target: CallTarget): AppError {
  const known = asAppError(error);
  if (known.code === 'tool/result-too-large') return known;
  if (error instanceof ProtocolError && !(error.data instanceof LostAnswer)) {
    return new AppError('tool/failed', `${error.message} (code ${error.code})`, {
      data: { ...named(target), rpcCode: error.code, rpcData: error.data },
      cause: error,
    });
  }
  if (error instanceof SdkHttpError) {
    const said = rpcErrorOf(typeof error.data.text === 'string' ? error.data.text : undefined);
    if (error.status < 500 || said) return asAppError(error);
  }
  const app = asAppError(error, link.ended);
  if (wasNeverSent(error) || app.code === 'auth/sign-in-required' || app.code === 'config/invalid' || wasRefusedHere(error)) return app;
  if (app.kind === 'bug') return app;
  const data = typeof app.data === 'object' && app.data !== null ? app.data : {};
  return new AppError('tool/outcome-unknown', `${app.message}. The call was sent and may have taken effect`, {
    data: { ...data, ...named(target), because: app.code },
    cause: error,
  });
}

/** The SDK did not send it. */
const wasRefusedHere = (error: unknown): boolean =>
  (error instanceof SdkError && (error.code === SdkErrorCode.NotConnected || error.code === SdkErrorCode.CapabilityNotSupported)) ||
  (error instanceof Error && error.message === 'Not connected');
const named = ({ server, tool }: CallTarget): JsonObject => ({ server, tool });
const seconds = (ms: number): string => (ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`);

function asProgress(progress: {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}): CallProgress {
  return {
    done: progress.progress,
    ...(progress.total === undefined ? {} : { total: progress.total }),
    ...(progress.message === undefined ? {} : { message: progress.message }),
  };
}

function asToolResult(raw: JsonObject): RawToolResult {
  const { content, structuredContent, isError, _meta: meta } = raw;
  return {
    content: Array.isArray(content) ? content : [],
    ...(structuredContent === undefined ? {} : { structuredContent }),
    isError: isError === true,
    ...(typeof meta === 'object' && meta !== null ? { meta: { ...meta } } : {}),
    raw,
  };
}
