import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCore } from './core-app.ts';

/** One measurement of `big-result`, in a process of its own. MiB. */
interface Subject {
  readonly way: 'stdio' | 'json' | 'sse';
  readonly url?: string;
  readonly home: string;
}
const { way, url, home } = JSON.parse(process.argv[2] ?? '{}') as Subject; // the benchmark's own
const MiB = 1_048_576;
const program = join(process.cwd(), 'test', 'servers', 'stdio', 'broken.mjs');
const server =
  way === 'stdio'
    ? { name: 'Big', transport: { type: 'stdio' as const, command: process.execPath, args: [program, 'huge-frame'], env: {} } }
    : { name: 'Big', transport: { type: 'streamable-http' as const, url: url ?? '', headers: {} } };

const core = await openCore(home);
const { serverId } = await core.ask('servers.add', server);
const [sixty, echo] = [await core.toolOf(serverId, 'sixty'), await core.toolOf(serverId, 'echo')];
const warm = await core.ask('chats.create', {});
await core.call(warm.chatId, echo, { text: 'hello' }, 20);
await sleep(500);
const { chatId } = await core.ask('chats.create', {});
forgetPeak();
const before = memory('VmRSS');
await core.call(chatId, sixty, {}, 1);
const grown = memory('VmHWM') - before;
const folder = join(home, 'contents', chatId);
const size = Math.max(...readdirSync(folder).map((name) => statSync(join(folder, name)).size)) / MiB;
await core[Symbol.asyncDispose]();
process.send?.({ grown, size }, () => process.disconnect());

/** From here on the kernel's high-water mark is that of the call. */
function forgetPeak(): void {
  writeFileSync('/proc/self/clear_refs', '5');
}

function memory(name: 'VmRSS' | 'VmHWM'): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
}
