/**
 * Everything that must hold, closed by one line that counts the tests:
 *   node scripts/test.mjs           all of it
 *   node scripts/test.mjs --check   types, lint and unit tests: what to run before each push
 */
import fs from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { build } from './build.mjs';
import { bin, ensureDependencies, ensureSystemPackages, program, run } from './setup.mjs';
import { REPORTS, runSuite } from './suites.mjs';

const command =
  (file, ...args) =>
  () =>
    run(file, args).status === 0;

const STEPS = {
  typecheck: command(process.execPath, 'scripts/typecheck.mjs'),
  lint: command(bin('oxlint'), '--type-aware', '--deny-warnings'),
  knip: command(bin('knip')),
  build: () => {
    build();
    return true;
  },
};
// The layers and the size limits are unit tests.
const CHECK = ['typecheck', 'lint', 'unit'];
const ALL = ['typecheck', 'lint', 'knip', 'unit', 'build', 'bundles', 'e2e'];

await program((args) => {
  ensureDependencies();
  ensureSystemPackages('test');
  fs.rmSync(REPORTS, { recursive: true, force: true });
  const total = { passed: 0, failed: 0, skipped: 0 };
  const failures = [];
  let stopped = '';
  for (const name of args.includes('--check') ? CHECK : ALL) {
    const started = Date.now();
    console.log(`\n== ${name}`);
    if (!Object.hasOwn(STEPS, name)) {
      const counted = runSuite(name);
      for (const key of Object.keys(total)) total[key] += counted[key];
      failures.push(...counted.failures);
    } else if (!STEPS[name]()) {
      // Not a test, yet never to be read as "0 failed".
      stopped = name;
      total.failed += 1;
    }
    console.log(`== ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
    if (stopped) break;
  }
  // Once more at the end: of a long log often only that is kept.
  for (const { test, message } of failures) console.log(`\nFAILED ${test}\n${stripVTControlCharacters(message).slice(0, 2000)}`);
  if (stopped) console.log(`\n${stopped} failed; what comes after it was not run`);
  console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
});
