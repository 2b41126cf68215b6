import type { models } from '../../../shared/ipc/contract/models.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const modelHandlers = ({ settings, providers, models: port, state }: Parts): Handlers<typeof models> => ({
  'models.save-provider': async (draft, { signal }) => ({ providerId: await settings.saveProvider(draft, signal) }),
  'models.remove-provider': ({ providerId }, { signal }) => settings.removeProvider(providerId, signal),
  'models.list': async ({ providerId }, { signal }) => {
    const { provider, key } = await providers.open(providerId, signal);
    return port.list(provider, key, signal);
  },
  'models.detect': async (_input, { signal }) => state.apply({ type: 'detected/set', detected: await port.detect(signal) }),
});
