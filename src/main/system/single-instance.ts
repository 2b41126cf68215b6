import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';

/** Puts Electron's own data into the home, which also makes the lock one per home. False: another Gatehouse has it, and was told to show itself. */
export function claimHome(home: string): boolean {
  const folder = join(home, 'electron');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  app.setPath('userData', folder);
  app.setPath('sessionData', folder);
  app.setPath('crashDumps', join(folder, 'crashes'));
  return app.requestSingleInstanceLock();
}
