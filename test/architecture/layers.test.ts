import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { checkLayers } from './check-layers.ts';
import { layers, resourceLayers } from './layers.ts';

const planted: string[] = [];
afterEach(() => {
  for (const folder of planted.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Reports of a tree that holds just these files. */
const reports = (files: Readonly<Record<string, string>>): string[] => {
  const root = mkdtempSync(join(tmpdir(), 'layers-'));
  planted.push(root);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return checkLayers(root, layers);
};

it('every import stays within its layer', () => {
  expect(checkLayers('src', layers)).toEqual([]);
});

it('the servers that come along share nothing with the app', () => {
  expect(existsSync('resources/servers') ? checkLayers('resources', resourceLayers) : []).toEqual([]);
});

describe('a planted fault is reported', () => {
  const cases: readonly (readonly [name: string, file: string, text: string, report: string])[] = [
    ['a folder of its own', 'plugins/a.ts', '', "no layer 'plugins'"],
    ['shared uses core', 'shared/a.ts', "import { b } from '../core/kernel/b.ts';", 'shared may not import core (core/kernel/b.ts)'],
    ['core uses Node', 'core/kernel/a.ts', "import { readFile } from 'node:fs/promises';", "core may not use 'node:fs/promises'"],
    ['core uses Node types', 'core/kernel/a.ts', "import type { Stats } from 'node:fs';", "core may not use 'node:fs'"],
    ['core uses Electron', 'core/kernel/a.ts', "import { app } from 'electron';", "core may not use 'electron'"],
    [
      'core uses the stdio client',
      'core/kernel/a.ts',
      "import { x } from '@modelcontextprotocol/client/stdio';",
      "core may not use '@modelcontextprotocol/client/stdio'",
    ],
    ['core uses node/', 'core/kernel/a.ts', "import type { B } from '../../node/b.ts';", 'core may not import node (node/b.ts)'],
    ['core brings in types', 'core/kernel/a.ts', '/// <reference types="node" />', "core may not refer to the types of 'node'"],
    ['an unknown slice', 'core/plugins/a.ts', '', "'plugins' is not a listed slice of core"],
    ['an import upwards', 'core/policy/a.ts', "import { run } from '../runs/run.ts';", 'policy may not import upwards (core/runs/run.ts)'],
    ['a type from above', 'core/guard/a.ts', "import type { App } from '../app.ts';", 'guard may not import upwards (core/app.ts)'],
    ['a type from above, inline', 'core/guard/a.ts', "type A = import('../app.ts').App;", 'guard may not import upwards (core/app.ts)'],
    ['an unfiled package', 'node/a.ts', "import lodash from 'lodash';", "node may not use 'lodash'"],
    ['a bare Node module', 'node/a.ts', "import fs from 'fs';", "node may not use 'fs'"],
    ['a dynamic import', 'node/a.ts', "await import('left-pad');", "node may not use 'left-pad'"],
    ['a require', 'node/a.ts', "const x = require('left-pad');", "node may not use 'left-pad'"],
    ['a re-export', 'node/a.ts', "export * from '../main/b.ts';", 'node may not import main (main/b.ts)'],
    ['http uses main', 'http/a.ts', "import { b } from '../main/b.ts';", 'http may not import main (main/b.ts)'],
    ['the CLI uses Electron', 'cli/a.ts', "import { app } from 'electron';", "cli may not use 'electron'"],
    ['main uses the window', 'main/a.ts', "import { b } from '../renderer/ui/b.tsx';", 'main may not import renderer (renderer/ui/b.tsx)'],
    [
      'the preload uses values',
      'preload/app.ts',
      "import { errors } from '../shared/errors.ts';",
      'only types may come from shared/errors.ts',
    ],
    ['the preload uses zod', 'preload/app.ts', "import { z } from 'zod';", "preload may not use 'zod'"],
    [
      'the window uses the contract',
      'renderer/ui/a.tsx',
      "import { contract } from '../../shared/ipc/contract.ts';",
      'only types may come from shared/ipc/contract.ts',
    ],
    [
      'the window uses core',
      'renderer/ui/a.tsx',
      "import type { App } from '../../core/app.ts';",
      'renderer may not import core (core/app.ts)',
    ],
    ['the window uses Node', 'renderer/ui/a.tsx', "import 'node:fs';", "renderer may not use 'node:fs'"],
    [
      'features meet',
      'renderer/features/chat/a.tsx',
      "import { b } from '../servers/b.tsx';",
      'features may not import each other (renderer/features/servers/b.tsx)',
    ],
    [
      'a primitive knows a feature',
      'renderer/ui/a.tsx',
      "import { b } from '../features/chat/b.tsx';",
      'ui may not import upwards (renderer/features/chat/b.tsx)',
    ],
    ['a receiver elsewhere', 'main/windows/a.ts', "import { ipcMain } from 'electron';", 'ipcMain belongs in main/ipc/ and preload/'],
    [
      'a receiver by namespace',
      'main/windows/a.ts',
      "import * as e from 'electron'; e.ipcMain.on('x', f);",
      'ipcMain belongs in main/ipc/ and preload/',
    ],
    ['a sender elsewhere', 'main/system/a.ts', "window.webContents.send('x');", 'webContents.send belongs in main/ipc/ and preload/'],
    ['no extension', 'core/kernel/a.ts', "import { b } from './b';", "'./b' lacks its extension"],
    ['an index file', 'core/kernel/index.ts', '', 'no index files'],
    ['a drawer', 'node/utils/a.ts', '', 'name it after what is in it'],
    ['a drawer file', 'node/home/helpers.ts', '', 'name it after what is in it'],
  ];
  it.each(cases)('%s', (_name, file, text, report) => {
    expect(reports({ [file]: text })).toEqual([`${file}: ${report}`]);
  });
});

it('what the table allows is not reported', () => {
  expect(
    reports({
      'shared/ids.ts': "import { z } from 'zod';",
      'core/runs/run.ts': [
        "import { decide } from '../policy/decide.ts';",
        "import type { Ports } from '../ports.ts';",
        "import { sha256 } from '@noble/hashes/sha2.js';",
      ].join('\n'),
      'node/a.ts': [
        "import fs from 'node:fs';",
        "import type { Ports } from '../core/ports.ts';",
        "import { createOpenAI } from '@ai-sdk/openai';",
      ].join('\n'),
      'main/index.ts': "import { app } from 'electron'; import { serve } from '../http/server.ts';",
      'main/ipc/window-door.ts': "import { ipcMain } from 'electron'; window.webContents.send('state');",
      'preload/app.ts': [
        "import { ipcRenderer } from 'electron';",
        "import { channels } from '../shared/ipc/channels.ts';",
        "import type { Wire } from '../shared/errors.ts';",
      ].join('\n'),
      'renderer/main.tsx': "import './main.css'; import { Shell } from './app/shell.tsx';",
      'renderer/app/shell.tsx': "import { Chat } from '../features/chat/page.tsx'; import { createRoot } from 'react-dom/client';",
      'renderer/features/chat/page.tsx': [
        "import type { contract } from '../../../shared/ipc/contract.ts';",
        "import { b } from './b.ts';",
        "import { c } from '../../ui/c.tsx';",
      ].join('\n'),
      'core/kernel/lanes.test.ts': "import { it } from 'vitest';",
    }),
  ).toEqual([]);
});
