import type { config } from '../../../shared/ipc/contract/config.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { sourceViews } from '../../servers/source-views.ts';
import type { Parts } from '../parts.ts';

export const configHandlers = ({ servers }: Parts): Handlers<typeof config> => ({
  // As the files are now: who wrote one a moment ago is not told of the state before.
  'config.sources': async (_input, { signal }) => {
    await servers.load(signal);
    return sourceViews(servers.current.read, servers.current.merged);
  },
  'config.scope': async ({ scope }, { signal }) => {
    await servers.load(signal);
    return servers.scope(scope, signal);
  },
  'config.preview': ({ scope, edits }, { signal }) => servers.preview(scope, edits, signal),
  'config.save': ({ scope, edits }, { signal }) => servers.save(scope, edits, signal),
  'config.validate': async ({ scope }, { signal }) => {
    await servers.load(signal);
    return servers.validate(scope);
  },
});
