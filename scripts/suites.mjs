/**
 * Runs one suite of tests, with what it needs around it:
 *   node scripts/suites.mjs unit|bundles|e2e [arguments of vitest or playwright]
 */
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfStale } from './build.mjs';
import { ROOT, SetupError, bin, ensureDependencies, ensureSystemPackages, program, run } from './setup.mjs';

export const REPORTS = path.join(ROOT, 'out-tests');
/** What `unhandled-errors.mjs` wrote. */
const UNHANDLED = path.join(REPORTS, 'unhandled.json');
const LINUX = process.platform === 'linux';

/** On Linux, a private display, session bus and keyring around a command. */
export const inDesktop = (command) => (LINUX ? ['bash', 'scripts/with-desktop.sh', ...command] : command);
/** Around a command, the variables that say where Electron is. */
export const withElectron = (command) => [process.execPath, 'scripts/electron-runtime.mjs', '--', ...command];
const vitest = (project) => [
  bin('vitest'), 'run', '--project', project,
  '--reporter=default', '--reporter=json', `--outputFile.json=out-tests/${project}.json`, '--reporter=./scripts/unhandled-errors.mjs',
];

const readVitest = (report) => ({
  passed: report.numPassedTests,
  failed: report.numFailedTests,
  skipped: report.numPendingTests + report.numTodoTests,
  failures: [...unhandled(), ...(report.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const file = path.relative(ROOT, name);
    if (failed.length === 0 && message) return [{ test: file, message }];
    return failed.map((test) => ({ test: `${file} › ${test.fullName}`, message: test.failureMessages.join('\n') }));
  })],
});
const unhandled = () => {
  try {
    return JSON.parse(fs.readFileSync(UNHANDLED, 'utf8')).map((message) => ({ test: 'outside any test', message }));
  } catch {
    return [];
  }
};

const playwrightFailures = ({ suites = [], specs = [] }) => [
  ...specs.flatMap(({ ok, file, title, tests }) =>
    ok ? [] : [{ test: `${file} › ${title}`, message: tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors.map((error) => error.message ?? ''))).join('\n') }],
  ),
  ...suites.flatMap(playwrightFailures),
];
const readPlaywright = (report) => ({
  passed: report.stats.expected + report.stats.flaky,
  failed: report.stats.unexpected,
  skipped: report.stats.skipped,
  failures: [...(report.errors ?? []).map(({ message = '' }) => ({ test: 'outside any test', message })), ...playwrightFailures(report)],
});

const SUITES = {
  unit: { command: inDesktop(vitest('unit')), read: readVitest },
  bundles: { command: vitest('bundles'), read: readVitest, needsBuild: true },
  e2e: {
    command: withElectron(inDesktop([bin('playwright'), 'test'])),
    read: readPlaywright,
    needsBuild: true,
  },
};

/** The numbers of one suite, and what failed. A suite that broke outside any test (an import, a setup), or that ran nothing, counts as one failure. */
export function runSuite(name, extra = []) {
  const { command, read, needsBuild } = SUITES[name];
  const report = path.join(REPORTS, `${name}.json`);
  for (const file of [report, UNHANDLED]) fs.rmSync(file, { force: true });
  if (needsBuild) buildIfStale();
  const { status } = run(command[0], [...command.slice(1), ...extra]);
  let counted = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    counted = read(JSON.parse(fs.readFileSync(report, 'utf8')));
  } catch {
    if (extra.length === 0) process.stderr.write(`${name}: no report was written\n`);
  }
  const ran = counted.passed + counted.failed > 0;
  if ((status !== 0 || !ran) && counted.failed === 0) {
    counted.failed = 1;
    if (counted.failures.length === 0) counted.failures.push({ test: `${name}, outside its tests`, message: ran ? 'Its own output above says why' : 'Nothing ran' });
  }
  return { ...counted, status };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await program(([name, ...extra]) => {
    if (!Object.hasOwn(SUITES, name ?? '')) throw new SetupError(`which suite? ${Object.keys(SUITES).join(', ')}`);
    ensureDependencies();
    ensureSystemPackages('test');
    const { failed, status } = runSuite(name, extra);
    // Arguments may choose another reporter, and then there is nothing to count.
    return extra.length > 0 ? (status ?? 1) : failed > 0 ? 1 : 0;
  });
}
