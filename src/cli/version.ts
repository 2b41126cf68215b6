import { readFileSync } from 'node:fs';
import * as z from 'zod';

/** Of the package that this program is part of. */
export function ownVersion(): string {
  try {
    return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version;
  } catch {
    return '0.0.0';
  }
}
