/**
 * The client under test of the official conformance suite: the whole core on its real ports, used as a person uses it: a server is added, signed in to, connected, its tools
 * called, its resources and prompts read. Started by the suite, see scripts/conformance.mjs.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServerId } from '../src/shared/ids.ts';
import { TestApp } from '../test/support/test-app.ts';
import { answerQuestions } from './answers.ts';
import { signIn } from './person.ts';
import { scenarioOf, type Scenario } from './scenario-context.ts';
import { draftOf } from './server-draft.ts';
import { usesOf, type Use } from './uses.ts';

/** Where the suite says that this client's document is. */
const DOCUMENT = 'https://conformance-test.local/client-metadata.json';
/** A person who is asked again and again gives up. */
const SIGN_INS = 3;
const PRESSES = 5;

const here = dirname(fileURLToPath(import.meta.url));
const parts = { worker: new URL('validator-worker.js', import.meta.url), scriptsFolder: join(here, 'servers'), [Symbol.asyncDispose]: () => Promise.resolve() };

const scenario = scenarioOf(process.argv, process.env);
try {
  await using app = await TestApp.open(parts);
  await app.ask('settings.update', { approvals: 'unrestricted', clientMetadataUrl: DOCUMENT });
  using _answering = answerQuestions(app, (error) => process.stderr.write(`A question was not answered: ${String(error)}\n`));
  await use(app, scenario);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}

async function use(app: TestApp, wanted: Scenario): Promise<void> {
  const { serverId } = await app.ask('servers.add', draftOf(wanted));
  let signIns = 0;
  const signInOnce = async (why: string): Promise<void> => {
    if ((signIns += 1) > SIGN_INS) throw new Error(`Signed in ${SIGN_INS} times, and still: ${why}`);
    await signIn(app, serverId, wanted.context);
  };
  await connect(app, serverId, signInOnce);
  const catalog = await app.ask('servers.catalog', { serverId });
  if (!catalog) return;
  const { chatId } = await app.ask('chats.create', {});
  for (const one of usesOf(wanted, catalog)) await call(app, chatId, serverId, one, signInOnce);
  if (catalog.skills) await useSkills(app, serverId, wanted);
  for (const { uri } of catalog.resources) await app.ask('resources.read', { serverId, uri });
  for (const { name } of catalog.prompts) await app.ask('prompts.get', { serverId, prompt: name, args: {} });
}

/** Until it is connected and wants no sign-in. */
async function connect(app: TestApp, serverId: ServerId, signInOnce: (why: string) => Promise<void>): Promise<void> {
  const row = () => app.state.servers[serverId];
  for (;;) {
    await app.ask('servers.start', { serverId });
    const connection = row()?.connection;
    if (connection?.phase === 'needs' && connection.what === 'sign-in') await signInOnce(connection.message);
    else if (connection?.phase !== 'ready') throw new Error(`It does not connect: ${JSON.stringify(connection)}`);
    else {
      await app.until(({ servers }) => servers[serverId]?.counts !== undefined || servers[serverId]?.connection.phase !== 'ready');
      const wanted = row()?.signIn?.wanted;
      if (!wanted) return;
      await signInOnce(wanted.because);
    }
  }
}

/** Each is loaded as a model would: its SKILL.md, then what that leads to; what is refused leads nowhere. Where the scenario is about looking, nothing is. */
async function useSkills(app: TestApp, serverId: ServerId, { name }: Scenario): Promise<void> {
  const { skills } = await app.ask('skills.list', { serverId });
  if (name.endsWith('-no-prefetch')) return;
  for (const { uri, files } of skills) {
    const { outcome } = await app.ask('skills.read', { serverId, uri });
    if (outcome.kind !== 'succeeded' || files === 'dynamic') continue;
    for (const file of files) if (file.uri !== uri) await app.ask('skills.read', { serverId, uri: file.uri });
  }
}

async function call(app: TestApp, chatId: Parameters<TestApp['call']>[0], serverId: ServerId, { tool, args }: Use, signInOnce: (why: string) => Promise<void>): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    const { outcome } = await app.call(chatId, serverId, tool, { ...args });
    // What a tool's server says of a call is an answer too.
    if (outcome.kind === 'succeeded' || outcome.kind === 'tool-error' || (outcome.kind === 'failed' && outcome.code === 'tool/failed')) return;
    // On a machine that has much to do arguments may not be checked in time: the button is pressed again.
    if (outcome.kind === 'denied' && outcome.by === 'guard' && outcome.reason.includes('could not be checked') && turn < PRESSES) continue;
    if (outcome.kind !== 'failed' || !['auth/scopes-needed', 'auth/sign-in-required'].includes(outcome.code)) throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
    await signInOnce(outcome.message);
  }
}
