/** Type-checks every environment of its own, two at a time; main once for each Electron it must run on. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { ensureElectronTypes } from './electron-types.mjs';
import { ROOT, ensureDependencies, program } from './setup.mjs';

const PROJECTS = ['node', 'renderer', 'core', 'electron33', 'window-tests', 'preload'];

const check = (name) =>
  new Promise((resolve) => {
    const args = ['-p', `tsconfig.${name}.json`, '--incremental', '--tsBuildInfoFile', `.cache/tsc/${name}.tsbuildinfo`];
    const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const child = spawn(process.execPath, [tsc, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
    const output = [];
    child.stdout.on('data', (data) => output.push(data));
    child.on('close', (code) => {
      if (code !== 0) process.stdout.write(`types of ${name}:\n${Buffer.concat(output).toString()}`);
      resolve(code === 0);
    });
  });

await program(async (names) => {
  ensureDependencies();
  ensureElectronTypes();
  const waiting = names.length > 0 ? [...names] : [...PROJECTS];
  let failed = 0;
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) if (!(await check(name))) failed += 1;
  };
  await Promise.all([work(), work()]);
  return failed > 0 ? 1 : 0;
});
