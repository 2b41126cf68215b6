import type { projects } from '../../../shared/ipc/contract/projects.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { unifiedDiff } from '../../formats/diff.ts';
import { refuseHttp } from '../refuse-http.ts';
import type { Parts } from '../parts.ts';

const minimalFile = '{\n  "mcpServers": {}\n}\n';

/** Trust is a person's to give, at a window or a terminal. */
export const projectHandlers = ({ servers }: Parts): Handlers<typeof projects> => ({
  'projects.trust': async ({ project, digest }, context) => {
    refuseHttp(context);
    await servers.trust(project, digest, context.signal);
  },
  'projects.refuse': async ({ project, digest }, context) => {
    refuseHttp(context);
    await servers.refuse(project, digest, context.signal);
  },
  'projects.preview-file': async () => {
    const file = servers.projectFile();
    return { file, diff: unifiedDiff(file, undefined, minimalFile), issues: [] };
  },
  'projects.make-file': async (_input, { signal }) => servers.makeProjectFile(minimalFile, signal),
  'projects.distrust': ({ project }, { signal }) => servers.distrust(project, signal),
});
