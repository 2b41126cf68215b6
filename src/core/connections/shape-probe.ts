import { AppError } from '../../shared/errors.ts';
import { deadline } from '../kernel/deadline.ts';
import { asAppError, rpcErrorOf, wasNeverSent } from './failure.ts';
import type { HttpTarget } from './http-wire.ts';
import { httpUrl } from './http-headers.ts';
import { outgoing } from './outgoing.ts';
import type { ReadyLaunch } from './session.ts';

/** For the look as a whole. Milliseconds. */
const lookMs = 5_000;
/** So much of a body tells what it is. Characters. */
const bodyLimit = 8_192;
/** After these answers to POST, GET may tell more. */
const askByGet = new Set([404, 405, 406, 415]);
/** Failures of a connect to which what answers at the address may say more. */
const unexplained: ReadonlySet<string> = new Set(['server/http-error', 'server/not-mcp', 'server/protocol-error', 'auth/sign-in-required', 'connection/timed-out', 'connection/closed']);

const question = JSON.stringify({
  jsonrpc: '2.0', id: 1, method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'Gatehouse', version: '0' } },
});

/**
 * F-54: the failure of a connect over HTTP, with what one look at the address says in plain words (`data.verdict`, and the end of the message). Never fails itself; a
 * failure that needs no look stays as it is.
 */
export async function withShape(thrown: unknown, launch: ReadyLaunch | undefined, base: typeof fetch, signal: AbortSignal): Promise<unknown> {
  if (launch?.type !== 'streamable-http' && launch?.type !== 'sse') return thrown;
  const error = asAppError(thrown);
  const data = typeof error.data === 'object' ? { ...error.data } : {};
  // Who answers in JSON-RPC has said what it is.
  if (!unexplained.has(error.code) || 'rpcCode' in data || wasNeverSent(thrown)) return thrown;
  const verdict = await shapeOf(launch, base, signal);
  if (verdict === undefined) return thrown;
  return new AppError(error.code, `${error.message.replace(/\.$/, '')}. ${verdict}`, { data: { ...data, verdict }, cause: thrown });
}

async function shapeOf(target: HttpTarget, base: typeof fetch, signal: AbortSignal): Promise<string | undefined> {
  using limit = deadline(lookMs, signal);
  try {
    const posted = await ask(target, base, 'POST', limit.signal);
    if (!askByGet.has(posted.status)) return verdictOf(posted);
    const got = await ask(target, base, 'GET', limit.signal);
    if (got.status < 300 && got.type === 'text/event-stream') return 'The address speaks the older HTTP+SSE transport only';
    return got.status < 300 ? verdictOf(got) : verdictOf(posted);
  } catch {
    // A look that fails says nothing: the failure itself stands.
    return limit.expired() ? `The address takes connections and says nothing within ${lookMs / 1_000} s` : undefined;
  }
}

interface Seen {
  readonly status: number;
  readonly type: string;
  readonly challenge: string;
  readonly body: string;
}

async function ask(target: HttpTarget, base: typeof fetch, method: 'POST' | 'GET', signal: AbortSignal): Promise<Seen> {
  const headers = new Headers({ accept: method === 'POST' ? 'application/json, text/event-stream' : 'text/event-stream' });
  if (method === 'POST') headers.set('content-type', 'application/json');
  const response = await outgoing(base, target)(httpUrl(target.url), { method, headers, signal, ...(method === 'POST' ? { body: question } : {}) });
  const type = (response.headers.get('content-type') ?? '').split(';', 1).join('').trim().toLowerCase();
  const challenge = response.headers.get('www-authenticate') ?? '';
  // A stream that stays open is told by its type.
  const body = type === 'text/event-stream' ? '' : await firstOf(response);
  if (type === 'text/event-stream') await response.body?.cancel();
  const session = response.headers.get('mcp-session-id');
  if (session !== null && method === 'POST') await endSession(target, base, session, signal);
  return { status: response.status, type, challenge, body };
}

/** A look leaves no session behind. */
async function endSession(target: HttpTarget, base: typeof fetch, session: string, signal: AbortSignal): Promise<void> {
  const headers = new Headers({ 'mcp-session-id': session });
  const response = await outgoing(base, target)(httpUrl(target.url), { method: 'DELETE', headers, signal });
  await response.body?.cancel();
}

async function firstOf(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader && text.length < bodyLimit) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  await reader?.cancel();
  return text.slice(0, bodyLimit);
}

/** `undefined` where the failure has said it all. */
function verdictOf({ status, type, challenge, body }: Seen): string | undefined {
  const isPage = type === 'text/html' || /^\s*<(!doctype|html)/i.test(body);
  const speaksMcp = /"jsonrpc"\s*:\s*"2\.0"/.test(body) || type === 'text/event-stream';
  if (status === 401 || (status === 403 && challenge !== '')) {
    const wants = /^bearer\b/i.test(challenge) ? 'wants a bearer token' : 'wants a sign-in';
    return speaksMcp || /resource_metadata/i.test(challenge) ? `An MCP server is there and ${wants}` : `It ${wants} before it says what it is`;
  }
  if (isPage) return 'The address shows a web page and is no MCP server; its path may be another one, often /mcp';
  if (rpcErrorOf(body)) return 'An MCP server is there and refuses the handshake';
  if (status === 404) return 'Nothing is at this path; its path may be another one, often /mcp or /sse';
  if (status === 405) return 'The web server there takes no messages at this path; its path may be another one, often /mcp';
  if (status >= 300) return undefined;
  if (speaksMcp) return 'An MCP server is there and answers now';
  return type === 'application/json' ? 'The address answers with JSON that is not MCP' : `The address answers with ${type === '' ? 'something' : type} that is not MCP`;
}
