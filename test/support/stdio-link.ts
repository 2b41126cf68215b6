import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { onTestFinished, vi } from 'vitest';
import type { ReadyStdioLaunch, StdioTransport, TransportObserver } from '../../src/core/ports.ts';
import { createTransports, type TransportsOptions } from '../../src/node/transports/create-transports.ts';
import { tempFolder } from './temp-folder.ts';

export type LogLine = Parameters<TransportObserver['log']>[0];

export function serverFile(name: string): string {
  return resolve(import.meta.dirname, '../servers/stdio', name);
}

/** A server of ours, run by this Node. */
export function nodeLaunch(name: string, args: readonly string[] = [], more: Partial<ReadyStdioLaunch> = {}): ReadyStdioLaunch {
  return { command: process.execPath, args: [serverFile(name), ...args], env: {}, ownRuntime: false, ...more };
}

export interface StdioLink {
  readonly transport: StdioTransport;
  readonly client: Client;
  readonly log: readonly LogLine[];
  readonly errors: readonly Error[];
  /** How often `onclose` came. */
  readonly closes: () => number;
  readonly call: (tool: string, args?: Record<string, unknown>) => Promise<string>;
}

/** A transport to a server with a client of the SDK on it, not connected yet; closed when the test ends. */
export function stdioLink(launch: ReadyStdioLaunch, options: Partial<TransportsOptions> = {}): StdioLink {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], TERM: 'xterm' };
  const transports = createTransports({ home: tempFolder(), waits: { stdinMs: 100, termMs: 100 }, env, ...options });
  const log: LogLine[] = [];
  const errors: Error[] = [];
  let closes = 0;
  const transport = transports.stdio(launch, { log: (line) => log.push(line) });
  transport.onclose = () => (closes += 1);
  transport.onerror = (error) => errors.push(error);
  const client = new Client({ name: 'test', version: '1.0.0' });
  onTestFinished(() => transport.close());
  return {
    transport, client, log, errors, closes: () => closes,
    async call(tool, args = {}) {
      const { content } = await client.callTool({ name: tool, arguments: args });
      const [first] = content;
      if (first?.type !== 'text') throw new Error('No text came back');
      return first.text;
    },
  };
}

export async function connected(launch: ReadyStdioLaunch, options: Partial<TransportsOptions> = {}): Promise<StdioLink> {
  const link = stdioLink(launch, options);
  await link.client.connect(link.transport);
  return link;
}

/** An argument by which a test finds its own processes again, whoever their parent is by then. What is left at its end is killed. */
export function processMark(): string {
  const mark = `--mark=${randomUUID()}`;
  onTestFinished(() => {
    for (const pid of processesMarked(mark)) process.kill(pid, 'SIGKILL');
  });
  return mark;
}

/** The running processes with that argument; one that has ended and only waits to be collected does not count. Linux only. */
export function processesMarked(mark: string): readonly number[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(mark);
    } catch {
      return false;
    }
  });
}

export async function eventually(check: () => void | Promise<void>, ms = 5_000): Promise<void> {
  await vi.waitFor(check, { timeout: ms, interval: 20 });
}
