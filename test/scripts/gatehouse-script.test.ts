import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';

/** An app with the script in it, whose binary says how it was started and ends with 7. */
function installed(binary: string): string {
  const app = join(tempFolder(), 'with space');
  mkdirSync(join(app, 'bin'), { recursive: true });
  mkdirSync(dirname(join(app, binary)), { recursive: true });
  copyFileSync('build/cli/gatehouse', join(app, 'bin', 'gatehouse'));
  chmodSync(join(app, 'bin', 'gatehouse'), 0o755);
  writeFileSync(join(app, binary), '#!/bin/sh\nprintf \'%s\\n\' "$ELECTRON_RUN_AS_NODE" "$@"\nexit 7\n', { mode: 0o755 });
  return app;
}

it.runIf(process.platform !== 'win32').each([
  ['Linux', 'gatehouse', 'resources'], ['macOS', 'MacOS/Gatehouse', 'Resources'],
])('the script beside the app on %s starts the app’s own binary as Node, through links, with every argument as it is', (_, binary, resources) => {
  const app = installed(binary);
  const links = tempFolder();
  symlinkSync(join(app, 'bin', 'gatehouse'), join(links, 'far'));
  symlinkSync('far', join(links, 'near'));
  for (const script of [join(app, 'bin', 'gatehouse'), join(links, 'near')]) {
    const { stdout, status } = spawnSync(script, ['mcp', 'add', 'a b', '$HOME'], { encoding: 'utf8' });
    expect(stdout.split('\n')).toEqual(['1', join(app, resources, 'app.asar/out/cli/main.js'), 'mcp', 'add', 'a b', '$HOME', '']);
    expect(status).toBe(7);
  }
});
