import { runCli } from '../../../src/cli/run-cli.ts';
import { AppError } from '../../../src/shared/errors.ts';

/** The command line of `crash-cli.js ARGUMENT…`, in which something breaks that nobody catches. It says `CRASH_WORDS`. */
setImmediate(function breakInPlace() {
  throw new AppError('storage/failed', `a mishap with ${process.env['CRASH_WORDS'] ?? ''}\n    at theWords (program.mjs:1:1)`);
});
await runCli(process.argv.slice(2));
