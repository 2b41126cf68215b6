import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const at = (path: string): string => resolve(import.meta.dirname, path);

// What runs as plain Node beside the app: the servers it brings along, and the command line.
const entries = {
  'servers/notes': at('resources/servers/notes/main.ts'),
  'servers/files': at('resources/servers/files/main.ts'),
  'cli/main': at('src/cli/main.ts'),
};

const existing = Object.fromEntries(Object.entries(entries).filter(([, file]) => existsSync(file)));

// `--mode bench`, `--mode bench-search` and `--mode conformance` build these instead, into folders that are never packaged.
const measures: Readonly<Record<string, { readonly folder: string; readonly input: Readonly<Record<string, string>> }>> = {
  bench: { folder: 'out-bench', input: { main: at('bench/main.ts'), 'big-result-subject': at('bench/big-result-subject.ts') } },
  'bench-search': { folder: 'out-bench/search', input: { main: at('bench/search/main.ts') } },
  conformance: { folder: 'out-conformance', input: { client: at('conformance/client.ts'), 'validator-worker': at('src/node/schema/validator-worker.ts') } },
};

export default defineConfig(({ mode }) => ({
  build: {
    ssr: true,
    target: 'node20.18',
    outDir: measures[mode]?.folder ?? 'out',
    // Electron's own parts are already there.
    emptyOutDir: mode in measures,
    copyPublicDir: false,
    minify: false,
    rolldownOptions: {
      input: measures[mode]?.input ?? existing,
      external: ['electron', 'vite', '@napi-rs/keyring', /^@playwright\/test/],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true },
}));
