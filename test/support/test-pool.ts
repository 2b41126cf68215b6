import { onTestFinished, vi } from 'vitest';
import { ConnectionPool } from '../../src/core/connections/pool.ts';
import type { CallOptions, ConnectionPoolDeps, EraVerdict, RawToolResult, ReadyLaunch, ServerListing } from '../../src/core/connections/session.ts';
import type { Log } from '../../src/core/ports.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createTransports } from '../../src/node/transports/create-transports.ts';
import { Revision, ServerId } from '../../src/shared/ids.ts';
import type { JsonObject } from '../../src/shared/model/catalog.ts';
import type { ConnectionState, ServerLogLine } from '../../src/shared/model/connection-state.ts';
import type { ServerDefinition } from '../../src/shared/model/server-definition.ts';
import type { ProtocolMode, ServerLimits, ServerOptions as Options } from '../../src/shared/model/server-options.ts';
import { defaultLimits, rulesOf } from '../../src/shared/model/server-rules.ts';
import { nodeLaunch } from './stdio-link.ts';
import { tempFolder } from './temp-folder.ts';

export interface ServerOptions {
  readonly id?: string;
  readonly protocol?: ProtocolMode;
  readonly limits?: ServerLimits;
  /** What else its entry says. */
  readonly options?: Options;
  readonly enabled?: boolean;
  readonly revision?: string;
  /** In place of what the definition says. */
  readonly launch?: () => ReadyLaunch | Promise<ReadyLaunch>;
}
type Transport = ServerDefinition['transport'];

export const http = (url: string): Transport => ({ type: 'streamable-http', url, headers: {} });
export const sse = (url: string): Transport => ({ type: 'sse', url, headers: {} });
export const socket = (path: string): Transport => ({ type: 'socket', path });
/** A server of test/servers/stdio. */
export const stdio = (name: string, ...args: string[]): Transport => ({
  type: 'stdio',
  command: process.execPath,
  args: [...nodeLaunch(name, args).args],
  env: {},
});

export type Failing = Extract<ConnectionState, { readonly failure: unknown }>;

/** A pool on real transports that remembers what it reported; ends with its test. */
export class TestPool {
  readonly pool: ConnectionPool;
  readonly states = new Map<ServerId, ConnectionState[]>();
  readonly listings = new Map<ServerId, ServerListing[]>();
  readonly lines: (ServerLogLine & { readonly serverId: ServerId })[] = [];
  readonly eras = new Map<Revision, EraVerdict>();
  readonly bugs: unknown[] = [];
  /** A test whose pool cannot close everything says so. */
  endsBadly = false;
  readonly #launches = new Map<ServerId, () => ReadyLaunch | Promise<ReadyLaunch>>();
  readonly #back = new Set<() => void>();

