// A server with helpers that are hard to end: one in its group, one in a session of its own, one that lost its parent. All ignore TERM.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [mark] = process.argv.slice(2);
const stubborn = "process.on('SIGTERM', () => {}); process.on('SIGHUP', () => {}); setInterval(() => {}, 1000);";
spawn(process.execPath, ['-e', stubborn, '--', mark], { stdio: 'inherit' });
spawn(process.execPath, ['-e', stubborn, '--', mark], { stdio: 'ignore', detached: true });
// The helper between them is gone at once: what it started has no parent that leads here.
const args = JSON.stringify(['-e', stubborn, '--', mark]);
const between = `require('node:child_process').spawn(process.execPath, ${args}, { stdio: 'ignore' }).unref()`;
spawn(process.execPath, ['-e', between], { stdio: 'ignore' });

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const serverInfo = { name: 'spawner', version: '1.0.0' };
  const hello = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
  const result = method === 'initialize' ? hello : { tools: [] };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});
