import type { VaultStatus } from '../../../shared/model/settings.ts';
import { api } from '../../bridge/api.ts';
import { FailureNote } from '../../bridge/failure-note.tsx';
import { useApp } from '../../bridge/live.ts';
import { useRequest } from '../../bridge/request-state.ts';
import { VaultChoice } from '../../bridge/vault-choice.tsx';
import { Button } from '../../ui/button.tsx';
import { StateDot, type DotState } from '../../ui/state-dot.tsx';
import { countText } from '../../ui/time.ts';
import { SettingGroup, SettingRow, SettingRows } from './setting-group.tsx';

export function vaultState(status: VaultStatus): { readonly dot: DotState; readonly word: string; readonly means: string } {
  switch (status.phase) {
    case 'unopened':
      return { dot: 'asleep', word: 'Not opened yet', means: 'It opens by itself when a secret is first saved or used.' };
    case 'ready':
      return {
        dot: 'working',
        word: 'Open',
        means: status.secrets === 0 ? 'It holds no secrets yet.' : `It holds ${countText(status.secrets, 'secret')}.`,
      };
    case 'memory-only':
      return {
        dot: 'needs-you',
        word: 'In memory only',
        means: `${status.secrets === 0 ? 'New secrets are' : `${countText(status.secrets, 'secret')},`} forgotten when you quit Gatehouse.`,
      };
    case 'unavailable':
      return { dot: 'trouble', word: 'Cannot be used', means: 'Secrets can be neither read nor saved right now.' };
  }
}

/** Where keys of models and secrets of servers are kept, and what to do when they cannot be. */
export function VaultSection() {
  const status = useApp((state) => state.vault) ?? { phase: 'unopened' as const };
  const { state, run } = useRequest();
  const { dot, word, means } = vaultState(status);
  return (
    <SettingGroup
      title="Vault"
      means={
        <>
          Keys of models and secrets of servers are kept in one encrypted file in the home folder. The key to it is on your system’s
          keyring. Values are never shown again, only replaced.
        </>
      }
    >
      <SettingRows>
        <SettingRow
          name={
            <span role="status">
              <StateDot state={dot} word={word} />
            </span>
          }
          means={means}
        >
          {status.phase === 'unopened' ? (
            <Button busy={state.phase === 'sending'} onClick={() => run(() => api.vault.open())}>
              Open now
            </Button>
          ) : null}
          {status.phase === 'memory-only' ? (
            <Button busy={state.phase === 'sending'} onClick={() => run(() => api.vault.open())}>
              Look for a keyring again
            </Button>
          ) : null}
        </SettingRow>
      </SettingRows>
      {status.phase === 'unavailable' ? <VaultChoice status={status} /> : null}
      {state.phase === 'failed' ? <FailureNote error={state.error} compact /> : null}
    </SettingGroup>
  );
}
