import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of mode 0700 that is gone when the test ends. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
