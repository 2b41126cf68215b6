/** Sets up what is missing, builds what has changed, and opens the app: `npm start [-- arguments of the app]`. */
import { spawn } from 'node:child_process';
import { buildIfStale } from './build.mjs';
import { ROOT, SetupError, ensureDependencies, ensureSystemPackages, program } from './setup.mjs';

function ensureDisplay() {
  if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return;
  throw new SetupError(
    'there is no display here: neither DISPLAY nor WAYLAND_DISPLAY is set. With the package xvfb, a virtual one will do:\n\n' +
      "  xvfb-run -a -s '-screen 0 1280x800x24' npm start\n",
  );
}

await program(async (args) => {
  ensureDisplay();
  ensureDependencies();
  ensureSystemPackages('run');
  // Reads the `electron` package, so not before it is there.
  const { findElectron } = await import('./electron-runtime.mjs');
  const electron = findElectron();
  buildIfStale();
  const env = { ...process.env, ...electron.env };
  delete env.ELECTRON_RUN_AS_NODE;
  // Root (containers, CI) has no Chromium sandbox.
  const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(electron.exec, [...switches, ROOT, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
});
