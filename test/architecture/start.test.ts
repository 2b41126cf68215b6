import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { reachedAtStart } from './start.ts';

const planted: string[] = [];
afterEach(() => {
  for (const folder of planted.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** The ways in a tree of these files, whose entry opens the core late, as the app does. */
function ways(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'start-'));
  planted.push(root);
  for (const [file, text] of Object.entries({ 'main/index.ts': "import { open } from './open.ts';", 'main/open.ts': "const { app } = await import('../core/app.ts');", 'core/app.ts': '', ...files })) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return reachedAtStart(root, 'main/index.ts');
}

it('the app starts without the MCP client library, and without a reader of YAML', () => {
  expect(reachedAtStart('src', 'main/index.ts')).toEqual([]);
});

describe('a way to one is found', () => {
  const value = "import { Client } from '@modelcontextprotocol/client';";
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['in the entry', { 'main/index.ts': value }, 'main/index.ts > @modelcontextprotocol/client'],
    ['in the core, which is opened late', { 'core/app.ts': value }, 'main/index.ts > main/open.ts > core/app.ts > @modelcontextprotocol/client'],
    ['through other files', { 'core/app.ts': "import { a } from './auth/a.ts';", 'core/auth/a.ts': "export { b } from './b.ts';", 'core/auth/b.ts': value },
      'main/index.ts > main/open.ts > core/app.ts > core/auth/a.ts > core/auth/b.ts > @modelcontextprotocol/client'],
    ['beside a type', { 'core/app.ts': "import { Client, type Transport } from '@modelcontextprotocol/client';" }, 'main/index.ts > main/open.ts > core/app.ts > @modelcontextprotocol/client'],
    ['by another door of the library', { 'core/app.ts': "import { a } from '@modelcontextprotocol/client/stdio';" }, 'main/index.ts > main/open.ts > core/app.ts > @modelcontextprotocol/client/stdio'],
  ])('%s', (_name, files, way) => expect(ways(files)).toEqual([way]));

  it('not by types, and not by what the core itself loads late', () => {
    expect(ways({
      'core/app.ts': "import type { Client } from '@modelcontextprotocol/client'; import { type Transport } from '@modelcontextprotocol/client'; const a = () => import('./connect.ts');",
      'core/connect.ts': value,
    })).toEqual([]);
  });
});
