/**
 * A Gatehouse that holds secrets and then breaks, in all the ways that nobody catches: `node crash-app.js SCRIPTS_FOLDER WORKER_URL`, with the values of the secrets in
 * `CRASH_VALUES` and what to say of them in `CRASH_WORDS`. Says on stdout when the person is told.
 */
import { createApp } from '../../../src/core/app.ts';
import { watchIncidents } from '../../../src/main/system/incidents.ts';
import { LateLog } from '../../../src/main/system/late-log.ts';
import { createNodePorts } from '../../../src/node/node-ports.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { MemoryKeyring } from '../memory-keyring.ts';

const [scriptsFolder = '', worker = ''] = process.argv.slice(2);
const { CRASH_VALUES = '[]', CRASH_WORDS: words = '', ...env } = process.env;
const values = JSON.parse(CRASH_VALUES) as readonly string[]; // as the test wrote it
const late = new LateLog();
watchIncidents(late.problem, async () => process.stdout.write('told\n'));

const node = await createNodePorts({
  env, interaction: 'person', network: { onBack: () => ({ [Symbol.dispose]: () => undefined }) },
  runtime: process.execPath, scriptsFolder, validatorWorker: new URL(worker), tokenWorker: new URL('token-worker.mjs', import.meta.url), keyring: new MemoryKeyring(), localServers: [],
});
late.maskWith((text) => node.redactor.mask(text));
const app = await createApp(node.ports, { version: '0', environment: node.environment, redactor: node.redactor });
const context = { caller: { door: 'window', windowId: 1 }, signal: new AbortController().signal } as const;
for (const [at, value] of values.entries()) {
  const reply = await app.dispatch('secrets.put', { scope: 'global', key: `KEY_${at}`, value }, context);
  if (!reply.ok) throw new Error(reply.error.code);
}

const breaks: readonly (() => unknown)[] = [
  function throwInPlace() {
    throw new Error(`a mishap with ${words}`, { cause: new TypeError(`below it ${words}`) });
  },
  function rejectInPlace() {
    void Promise.reject(new AppError('storage/failed', `a refusal with ${words}`, { data: words }));
  },
  function throwText() {
    // Some libraries do.
    // oxlint-disable-next-line typescript/only-throw-error
    throw `a text with ${words}`;
  },
];
/** Each in a turn of its own, so that nobody catches it. */
async function breakAll(): Promise<void> {
  for (const fail of breaks) {
    setImmediate(fail);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}
// Before there is a log, and after.
await breakAll();
late.attach(node.ports.log);
await breakAll();
await app.close();
await node[Symbol.asyncDispose]();
