import { request, type IncomingMessage } from 'node:http';
import * as z from 'zod';
import { ownerHost } from '../http/admit.ts';
import { findDoor, type DoorKey } from '../http/door-place.ts';
import { errno } from '../node/records/storage-problem.ts';
import { AppError } from '../shared/errors.ts';
import { ErrorCode } from '../shared/model/error-code.ts';
import type { Reply } from '../shared/ipc/define.ts';
import type { Envelope, Snapshot } from '../shared/state/follower.ts';
import type { Core } from './client.ts';

/** How long the app may take to say that it is there. Milliseconds. */
const helloMs = 5_000;

/** Replies and lines come from our own app, which was recognised by its folder: only their outer form is looked at. */
const ReplyForm = z.union([
  z.object({ ok: z.literal(true), value: z.unknown().optional() }),
  z.object({ ok: z.literal(false), error: z.object({ code: ErrorCode, message: z.string(), data: z.unknown().optional() }) }),
]);
const Line = z.union([
  z.object({ snapshot: z.object({ seq: z.number(), state: z.unknown() }) }),
  z.object({ envelope: z.object({ seq: z.number(), action: z.unknown() }) }),
]);

/** The running app that uses this home, through its owner door; `undefined` when none does. */
export async function attach(home: string, signal: AbortSignal): Promise<Core | undefined> {
  const door = await findDoor(home);
  if (door === undefined) return undefined;
  const hello = AbortSignal.any([signal, AbortSignal.timeout(helloMs)]);
  try {
    const { statusCode } = await ask(door, 'POST', '/request', { route: 'app.info' }, hello);
    // A crashed app left its files, and another program listens there: ours would know the token.
    if (statusCode !== 200) return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (hello.aborted) throw new AppError('connection/timed-out', 'The running Gatehouse does not answer');
    if (['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE'].includes(errno(error) ?? '')) return undefined;
    throw error;
  }
  return {
    dispatch: (route, input, until) => dispatch(door, route, input, until),
    follow: (topic, listener, until) => follow(door, topic, listener, until),
    // Nothing is held: each request has a connection of its own.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function dispatch(door: DoorKey, route: string, input: unknown, signal: AbortSignal): Promise<Reply<unknown>> {
  try {
    const answer = await ask(door, 'POST', '/request', { route, input }, signal);
    if (answer.statusCode === 413) throw new AppError('request/invalid', 'This is more than Gatehouse takes at once (8 MiB)');
    const reply = ReplyForm.safeParse(parsed(await textOf(answer)));
    if (!reply.success) throw new AppError('connection/closed', `The running Gatehouse refused (${answer.statusCode ?? 0})`);
    return reply.data.ok ? { ok: true, value: reply.data.value } : { ok: false, error: reply.data.error };
  } catch (error) {
    throw lost(error, signal);
  }
}

async function follow(door: DoorKey, topic: string, listener: (envelope: Envelope<unknown>) => void, signal: AbortSignal): Promise<Snapshot<unknown>> {
  const answer = await ask(door, 'GET', `/follow?topic=${encodeURIComponent(topic)}`, undefined, signal).catch((error: unknown) => {
    throw lost(error, signal);
  });
  if (answer.statusCode !== 200) {
    const reply = ReplyForm.safeParse(parsed(await textOf(answer)));
    if (reply.success && !reply.data.ok) throw new AppError(reply.data.error.code, reply.data.error.message, { data: reply.data.error.data });
    throw new AppError('connection/closed', 'The running Gatehouse refused');
  }
  return new Promise((resolve, reject) => {
    let rest = '';
    answer.setEncoding('utf8');
    answer.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) {
        const line = Line.safeParse(parsed(text));
        if (!line.success) continue;
        if ('snapshot' in line.data) resolve({ seq: line.data.snapshot.seq, state: line.data.snapshot.state });
        else listener({ seq: line.data.envelope.seq, action: line.data.envelope.action });
      }
    });
    // Also when it is us who stopped: then the snapshot came long ago, or nobody waits for it.
    answer.on('error', (error) => reject(lost(error, signal)));
    answer.on('close', () => reject(lost(undefined, signal)));
  });
}

function ask(door: DoorKey, method: 'GET' | 'POST', path: string, body: object | undefined, signal: AbortSignal): Promise<IncomingMessage> {
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const headers = {
      host: ownerHost, authorization: `Bearer ${door.token}`, connection: 'close',
      ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length }),
    };
    const asked = request({ socketPath: door.socket, method, path, headers, signal, agent: false }, resolve);
    asked.on('error', reject);
    asked.end(bytes);
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The app went away in the middle, unless it was us who stopped. */
function lost(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof AppError ? error : new AppError('connection/closed', 'The running Gatehouse went away', { cause: error });
}