  constructor(deps: Partial<ConnectionPoolDeps> = {}) {
    const log: Log = {
      info: () => undefined,
      warn: () => undefined,
      error: (message, error) => this.bugs.push(new Error(message, { cause: error })),
    };
    this.pool = new ConnectionPool({
      clock: systemClock,
      log,
      transports: createTransports({
        home: tempFolder(),
        waits: { stdinMs: 100, termMs: 100 },
        env: { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm' },
      }),
      network: {
        onBack: (listener) => {
          this.#back.add(listener);
          return { [Symbol.dispose]: () => void this.#back.delete(listener) };
        },
      },
      clientInfo: { name: 'Gatehouse', version: '0.0.1' },
      resolveLaunch: async (definition) => (await this.#launches.get(definition.id)?.()) ?? launchOf(definition),
      mask: (text) => text,
      onState: (serverId, state) => push(this.states, serverId, state),
      onLog: (serverId, line) => this.lines.push({ ...line, serverId }),
      onListing: (serverId, listing) => push(this.listings, serverId, listing),
      eraCache: {
        get: (key) => this.eras.get(key),
        set: (key, verdict) => void (verdict ? this.eras.set(key, verdict) : this.eras.delete(key)),
      },
      rules: (definition) => rulesOf(definition, undefined, { idleTimeout: 10 }),
      ...deps,
    });
    onTestFinished(async () => {
      const [end] = await Promise.allSettled([this.pool[Symbol.asyncDispose]()]);
      if (end.status === 'rejected' && !this.endsBadly) throw end.reason;
    });
  }

  define(transport: Transport, { id = 'srv', protocol, limits, options, enabled = true, revision = '1', launch }: ServerOptions = {}): ServerId {
    const serverId = ServerId.parse(id);
    if (launch) this.#launches.set(serverId, launch);
    this.pool.define({
      id: serverId,
      name: id,
      owner: 'global',
      enabled,
      transport,
      revision: Revision.parse(`${id}-${revision}`),
      options: { ...options, ...(protocol === undefined ? {} : { protocolVersion: protocol }), ...(limits === undefined ? {} : { limits }) },
    });
    return serverId;
  }

  /** Defines it, starts it and expects it to be ready. */
  async ready(transport: Transport, options: ServerOptions = {}): Promise<ServerId> {
    const id = this.define(transport, options);
    await this.pool.start(id, never);
    const state = this.pool.state(id);
    if (state.phase !== 'ready') throw new Error(`Not ready: ${JSON.stringify(state)}`);
    return id;
  }

  /** Defines it, starts it and expects it to have failed. */
  async failing(transport: Transport, options: ServerOptions = {}): Promise<Failing> {
    const id = this.define(transport, options);
    await this.pool.start(id, never);
    const state = this.pool.state(id);
    if (!('failure' in state)) throw new Error(`Not failed: ${JSON.stringify(state)}`);
    return state;
  }

  call(
    id: ServerId,
    tool: string,
    args: JsonObject = {},
    options: Partial<CallOptions> = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<RawToolResult> {
    const { callIdleMs: idleMs, callTotalMs: totalMs } = defaultLimits;
    return this.pool.use(id, (session, using) => session.callTool(tool, args, { idleMs, totalMs, ...options }, using), signal);
  }

  async echo(id: ServerId, text: string): Promise<unknown> {
    return textOf(await this.call(id, 'echo', { text }));
  }

  listing(id: ServerId): ServerListing {
    const last = this.listings.get(id)?.at(-1);
    if (!last) throw new Error('Nothing was listed');
    return last;
  }

  tools(id: ServerId): readonly unknown[] {
    return this.listing(id).tools.map((tool) => (typeof tool === 'object' && tool !== null && 'name' in tool ? tool.name : tool));
  }

  phases(id: ServerId): readonly string[] {
    return (this.states.get(id) ?? []).map(({ phase }) => phase);
  }

  networkIsBack(): void {
    for (const listener of this.#back) listener();
  }
}

export const never = new AbortController().signal;

export function textOf({ content }: RawToolResult): unknown {
  const [first] = content;
  return typeof first === 'object' && first !== null && 'text' in first ? first.text : first;
}

export async function eventually<T>(check: () => T | Promise<T>, ms = 5_000): Promise<T> {
  return vi.waitFor(check, { timeout: ms, interval: 10 });
}

function launchOf({ transport }: ServerDefinition): ReadyLaunch {
  switch (transport.type) {
    case 'stdio':
      return { type: 'stdio', launch: { command: transport.command, args: transport.args, env: {}, ownRuntime: false } };
    case 'socket':
      return transport;
    default:
      return {
        type: transport.type,
        url: transport.url,
        headers: Object.fromEntries(
          Object.entries(transport.headers).flatMap(([name, value]) => ('plain' in value ? [[name, value.plain]] : [])),
        ),
      };
  }
}

function push<T>(map: Map<ServerId, T[]>, id: ServerId, item: T): void {
  map.set(id, [...(map.get(id) ?? []), item]);
}
