import type { SecretReference } from '../../shared/model/config-value.ts';
import { api } from './api.ts';
import { useApp } from './live.ts';
import { useAsked } from './request-state.ts';

const none: readonly SecretReference[] = [];
/** Secrets that a value can be bound to. A vault that is not open yet is not opened for it: that may ask the person for a password. */
export function useSecretNames(): readonly SecretReference[] {
  const open = useApp(({ vault }) => vault.phase === 'ready' || vault.phase === 'memory-only') ?? false;
  const count = useApp(({ vault }) => ('secrets' in vault ? vault.secrets : 0)) ?? 0;
  const asked = useAsked(`secrets ${open} ${count}`, async (): Promise<readonly SecretReference[]> =>
    open ? (await api.secrets.list()).filter(({ missing }) => !missing).map(({ key, scope }) => ({ secretRef: key, scope })) : none,
  );
  return asked.phase === 'ready' ? asked.value : none;
}
