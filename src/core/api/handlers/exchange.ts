import type { exchange } from '../../../shared/ipc/contract/exchange.ts';
import type { Handlers } from '../../../shared/ipc/define.ts';
import type { Parts } from '../parts.ts';

export const exchangeHandlers = ({ exchange: ways }: Parts): Handlers<typeof exchange> => ({
  'exchange.discover': ({ scope }, { signal }) => ways.discover(scope, signal),
  'exchange.preview-adopt': ({ scope, picks }, { signal }) => ways.previewAdopt(scope, picks, signal),
  'exchange.adopt': ({ scope, picks }, { signal }) => ways.adopt(scope, picks, signal),
  'exchange.preview-import': ({ scope, text, picks }, { signal }) => ways.previewImport(scope, text, picks, signal),
  'exchange.import': ({ scope, text, picks }, { signal }) => ways.import(scope, text, picks, signal),
  'exchange.export': async ({ scope, shape }) => ways.export(scope, shape),
  'exchange.set-import': ({ client, on }, { signal }) => ways.setImport(client, on, signal),
  'exchange.preview-set-import': ({ client, on }, { signal }) => ways.previewSetImport(client, on, signal),
  'exchange.set-discovery': ({ on }, { signal }) => ways.setDiscovery(on, signal),
});
