/**
 * `npm run bench [-- NAME… --json]`: bundles bench/main.ts, which plain Node 20 cannot read, and runs it in the
 * project's folder, with a built app in out/ and Electron where ELECTRON_EXEC_PATH says.
 */
import { buildIfStale } from './build.mjs';
import { SetupError, bin, ensureDependencies, ensureSystemPackages, program, run } from './setup.mjs';
import { inDesktop, withElectron } from './suites.mjs';

await program((args) => {
  ensureDependencies();
  ensureSystemPackages('test');
  buildIfStale();
  const bundle = ['build', '--config', 'vite.node.config.ts', '--mode', 'bench', '--logLevel', 'warn'];
  if (run(bin('vite'), bundle).status !== 0) throw new SetupError('the benchmark could not be built');
  const [command, ...rest] = withElectron(inDesktop([process.execPath, 'out-bench/main.js', ...args]));
  return run(command, rest).status ?? 1;
});
