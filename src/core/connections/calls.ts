import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { CallLimits } from './call-limits.ts';
import { asAppError, rpcErrorOf, wasNeverSent } from './failure.ts';
import type { Link } from './link.ts';
import { LostAnswer } from './lost-answer.ts';
import { wasNotAsked } from './outgoing.ts';
import type { CallOptions, CallProgress, RawToolResult } from './session.ts';
import { rawKey } from './wire.ts';

/** The SDK's own limit must never end a call: it also counts while a person is asked. As long as a timer can be, in milliseconds. */
const neverMs = 2_147_483_647;

export interface CallTarget {
  readonly server: string;
  readonly tool: string;
  /** As the server listed it: the new era sends some arguments as headers too, and the schema says which. */
  readonly inputSchema: JsonObject | undefined;
}

/** One call on one link; it is sent once, within limits that all sendings of a call share (F-56). A session that the server forgot is thrown as it is, for the caller to renew. */
export async function callOnce(
  link: Link,
  target: CallTarget,
  args: JsonObject,
  options: CallOptions,
  limits: CallLimits,
): Promise<RawToolResult> {
  try {
    const result: Readonly<Record<string, unknown>> = await link.client.callTool(
      { name: target.tool, arguments: { ...args } },
      {
        signal: limits.signal,
        timeout: neverMs,
        onprogress: (progress) => {
          limits.progressed();
          if (isOwnWord(progress.message)) return;
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
    limits.parent.throwIfAborted();
    if (link.isSessionLoss(error)) throw error;
    throw limits.ended ?? callError(error, link, target);
  }
}

/** What a failed call is to the one who asked: refused, or sent with nobody knowing how it ended. */
function callError(error: unknown, link: Link, target: CallTarget): AppError {
  const known = asAppError(error);
  if (known.code === 'tool/result-too-large' || known.code === 'elicitation/url-required') return known;
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
  if (wasNeverSent(error) || wasNotAsked(error) || app.code === 'auth/sign-in-required' || app.code === 'config/invalid' || wasRefusedHere(error)) return app;
  if (app.kind === 'bug') return app;
  const data = typeof app.data === 'object' && app.data !== null ? app.data : {};
  return new AppError('tool/outcome-unknown', `${app.message}. The call was sent and may have taken effect`, {
    data: { ...data, ...named(target), because: app.code },
    cause: error,
  });
}

/** The SDK reports each round of questions of the new era as if the server had. */
const isOwnWord = (message: string | undefined): boolean => message?.startsWith('Fulfilling input required by ') === true;
/** The SDK did not send it. */
const wasRefusedHere = (error: unknown): boolean =>
  (error instanceof SdkError && (error.code === SdkErrorCode.NotConnected || error.code === SdkErrorCode.CapabilityNotSupported)) ||
  (error instanceof Error && error.message === 'Not connected');
const named = ({ server, tool }: CallTarget): JsonObject => ({ server, tool });

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
