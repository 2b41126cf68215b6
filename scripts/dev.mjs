/** The app with a renderer that reloads as it is edited: `npm run dev`. Changes to main restart it. */
import { buildPrograms, forgetBuild } from './build.mjs';
import { ensureDependencies, ensureSystemPackages, program, run } from './setup.mjs';

await program((args) => {
  ensureDependencies();
  ensureSystemPackages('run');
  // What is built for development is not what `npm start` opens.
  forgetBuild();
  buildPrograms();
  return run(process.execPath, ['scripts/electron-runtime.mjs', '--', 'electron-vite', 'dev', '--watch', ...args]).status ?? 1;
});
