import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const program = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
const PATHS = { streamableHttp: '/mcp', sse: '/sse' } as const;

export interface EverythingServer {
  readonly url: string;
  readonly port: number;
  /** Ends the process and waits for it. */
  stop(): Promise<void>;
}

/** The reference server with all features, over stdio. */
export const everythingStdio = { command: process.execPath, args: [program, 'stdio'] } as const;

/** The same over HTTP in a process of its own, on loopback and a free port, or on `port` to stand in for one that was stopped. */
export async function startEverything(transport: keyof typeof PATHS, port = 0): Promise<EverythingServer> {
  const args = ['--import', join(import.meta.dirname, 'loopback.mjs'), program, transport];
  const child = spawn(process.execPath, args, { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-2_000);
  });
  const ended = once(child, 'exit');
  const started = new Promise<number>((resolve, reject) => {
    child.once('message', (message) => {
      const told = typeof message === 'object' && 'port' in message ? message.port : undefined;
      if (typeof told === 'number') resolve(told);
      else reject(new Error('the server did not tell its port'));
    });
    ended.then(() => reject(new Error(`the server did not start: ${errors}`)), reject);
  });
  const bound = await started;
  return {
    url: `http://127.0.0.1:${bound}${PATHS[transport]}`,
    port: bound,
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
