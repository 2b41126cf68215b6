import { KeyRound } from 'lucide-react';
import type { VaultStatus } from '../../shared/model/settings.ts';
import { Button } from '../ui/button.tsx';
import { VisibleText } from '../ui/visible-text.tsx';
import { api } from './api.ts';
import { FailureNote } from './failure-note.tsx';
import { useRequest } from './request-state.ts';

type Unavailable = Extract<VaultStatus, { readonly phase: 'unavailable' }>;
interface Words {
  readonly what: string;
  readonly means: string;
  /** What the person can do outside Gatehouse. */
  readonly remedy: string;
}

const system = (linux: string, mac: string, windows: string): string => {
  const { platform } = navigator;
  return /mac/i.test(platform) ? mac : /win/i.test(platform) ? windows : linux;
};

/** Why secrets cannot be kept right now, and what to do about it. */
export function vaultWords(why: Unavailable['why']): Words {
  switch (why) {
    case 'no-keyring':
      return {
        what: 'There is no keyring to keep secrets in.',
        means: 'Gatehouse locks secrets with a key that your system’s keyring holds, and never writes one in the open.',
        remedy: system(
          'Install and start GNOME Keyring, KWallet or KeePassXC with its Secret Service, then try again.',
          'Check that your login keychain exists in Keychain Access, then try again.',
          'Check that the Credential Manager service runs, then try again.',
        ),
      };
    case 'locked':
      return {
        what: 'The keyring is locked.',
        means: 'The secrets in the vault are safe and cannot be read until it is unlocked.',
        remedy: system(
          'Unlock the keyring when your system asks, or in Passwords and Keys, then try again.',
          'Unlock the login keychain in Keychain Access, then try again.',
          'Sign in to Windows again, then try again.',
        ),
      };
    case 'key-missing':
      return {
        what: 'The vault’s key is not in the keyring.',
        means: 'Without it the secrets in the vault cannot be read. They have not been touched.',
        remedy: 'Restore the keyring that you used before (its entry is called “gatehouse”), then try again.',
      };
    case 'damaged':
      return {
        what: 'The vault’s file cannot be read.',
        means: 'It does not have the expected form. It was left as it is.',
        remedy: 'Put a good copy of vault/vault.json back into the home folder, then try again.',
      };
    case 'refused':
      return {
        what: 'The vault’s file or folder is not safe to use.',
        means: 'It belongs to someone else or is not where it should be, so nothing is read from it or written to it.',
        remedy: 'Make the home folder your own again, then try again.',
      };
  }
}

/** The vault cannot be used: why, what helps, and the choice to keep secrets in memory only. */
export function VaultChoice({ status }: { readonly status: Unavailable }) {
  const opening = useRequest();
  const choosing = useRequest();
  const words = vaultWords(status.why);
  return (
    <div
      role="group"
      aria-label="Where secrets are kept"
      className="flex flex-col gap-3 rounded-card border border-ask-line bg-ask-soft px-4 py-3 text-list"
    >
      <div className="flex items-start gap-2.5">
        <KeyRound size={16} strokeWidth={1.75} className="mt-px shrink-0 text-ask" aria-hidden />
        <div className="min-w-0 flex-1">
          <p className="font-[550] text-ask">{words.what}</p>
          <p className="mt-0.5 text-ink-2">{words.means}</p>
          <p className="mt-1.5 text-ink">{words.remedy}</p>
          {status.message ? (
            <details className="mt-1 text-detail text-ink-2">
              <summary className="w-fit underline decoration-line-strong underline-offset-2">What the system said</summary>
              <p className="mt-1 font-code break-words select-text">
                <VisibleText text={status.message} />
              </p>
            </details>
          ) : null}
        </div>
      </div>
      <div className="flex flex-wrap gap-2 pl-6.5">
        <Button size="s" busy={opening.state.phase === 'sending'} onClick={() => opening.run(() => api.vault.open())}>
          {status.why === 'locked' ? 'Unlock' : 'Try again'}
        </Button>
        <Button size="s" busy={choosing.state.phase === 'sending'} onClick={() => choosing.run(() => api.vault.useMemoryOnly())}>
          Keep secrets in memory until I quit
        </Button>
      </div>
      {opening.state.phase === 'failed' ? <FailureNote error={opening.state.error} compact /> : null}
      {choosing.state.phase === 'failed' ? <FailureNote error={choosing.state.error} compact /> : null}
    </div>
  );
}
