import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface HttpServer extends AsyncDisposable {
  readonly url: string;
}

/** The reference server over Streamable HTTP, in a process of its own, on loopback and a free port. */
export async function startEverything(): Promise<HttpServer> {
  const program = createRequire(join(process.cwd(), 'package.json')).resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const loopback = join(process.cwd(), 'test', 'servers', 'http', 'loopback.mjs');
  const child = spawn(process.execPath, ['--import', loopback, program, 'streamableHttp'], {
    env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]): never => {
    throw new Error(`the server ended with ${String(code)}`);
  });
  failed.catch(() => undefined); // Nobody waits for it once the server has started.
  const [told]: unknown[] = await Promise.race([once(child, 'message'), failed]);
  const port = typeof told === 'object' && told !== null && 'port' in told ? Number(told.port) : Number.NaN;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await ended;
    },
  };
}
