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

/** `--mode bench` builds the benchmark instead, into a folder that is never packaged. */
export default defineConfig(({ mode }) => ({
  build: {
    ssr: true,
    target: 'node20.18',
    outDir: mode === 'bench' ? 'out-bench' : 'out',
    // Electron's own parts are already there.
    emptyOutDir: mode === 'bench',
    copyPublicDir: false,
    minify: false,
    rolldownOptions: {
      input: mode === 'bench' ? { main: at('bench/main.ts'), 'big-result-subject': at('bench/big-result-subject.ts') } : existing,
      external: ['electron', '@napi-rs/keyring', /^@playwright\/test/],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true },
}));
