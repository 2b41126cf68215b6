import { AppError } from '../../shared/errors.ts';
import type { SignInExchange, SignInStep } from '../../shared/model/sign-in.ts';
import type { Clock } from '../ports.ts';

export interface RecordedFetchDeps {
  readonly clock: Clock;
  readonly step: () => SignInStep;
  readonly mask: (text: string) => string;
  readonly onExchange: (exchange: SignInExchange) => void;
  readonly signal: AbortSignal;
}
/** What may be told with its value; of everything else only the name. */
const open = new Set(['grant_type', 'scope', 'resource', 'token_type_hint', 'requested_token_type', 'subject_token_type']);
const answerLimit = 300;

/** `fetch` for the steps of a sign-in: ends with its signal, and leaves a trace of each request that holds no secret. */
export function recordedFetch(base: typeof fetch, { clock, step, mask, onExchange, signal }: RecordedFetchDeps): typeof fetch {
  return async (input, init) => {
    signal.throwIfAborted();
    const at = clock.now();
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    const told = { at, step: step(), method, url: `${url.origin}${url.pathname}`, sent: namesOf(url, init) };
    const tell = (rest: Pick<SignInExchange, 'status' | 'answer' | 'failure'>) =>
      onExchange({ ...told, ms: clock.now() - at, ...rest });
    try {
      const response = await base(input, { ...init, signal: init?.signal ? AbortSignal.any([signal, init.signal]) : signal });
      const text = await response.text();
      tell({ status: response.status, answer: mask(answerOf(response, text)).slice(0, answerLimit) });
      return new Response([204, 205, 304].includes(response.status) ? null : text, { status: response.status, headers: headersOf(response) });
    } catch (error) {
      tell({ failure: mask(error instanceof AppError || error instanceof Error ? error.message : 'failed').slice(0, answerLimit) });
      throw error;
    }
  };
}

/** The body was read and stands as text: how it was packed is no longer true. */
function headersOf(response: Response): Headers {
  const headers = new Headers(response.headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
  return headers;
}

function namesOf(url: URL, init: RequestInit | undefined): readonly string[] {
  const { body } = init ?? {};
  const headers = new Headers(init?.headers);
  const named = (params: URLSearchParams) => [...params].map(([name, value]) => (open.has(name) ? `${name}=${value.slice(0, 200)}` : name));
  const ofBody = body instanceof URLSearchParams ? named(body) : typeof body === 'string' ? namesOfText(body, headers.get('content-type') ?? '', named) : [];
  const credentials = ['authorization', 'dpop'].filter((name) => headers.has(name)).map((name) => `header ${name}`);
  return [...named(url.searchParams), ...ofBody, ...credentials];
}

function namesOfText(body: string, type: string, named: (params: URLSearchParams) => readonly string[]): readonly string[] {
  if (type.startsWith('application/x-www-form-urlencoded')) return named(new URLSearchParams(body));
  return fieldsOf(body) ?? [];
}

/** An OAuth error says its own words; of everything else only the names. */
function answerOf(response: Response, text: string): string {
  const value = jsonOf(text);
  if (typeof value === 'object' && value !== null && 'error' in value && typeof value.error === 'string') {
    const more = 'error_description' in value && typeof value.error_description === 'string' ? `: ${value.error_description}` : '';
    return `${value.error}${more}`;
  }
  const fields = fieldsOf(text);
  if (fields) return fields.join(', ');
  return text.trim() === '' ? '' : (response.headers.get('content-type') ?? 'text').split(';')[0] ?? '';
}

function fieldsOf(text: string): readonly string[] | undefined {
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).slice(0, 40).map((name) => name.slice(0, 60)) : undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
