/**
 * A Gatehouse core that is always in the middle of something: `node busy-app.js MODEL_URL SCRIPTS_FOLDER WORKER_URL SERVER_FILE`.
 * Says on stdout what it has acknowledged.
 */
import { createApp } from '../../../src/core/app.ts';
import { createNodePorts } from '../../../src/node/node-ports.ts';
import type { ChatId } from '../../../src/shared/ids.ts';
import { MemoryKeyring } from '../memory-keyring.ts';

const [modelUrl = '', scriptsFolder = '', worker = '', serverFile = ''] = process.argv.slice(2);
const node = await createNodePorts({
  // The home stands for the person's folder too: nothing of whoever runs the tests is read.
  env: { ...process.env, HOME: process.env['GATEHOUSE_HOME'], XDG_CONFIG_HOME: undefined },
  interaction: 'person',
  network: { onBack: () => ({ [Symbol.dispose]: () => undefined }) },
  runtime: process.execPath,
  scriptsFolder,
  validatorWorker: new URL(worker), tokenWorker: new URL('token-worker.mjs', import.meta.url),
  keyring: new MemoryKeyring(),
  localServers: [],
});
const app = await createApp(node.ports, { version: '0', environment: node.environment, redactor: node.redactor });
const context = { caller: { door: 'window', windowId: 1 }, signal: new AbortController().signal } as const;
const say = (...words: readonly string[]) => process.stdout.write(`${words.join(' ')}\n`);

async function ask(route: string, input: unknown): Promise<unknown> {
  const reply = await app.dispatch(route, input, context);
  if (!reply.ok) throw new Error(`${route}: ${reply.error.code} ${reply.error.message}`);
  return reply.value;
}

const { providerId } = (await ask('models.save-provider', {
  id: 'test',
  kind: 'openai-compatible',
  name: 'Test',
  baseUrl: modelUrl,
  models: ['m'],
})) as { providerId: string };
await ask('settings.update', { model: { providerId, model: 'm' }, approvals: 'unrestricted', directTools: true });
const rows = Object.values(app.state.current.servers).map((row) => row.definition);
if (!rows.some((row) => row.name === 'Plain')) {
  for (const { id } of rows) await ask('servers.set-enabled', { serverId: id, enabled: false });
  await ask('servers.add', { name: 'Plain', transport: { type: 'stdio', command: process.execPath, args: [serverFile], env: {} } });
}
say('ready');
for (let turn = 0; ; turn += 1) {
  const { chatId } = (await ask('chats.create', {})) as { chatId: ChatId };
  const text = `message ${turn} of ${process.pid}`;
  const done = new Promise<void>((resolve, reject) => {
    app
      .follow(
        `chat/${chatId}`,
        ({ action }) => {
          const { entry } = action as { entry?: { id: string; type: string } };
          if (entry) say('published', chatId, entry.id);
          if (entry?.type === 'run-settled') resolve();
        },
        context.signal,
      )
      .catch(reject);
  });
  await ask('chats.send', { chatId, text });
  say('sent', chatId, text);
  await done;
}
