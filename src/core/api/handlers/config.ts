import type { config } from '../../../shared/ipc/contract/config.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import { sourceViews } from '../../servers/source-views.ts';
import type { Parts } from '../parts.ts';

export const configHandlers = ({ servers }: Parts): Handlers<typeof config> => ({
  'config.sources': async () => sourceViews(servers.current.read, servers.current.merged),
  'config.scope': ({ scope }, { signal }) => servers.scope(scope, signal),
  'config.preview': ({ scope, edits }, { signal }) => servers.preview(scope, edits, signal),
  'config.save': ({ scope, edits }, { signal }) => servers.save(scope, edits, signal),
  'config.validate': async ({ scope }) => servers.validate(scope),
});
