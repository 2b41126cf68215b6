import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

// Fixed targets: what the tests run (Electron 33) is byte for byte what ships on Electron 45.
const NODE = 'node20.18';
const CHROME = 'chrome130';

const at = (path: string): string => resolve(import.meta.dirname, path);

/** A worker is an entry of its own, beside index.js: `new Worker(new URL('./validator-worker.js', import.meta.url))`. */
const workers = { 'validator-worker': at('src/node/schema/validator-worker.ts'), 'token-worker': at('src/node/tokens/token-worker.ts') };

export default defineConfig(({ command }) => ({
  main: {
    build: {
      target: NODE,
      // Half the size is half the time to compile it at each start. While developing, names in stacks are worth more.
      minify: command === 'build',
      rolldownOptions: {
        input: {
          index: at('src/main/index.ts'),
          ...Object.fromEntries(Object.entries(workers).filter(([, file]) => existsSync(file))),
        },
        // No folder for chunks: code that finds a worker beside itself may end up in any of them.
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      target: NODE,
      // A sandboxed preload can only be CommonJS, and must be one self-contained file.
      externalizeDeps: false,
      isolatedEntries: true,
      rolldownOptions: {
        input: { app: at('src/preload/app.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    plugins: [react(), tailwindcss()],
    resolve: { alias: { '@rjsf/validator-ajv8': at('build/no-ajv.js') } },
    server: { host: '127.0.0.1', strictPort: false },
    // A worker loads chunks of its own, which only a module can.
    worker: { format: 'es' },
    build: {
      target: CHROME,
      minify: true,
      // Read from disk.
      chunkSizeWarningLimit: 4_000,
      rolldownOptions: {
        input: at('src/renderer/index.html'),
        // What the first page needs is one file: each is a request to main, which has better things to do while the app starts.
        output: { codeSplitting: { groups: [{ name: 'first', test: /src\/renderer\/main\.tsx$/ }] } },
      },
    },
  },
}));
