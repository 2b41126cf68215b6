import type { ModelStep } from '../../core/ports.ts';
import { AppError, type ErrorCode } from '../../shared/errors.ts';

/** A failed request, and whether asking again may help. */
export interface ModelFailure {
  readonly error: AppError;
  readonly retry: boolean;
}
export interface FailureContext {
  readonly key: string;
  readonly tools: ModelStep['tools'];
  /** Some of the answer had arrived. */
  readonly partial: boolean;
}

/**
 * Any failure of the SDK, of `fetch` or of a provider, in the words of the table. The cause is not kept: it holds the whole conversation.
 */
export function modelFailure(thrown: unknown, context: FailureContext): ModelFailure {
  const ours = thrown instanceof Error && thrown.cause instanceof AppError ? thrown.cause : thrown;
  if (ours instanceof AppError) return { error: ours, retry: false };
  const facts = failureFacts(thrown);
  const { code, retry } = verdict(facts);
  const message = providerWords(facts, context.key);
  const blamed = code === 'model/refused' ? blamedTool(facts.words, context.tools) : {};
  const data = {
    ...(facts.status === undefined ? {} : { status: facts.status }),
    ...(facts.retryAfterMs === undefined ? {} : { retryAfterMs: facts.retryAfterMs }),
    ...blamed,
    ...(context.partial ? { partial: true } : {}),
  };
  return { error: new AppError(code, message, { data }), retry };
}

interface Facts {
  readonly words: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** The name that the provider or the system has for it: `overloaded_error`, `ECONNRESET`. */
  readonly names: readonly string[];
}

function verdict({ status, names, words }: Facts): { readonly code: ErrorCode; readonly retry: boolean } {
  const named = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (status === 401 || status === 403 || named(/authentication_error|invalid_api_key|permission_error|API_KEY_INVALID/))
    return { code: 'model/key-refused', retry: false };
  if (status === 400 && /API key (not valid|expired)/i.test(words)) return { code: 'model/key-refused', retry: false };
  // No money left is told as "too many requests", but waiting does not help.
  if (named(/insufficient_quota|billing/) || status === 402) return { code: 'model/refused', retry: false };
  if (status === 429 || status === 503 || status === 529 || named(/overloaded|rate_limit|UNAVAILABLE|RESOURCE_EXHAUSTED|slow_down/))
    return { code: 'model/overloaded', retry: true };
  if (status !== undefined && status >= 500) return { code: 'model/failed', retry: true };
  if (status === 408 || status === 409) return { code: 'model/failed', retry: true };
  if (status !== undefined && status >= 400) return { code: 'model/refused', retry: false };
  if (named(/invalid_request_error|INVALID_ARGUMENT/)) return { code: 'model/refused', retry: false };
  if (status !== undefined && status >= 300) return { code: 'model/failed', retry: false };
  if (named(/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|EAI_AGAIN|terminated)$/)) return { code: 'model/unreachable', retry: true };
  if (named(systemFault) || named(tlsFault)) return { code: 'model/unreachable', retry: false };
  if (named(/^(server_error|api_error|internal_error|INTERNAL)$/)) return { code: 'model/failed', retry: true };
  return { code: 'model/failed', retry: false };
}

const systemFault = /^(E[A-Z_]{3,}|UND_ERR_[A-Z_]+|TimeoutError|fetch failed|cut-off)$/;
const tlsFault = /^(CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)_[A-Z_]+$/;

/** Collects what is known from the SDK's errors, from error events within a stream, and from what lies beneath a failed `fetch`. */
function failureFacts(thrown: unknown): Facts {
  const names: string[] = [];
  const words: string[] = [];
  let status: number | undefined;
  let retryAfterMs: number | undefined;
  const seen = new Set<unknown>();
  const look = (value: unknown, depth: number): void => {
    if (depth > 6 || seen.has(value)) return;
    seen.add(value);
    if (typeof value === 'string') {
      if (value.trim() !== '') words.push(value);
      return;
    }
    if (!isObject(value)) return;
    for (const name of ['code', 'type', 'status', 'reason']) if (typeof value[name] === 'string') names.push(value[name]);
    if (value instanceof Error && /^(terminated|fetch failed)$/.test(value.message)) names.push(value.message);
    if (value instanceof Error && value.name === 'TimeoutError') names.push(value.name);
    for (const name of ['statusCode', 'status', 'code']) if (status === undefined && isHttpStatus(value[name])) status = value[name];
    retryAfterMs ??= retryAfter(value['responseHeaders']);
    // Most telling first: the provider's own error object, then what lies beneath, then the message around it.
    for (const name of ['data', 'error', 'lastError', 'cause', 'response', 'details']) look(parsedArrayOrObject(value[name]), depth + 1);
    if (Array.isArray(value)) for (const item of value.slice(0, 10)) look(item, depth + 1);
    if (typeof value['responseBody'] === 'string') look(parsedArrayOrObject(value['responseBody']) ?? value['responseBody'], depth + 1);
    if (typeof value['message'] === 'string' && value['message'].trim() !== '') words.push(value['message']);
  };
  look(thrown, 0);
  const chosen = words.find((text) => text !== 'fetch failed') ?? words[0] ?? 'No reason was given';
  return { words: chosen, names, ...(status === undefined ? {} : { status }), ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

function providerWords(facts: Facts, key: string): string {
  const masked = (key.length >= 4 ? facts.words.replaceAll(key, '[key]') : facts.words)
    // Providers quote the ends of a refused key.
    .replace(/\b(sk|pk|key|AIza)[-_]?[A-Za-z0-9_-]*\*{2,}[A-Za-z0-9_*-]*/g, '[key]');
  return masked.length > 1000 ? `${masked.slice(0, 999)}…` : masked;
}

/** Providers blame a tool by its place or by its name, each in another form. */
export function blamedTool(words: string, tools: ModelStep['tools']): { readonly toolIndex?: number; readonly toolName?: string } {
  // Gemini names the tool within `tools[0]`, its one group of them.
  const place = /function_?declarations\[(\d+)\]/i.exec(words) ?? /\btools(?:\[|\.)(\d+)\b/i.exec(words);
  const index = place === null ? undefined : Number(place[1]);
  const named = /(?:function|tool)\s+(?:named\s+)?['"`]([A-Za-z0-9_-]{1,64})['"`]/i.exec(words)?.[1];
  if (index !== undefined && index < tools.length) {
    const byIndex = tools[index]?.name;
    return { toolIndex: index, ...(byIndex === undefined ? {} : { toolName: byIndex }) };
  }
  const nameIndex = named === undefined ? -1 : tools.findIndex(({ name }) => name === named);
  return named === undefined || nameIndex === -1 ? {} : { toolIndex: nameIndex, toolName: named };
}

function retryAfter(headers: unknown): number | undefined {
  if (!isObject(headers)) return undefined;
  const ms = Number(headers['retry-after-ms']);
  if (Number.isFinite(ms) && ms > 0) return ms;
  const value = headers['retry-after'];
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const seconds = Number(value);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(wait) && wait >= 0 ? Math.round(wait) : undefined;
}

function parsedArrayOrObject(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

function isHttpStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 300 && value <= 599;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
