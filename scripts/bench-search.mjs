/** `npm run bench:search [-- --servers FILE --queries FILE --json]`: measures tool search; needs neither the built app nor a display. */
import { SetupError, bin, ensureDependencies, program, run } from './setup.mjs';

await program((args) => {
  ensureDependencies();
  const bundle = ['build', '--config', 'vite.node.config.ts', '--mode', 'bench-search', '--logLevel', 'warn'];
  if (run(bin('vite'), bundle).status !== 0) throw new SetupError('the benchmark could not be built');
  return run(process.execPath, ['out-bench/search/main.js', ...args]).status ?? 1;
});
