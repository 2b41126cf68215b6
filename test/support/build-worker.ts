import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

export interface BuiltProgram extends AsyncDisposable {
  /** A self-contained ES module, for `node` or `new Worker`. */
  readonly file: string;
}

/** Builds one TypeScript entry, as the app's own build would, so that a test can start it as a worker or a process of its own. */
export async function buildProgram(entry: string): Promise<BuiltProgram> {
  const root = resolve(import.meta.dirname, '../..');
  const outDir = await mkdtemp(join(tmpdir(), 'gatehouse-built-'));
  // Native packages are not built in; they are found along the way up from the program.
  await symlink(join(root, 'node_modules'), join(outDir, 'node_modules'), 'junction');
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    build: {
      ssr: true,
      target: 'node20.18',
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      rolldownOptions: { input: { program: resolve(entry) }, external: ['@napi-rs/keyring'], output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
    ssr: { noExternal: true },
  });
  return { file: join(outDir, 'program.mjs'), [Symbol.asyncDispose]: () => rm(outDir, { recursive: true, force: true }) };
}
