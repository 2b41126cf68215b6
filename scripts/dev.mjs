/** The app with a renderer that reloads as it is edited: `npm run dev`. Changes to main restart it. */
import { buildPrograms, forgetBuild } from './build.mjs';
import { ensureDependencies, ensureSystemPackages, program, run } from './setup.mjs';
import { withElectron } from './suites.mjs';

await program((args) => {
  ensureDependencies();
  ensureSystemPackages('run');
  // What is built for development is not what `npm start` opens.
  forgetBuild();
  buildPrograms();
  const [command, ...rest] = withElectron(['electron-vite', 'dev', '--watch', ...args]);
  return run(command, rest).status ?? 1;
});
