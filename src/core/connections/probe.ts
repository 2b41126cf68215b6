import { AppError } from '../../shared/errors.ts';
import type { JsonObject } from '../../shared/model/catalog.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';
import type { TestStatus } from '../../shared/ipc/contract/probe.ts';
import { deadline } from '../kernel/deadline.ts';
import { Secret } from '../kernel/secret.ts';
import type { Log } from '../ports.ts';
import { Redactor } from '../secrets/redactor.ts';
import { asAppError } from './failure.ts';
import type { Link } from './link.ts';
import { makeLink } from './make-link.ts';
import type { ConnectionPoolDeps, LaunchProgress, ReadyLaunch } from './session.ts';

export interface TestReport {
  readonly status: TestStatus;
  readonly message?: string;
  readonly tools?: number;
}
export interface ProberDeps extends Pick<ConnectionPoolDeps, 'clock' | 'transports' | 'network' | 'clientInfo' | 'mask'> {
  readonly log: Log;
  /** The person's own environment: a server's words may hold it. */
  readonly environment: (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;
}
/** What is tested: a server, or a draft of one. */
export interface ProbeTarget {
  readonly definition: ServerDefinition;
  readonly resolve: (definition: ServerDefinition, progress: LaunchProgress, signal: AbortSignal) => Promise<ReadyLaunch>;
}

/** A list of tools may have so many pages. */
const pageLimit = 256;
const messageLimit = 300;

/** Tries servers out, apart from their own connections. Whatever it starts is gone when it answers, and at the latest when this is disposed. */
export class Prober implements AsyncDisposable {
  readonly #deps: ProberDeps;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(deps: ProberDeps) {
    this.#deps = deps;
  }

  /** A handshake and a list of tools within `timeoutMs`, stopping not included (U-41). Rejects only when `signal` aborts, and then too after all is stopped. */
  async test(prepare: (signal: AbortSignal) => Promise<ProbeTarget>, timeoutMs: number, signal: AbortSignal): Promise<TestReport> {
    const both = AbortSignal.any([signal, this.#end.signal]);
    const work = this.#prepared(prepare, timeoutMs, both);
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort(new DOMException('The app is closing', 'AbortError'));
    await Promise.allSettled(this.#running);
  }

  async #prepared(prepare: (signal: AbortSignal) => Promise<ProbeTarget>, timeoutMs: number, signal: AbortSignal): Promise<TestReport> {
    let target: ProbeTarget;
    try {
      target = await prepare(signal);
    } catch (error) {
      // A definition that cannot be used is an answer too; whoever asks for what is not there is told so.
      if (error instanceof AppError && error.code === 'config/invalid') return { status: 'error', message: this.#deps.mask(error.message).slice(0, messageLimit) };
      throw error;
    }
    return this.#test(target, timeoutMs, signal);
  }

  async #test({ definition, resolve }: ProbeTarget, timeoutMs: number, signal: AbortSignal): Promise<TestReport> {
    using limit = deadline(timeoutMs, signal);
    let launch: ReadyLaunch | undefined;
    let asking: string | undefined;
    try {
      const link = await makeLink(
        { ...definition, enabled: true },
        {
          ...this.#deps,
          resolveLaunch: async (wanted, progress, ending) => (launch = await resolve(wanted, progress, ending)),
          onState: () => undefined, onLog: () => undefined, onListing: () => undefined,
          // Nothing of earlier connections is believed, and nothing is kept.
          eraCache: { get: () => undefined, set: () => undefined },
        },
        timeoutMs,
        { byPerson: true, asking: (message) => (asking = message), warn: () => undefined },
        limit.signal,
      );
      try {
        return { status: 'valid', tools: await countTools(link, timeoutMs, limit.signal) };
      } finally {
        await link.close().catch((error: unknown) => this.#deps.log.error('A tested connection could not be closed', error));
      }
    } catch (error) {
      signal.throwIfAborted();
      if (limit.expired()) {
        return launch === undefined
          ? { status: 'error', message: asking === undefined ? 'What it needs to start did not come in time' : 'It waits for your permission to read a secret' }
          : { status: 'unreachable', message: `No answer within ${timeoutMs / 1_000} s` };
      }
      return this.#failed(asAppError(error), launch, signal);
    }
  }

  async #failed(error: AppError, launch: ReadyLaunch | undefined, signal: AbortSignal): Promise<TestReport> {
    if (error.kind === 'bug') this.#deps.log.error('A test of a server met a bug', error);
    const message = this.#deps.mask(error.message.replaceAll(/\s+/g, ' ').trim());
    const known = await this.#valuesOf(launch, signal);
    return { status: statusOf(error), message: known.mask(message) === message ? message.slice(0, messageLimit) : ownWords(error) };
  }

  /** U-40: everything that must not be in the answer, in whatever encoding. A server quotes what it was given. */
  async #valuesOf(launch: ReadyLaunch | undefined, signal: AbortSignal): Promise<Redactor> {
    const redactor = new Redactor();
    const add = (value: string | Secret) => redactor.register(typeof value === 'string' ? new Secret(value) : value);
    if (launch === undefined) return redactor;
    switch (launch.type) {
      case 'stdio': {
        launch.launch.args.forEach(add);
        Object.values(launch.launch.env).forEach(add);
        const environment = await this.#deps.environment(signal).catch((): Readonly<Record<string, string>> => ({}));
        for (const [name, value] of Object.entries(environment)) if (!tellsNothing.has(name) && value.length >= 8) add(value);
        return redactor;
      }
      case 'streamable-http':
      case 'sse':
        Object.values(launch.headers).forEach(add);
        if (typeof launch.url !== 'string') add(launch.url);
        return redactor;
      case 'socket':
        return redactor;
    }
  }
}

/** Folders and words that stand in half of all error messages, and are no secret. */
const tellsNothing: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'LANG', 'PATH', 'TMPDIR', 'TEMP', 'TMP', 'HOSTNAME', 'EDITOR', '_']);

/** U-42. */
const statusOf = ({ code }: AppError): TestStatus => (code === 'connection/unreachable' || code === 'connection/timed-out' ? 'unreachable' : 'error');

/** Without a word of the server's. */
function ownWords({ code, data }: AppError): string {
  const facts: Readonly<Record<string, unknown>> = typeof data === 'object' && data !== null ? { ...data } : {};
  switch (code) {
    case 'server/exited':
      return typeof facts['exitCode'] === 'number' ? `The server exited with code ${facts['exitCode']}` : 'The server ended';
    case 'server/http-error':
      return typeof facts['status'] === 'number' ? `The server answered HTTP ${facts['status']}` : 'The server answered with an error';
    case 'launch/command-not-found':
      return 'The command was not found';
    case 'launch/not-permitted':
      return 'The command may not be started';
    case 'connection/unreachable':
      return 'The server cannot be reached';
    case 'connection/timed-out':
      return 'The server did not answer in time';
    case 'auth/sign-in-required':
      return 'The server asks for a sign-in';
    default:
      return 'The server does not answer as an MCP server should';
  }
}

async function countTools(link: Link, pageMs: number, signal: AbortSignal): Promise<number> {
  if (link.capabilities['tools'] === undefined) return 0;
  let params: JsonObject = {};
  let count = 0;
  for (let page = 1; ; page += 1) {
    const { tools, nextCursor } = await link.request('tools/list', params, pageMs, signal);
    if (!Array.isArray(tools)) throw new AppError('server/protocol-error', 'The server’s list of tools is no list');
    count += tools.length;
    if (typeof nextCursor !== 'string' || page >= pageLimit) return count;
    params = { cursor: nextCursor };
  }
}
