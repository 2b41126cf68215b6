import type { servers } from '../../../shared/ipc/contract/servers.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const serverHandlers = ({ servers: store, pool, catalog, remembered, state, inBackground }: Parts): Handlers<typeof servers> => ({
  'servers.add': async ({ scope = 'global', ...draft }, { signal }) => {
    await store.save(scope, [{ op: 'put', draft }], signal);
    const serverId = store.idOf(draft.name, scope);
    inBackground((ending) => pool.start(serverId, ending));
    return { serverId };
  },
  'servers.update': async ({ serverId, draft }, { signal }) => {
    const wasOn = state.current.servers[serverId]?.connection.phase !== 'stopped';
    const next = await store.update(serverId, draft, signal);
    if (wasOn) inBackground((ending) => pool.restart(next, ending));
    return { serverId: next };
  },
  'servers.remove': ({ serverId }, { signal }) => store.remove(serverId, signal),
  'servers.set-enabled': ({ serverId, enabled }, { signal }) => store.setEnabled(serverId, enabled, signal),
  'servers.start': ({ serverId }, { signal }) => {
    catalog.thaw(serverId);
    return pool.start(serverId, signal);
  },
  'servers.stop': ({ serverId }, { signal }) => pool.stop(serverId, 'by-person', signal),
  'servers.restart': ({ serverId }, { signal }) => {
    store.applyPending();
    catalog.thaw(serverId);
    return pool.restart(serverId, signal);
  },
  'servers.catalog': async ({ serverId }) => {
    await remembered();
    return catalog.server(serverId);
  },
  'servers.pause-all': async ({ paused }, { signal }) => {
    state.apply({ type: 'paused/set', paused });
    await pool.setPaused(paused, signal);
  },
});
