export interface Layer {
  /** Other folders whose files may be imported, values and types. */
  readonly mayImport: readonly string[];
  /** Folders from which types may come, and values only from the files named in `values`. */
  readonly typesFrom?: readonly string[];
  readonly values?: readonly string[];
  /** npm packages and Node modules, types included. A `*` at the end stands for anything. */
  readonly packages: readonly string[];
  /** Slices, top to bottom: each may import itself and those after it, types included. An unlisted slice is an error. */
  readonly order?: readonly string[];
  /** Folders inside the layer whose own folders know nothing of each other. */
  readonly apart?: readonly string[];
  /** Compiled without Node's and the DOM's types: no `/// <reference types>` may bring them in. */
  readonly standardOnly?: true;
}
export type LayerTable = Readonly<Record<string, Layer>>;

/** Who may import whom. This table is the architecture; the test beside it keeps it true. A new package comes with a reason. */
export const layers: LayerTable = {
  shared: { mayImport: [], packages: ['zod'], standardOnly: true },
  core: {
    mayImport: ['shared'],
    packages: ['zod', '@modelcontextprotocol/client', 'jsonc-parser', 'smol-toml', 'yaml', 'diff', '@noble/hashes/*'],
    standardOnly: true,
    order: [
      'app', 'api', 'runs', 'script', 'model-tools', 'app-sessions', 'tool-calls', 'prompts', 'skills', 'dialogue', 'approvals', 'search', 'catalog', 'inspector',
      'connections', 'auth', 'exchange', 'profiles', 'servers', 'settings', 'formats', 'secrets', 'transcripts', 'contents', 'state', 'policy', 'guard', 'ports', 'kernel',
    ],
  },
  node: {
    mayImport: ['core', 'shared'],
    packages: [
      'node:*', 'zod', '@modelcontextprotocol/client', '@modelcontextprotocol/client/stdio', '@napi-rs/keyring', 'ai', '@ai-sdk/*',
      '@cfworker/json-schema', 'jsonc-parser', 'modern-tar', 'run',
      // Counts what tool definitions cost, on a thread of its own.
      'gpt-tokenizer/*',
      // Dials a checked address, through the person's proxies, with the system's certificates: Node's own `fetch` takes none of these.
      'undici',
    ],
  },
  http: { mayImport: ['node', 'core', 'shared'], packages: ['node:*', 'zod'] },
  cli: { mayImport: ['http', 'node', 'core', 'shared'], packages: ['node:*', 'zod', 'commander', '@bomb.sh/tab', '@bomb.sh/tab/*'] },
  main: { mayImport: ['http', 'node', 'core', 'shared'], packages: ['electron', 'node:*'] },
  preload: { mayImport: [], typesFrom: ['shared'], values: ['shared/ipc/channels.ts'], packages: ['electron'] },
  renderer: {
    mayImport: ['shared'],
    packages: [
      'react', 'react/*', 'react-dom', 'react-dom/*', 'zustand', 'zustand/*', 'radix-ui', 'lucide-react', 'cmdk', 'react-markdown',
      'remark-gfm', 'rehype-sanitize', 'marked', 'shiki', 'shiki/*', '@tanstack/react-virtual', '@rjsf/*', '@cfworker/json-schema', 'clsx',
    ],
    order: ['main', 'app', 'features', 'bridge', 'ui'],
    apart: ['features'],
  },
};

/** The servers that come with Gatehouse are programs of their own: they share nothing with it. */
export const resourceLayers: LayerTable = {
  servers: {
    mayImport: [],
    packages: [
      'node:*', 'zod', '@modelcontextprotocol/server', '@modelcontextprotocol/server/*', '@modelcontextprotocol/server-filesystem/*',
    ],
  },
};

/** Paths inside a layer that another layer may see only as types. */
export const typesOnly = [{ from: 'renderer', to: 'shared/ipc/' }] as const;

/** Electron's messages pass through one place on each side, where the sender is checked. */
export const messageNames = ['ipcMain', 'ipcRenderer', 'webContents.send'] as const;
export const messageFolders = ['main/ipc/', 'preload/'] as const;

/** Names under which anything could be put, and index files that only hand on. */
export const refusedNames = /(^|\/)(utils?|common|helpers?|misc)(\/|\.tsx?$)/;
export const entryFiles = ['main/index.ts'] as const;
