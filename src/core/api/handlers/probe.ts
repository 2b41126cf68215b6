import type { probe } from '../../../shared/ipc/contract/probe.ts';
import type { ServerId } from '../../../shared/ids.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const probeHandlers = ({ prober, probeTargets, pool, secretDesk }: Parts): Handlers<typeof probe> => ({
  'servers.test': async (input, { signal }) => {
    const tested: ServerId[] = [];
    try {
      return await prober.test(
        async (preparing) => {
          const target = 'serverId' in input ? probeTargets.saved(input.serverId) : await probeTargets.draft(input.scope, input.draft, input.previousName, preparing);
          tested.push(target.definition.id);
          return target;
        },
        input.timeoutMs,
        signal,
      );
    } finally {
      // What was allowed once was for this test, unless the server is up with it.
      for (const id of tested) if (!pool.isUp(id)) secretDesk.ended(id);
    }
  },
});
