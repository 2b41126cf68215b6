import { join } from 'node:path';
import type { BuiltInServers, ReadyStdioLaunch } from '../../core/ports.ts';
import { AppError } from '../../shared/errors.ts';

export interface BuiltInServersOptions {
  /** The program that runs the app: Electron, or Node. */
  readonly runtime: string;
  /** Where `notes.js` and `files.js` are. */
  readonly scriptsFolder: string;
  readonly home: string;
}

/** How Notes and Files are started: by the app's own runtime, never through a package manager. */
export function createBuiltInServers({ runtime, scriptsFolder, home }: BuiltInServersOptions): BuiltInServers {
  const asNode = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return {
    launch(which, project): ReadyStdioLaunch {
      const start = { command: runtime, ownRuntime: true };
      const script = join(scriptsFolder, `${which}.js`);
      switch (which) {
        case 'notes':
          return { ...start, args: [script], env: { ...asNode, GATEHOUSE_NOTES_FOLDER: join(home, 'notes') } };
        case 'files':
          if (project === undefined) throw new AppError('project/needed', 'Files works on a project folder; none is open');
          return { ...start, args: [script, project], cwd: project, env: asNode };
      }
    },
  };
}
