/** The command line from source: `npm run cli -- mcp list`. Builds what has changed first. */
import path from 'node:path';
import { buildIfStale } from './build.mjs';
import { ROOT, ensureDependencies, program, run } from './setup.mjs';

await program((args) => {
  ensureDependencies();
  buildIfStale();
  // npm starts it in the project's folder; the person stood elsewhere.
  const cwd = process.env.INIT_CWD ?? process.cwd();
  return run(process.execPath, [path.join(ROOT, 'out', 'cli', 'main.js'), ...args], { cwd }).status ?? 1;
});
