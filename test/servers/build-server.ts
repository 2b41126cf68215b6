import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

export interface BuiltServer extends AsyncDisposable {
  /** Runs with `process.execPath`. */
  readonly file: string;
}

/** Bundles one of the servers that come with the app, as the app's build does, into a folder of its own. */
export async function buildServer(name: 'notes' | 'files'): Promise<BuiltServer> {
  const folder = await mkdtemp(join(tmpdir(), `gatehouse-server-${name}-`));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: true,
      target: 'node20.18',
      outDir: folder,
      minify: false,
      rolldownOptions: {
        input: resolve(import.meta.dirname, `../../resources/servers/${name}/main.ts`),
        output: { format: 'es', entryFileNames: `${name}.js`, chunkFileNames: '[name]-[hash].js' },
      },
    },
    ssr: { noExternal: true },
  });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  return { file: join(folder, `${name}.js`), [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}
