/** Bundles bench/main.ts, which plain Node 20 cannot read, and runs it beside a built app: `npm run bench [-- NAME…] [--json]`. */
import { buildIfStale } from './build.mjs';
import { SetupError, ensureDependencies, ensureSystemPackages, program, run } from './setup.mjs';

await program((args) => {
  ensureDependencies();
  ensureSystemPackages('test');
  buildIfStale();
  if (run('node_modules/.bin/vite', ['build', '--config', 'vite.node.config.ts', '--mode', 'bench', '--logLevel', 'warn']).status !== 0) {
    throw new SetupError('the benchmark could not be built');
  }
  const desktop = process.platform === 'linux' ? ['bash', 'scripts/with-desktop.sh'] : [];
  return run(process.execPath, ['scripts/electron-runtime.mjs', '--', ...desktop, process.execPath, 'out-bench/main.js', ...args]).status ?? 1;
});
