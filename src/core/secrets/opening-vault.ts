import type { Vault } from '../ports.ts';

/** The vault, opened by its first use: a person who has no secrets is never asked to unlock a keyring. */
export function openingVault(vault: Vault): Vault {
  const opened = async (signal: AbortSignal) => {
    if (vault.status.phase === 'unopened') await vault.open(signal);
  };
  return {
    get status() {
      return vault.status;
    },
    onStatus: (listener) => vault.onStatus(listener),
    open: (signal) => vault.open(signal),
    useMemoryOnly: () => vault.useMemoryOnly(),
    async put(id, value, scope, signal) {
      await opened(signal);
      await vault.put(id, value, scope, signal);
    },
    async get(id, reader, signal) {
      await opened(signal);
      return vault.get(id, reader, signal);
    },
    async remove(id, signal) {
      await opened(signal);
      await vault.remove(id, signal);
    },
    async list(signal) {
      await opened(signal);
      return vault.list(signal);
    },
    reset: (signal) => vault.reset(signal),
  };
}
