import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { CatalogTool } from '../src/shared/model/catalog.ts';
import { openCore, type CoreApp } from './core-app.ts';
import { startEverything } from './everything-server.ts';
import type { Figure } from './figure.ts';
import { interleave, numberOf } from './interleave.ts';
import { temporaryFolder } from './programs.ts';

/** One run is a new chat with this many calls, one after the other. */
const callsPerRun = 60;

/** One call through all that stands between a person's Run and the shown result, against the SDK's client alone, on one server. */
export async function callPathHttp(): Promise<readonly Figure[]> {
  await using server = await startEverything();
  await using home = await temporaryFolder();
  await using core = await openCore(join(home.path, 'home'));
  const transport = { type: 'streamable-http', url: server.url, headers: {} } as const;
  const { serverId } = await core.ask('servers.add', { name: 'Everything', transport });
  const tool = await core.toolOf(serverId, 'echo');
  await using bare = await connectBare(new StreamableHTTPClientTransport(new URL(server.url)));
  return [await compare('call-path', core, bare.client, tool, { message: 'as quick as it gets' })];
}

export async function callPathStdio(): Promise<readonly Figure[]> {
  await using home = await temporaryFolder();
  await using core = await openCore(join(home.path, 'home'));
  const tool = await core.toolOf(core.notes(), 'list_notes');
  const notes = join(process.cwd(), 'out', 'servers', 'notes.js');
  const env = { ...environment(), GATEHOUSE_NOTES_FOLDER: join(home.path, 'other-notes') };
  await using bare = await connectBare(new StdioClientTransport({ command: process.execPath, args: [notes], env, stderr: 'ignore' }));
  return [await compare('call-path-stdio', core, bare.client, tool, {})];
}

type Arguments = Readonly<Record<string, unknown>>;
async function compare(name: string, core: CoreApp, client: Client, tool: CatalogTool, args: Arguments): Promise<Figure> {
  const { subject, baseline } = await interleave(
    async () => {
      const { chatId } = await core.ask('chats.create', {});
      return perCall(() => core.call(chatId, tool, args, callsPerRun));
    },
    () =>
      perCall(async () => {
        for (let done = 0; done < callsPerRun; done += 1) await client.callTool({ name: tool.ref.tool, arguments: { ...args } });
      }),
  );
  return { name, value: numberOf(subject, 'ms'), baseline: numberOf(baseline, 'ms'), unit: 'ms/call', goal: 2 };
}

async function perCall(work: () => Promise<void>): Promise<{ readonly ms: number }> {
  const from = performance.now();
  await work();
  return { ms: (performance.now() - from) / callsPerRun };
}

async function connectBare(transport: Transport): Promise<AsyncDisposable & { readonly client: Client }> {
  const client = new Client({ name: 'bare', version: '1.0.0' });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

const environment = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
