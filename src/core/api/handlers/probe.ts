import type { probe } from '../../../shared/ipc/contract/probe.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const probeHandlers = ({ prober, probeTargets }: Parts): Handlers<typeof probe> => ({
  'servers.test': (input, { signal }) =>
    prober.test(
      async (preparing) => ('serverId' in input ? probeTargets.saved(input.serverId) : probeTargets.draft(input.scope, input.draft, input.previousName, preparing)),
      input.timeoutMs,
      signal,
    ),
});
