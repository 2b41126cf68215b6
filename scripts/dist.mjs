/**
 * Packages the app: `npm run dist -- --dir`, `npm run dist -- --linux deb`. Without arguments, an unpacked
 * folder, and on Debian a .deb.
 */
import path from 'node:path';
import { build } from './build.mjs';
import { ROOT, ensureDependencies, program, run } from './setup.mjs';
import { withElectron } from './suites.mjs';

await program((args) => {
  ensureDependencies();
  build();
  const debian = process.platform === 'linux' && run('dpkg-deb', ['--version'], { stdio: 'ignore' }).status === 0;
  const wanted = args.length > 0 ? args : debian ? ['--linux', 'dir', 'deb'] : ['--dir'];
  const env = { ...process.env };
  // fpm, which electron-builder would download, is not needed where dpkg-deb is.
  if (debian) env.CUSTOM_FPM_PATH ??= path.join(ROOT, 'scripts', 'fpm.mjs');
  const [command, ...rest] = withElectron(['electron-builder', '--config', 'electron-builder.mjs', ...wanted]);
  return run(command, rest, { env }).status ?? 1;
});
