import type { ConnectionState } from '../../shared/model/connection-state.ts';
import { isWaiting } from '../../shared/model/elicitation-content.ts';
import type { AppState } from '../../shared/state/app-state.ts';
import { waitsForSignIn } from '../../shared/state/sign-in-need.ts';

export type TrayState = 'idle' | 'working' | 'needs-you' | 'trouble';

/** What the tray shows at a glance. What waits for the person comes before what is broken, and that before what is busy. */
export function trayState(state: AppState): TrayState {
  const rows = Object.values(state.servers).filter((row) => row.definition.enabled);
  const connections = rows.map((row) => row.connection);
  const some = (phase: ConnectionState['phase']) => connections.some((connection) => connection.phase === phase);
  // A project is opened when somebody wants one.
  const needed = rows.some((row) => (row.connection.phase === 'needs' && row.connection.what !== 'project') || waitsForSignIn(row));
  const asked = state.approvals.length > 0 || state.elicitations.some(isWaiting) || state.secretQuestions.length > 0 || state.trust.phase === 'ask';
  if (asked || needed || state.chats.some((chat) => chat.activity === 'waiting')) return 'needs-you';
  // No keyring is a choice to make when a secret is wanted, not trouble from the start.
  const vaultBroken = state.vault.phase === 'unavailable' && (state.vault.why === 'damaged' || state.vault.why === 'key-missing');
  if (state.problems.some(({ severity }) => severity === 'error') || some('failed') || vaultBroken) return 'trouble';
  if (some('starting') || some('reconnecting') || state.chats.some((chat) => chat.activity === 'running')) return 'working';
  return 'idle';
}

/** The state in words: the icon's colour alone says it to nobody who cannot see colour. */
export function trayWords(state: AppState): string {
  switch (trayState(state)) {
    case 'needs-you': {
      const waiting = state.approvals.length;
      if (waiting > 0) return waiting === 1 ? '1 approval waits for you' : `${waiting} approvals wait for you`;
      const secrets = state.secretQuestions.length;
      if (secrets > 0) return secrets === 1 ? '1 server waits for a secret' : `${secrets} secrets are waited for`;
      const questions = state.elicitations.filter(isWaiting).length;
      if (questions > 0) return questions === 1 ? 'a server asks you something' : `${questions} questions of servers wait for you`;
      if (state.trust.phase === 'ask') return 'a project waits for your trust';
      const signIns = Object.values(state.servers).filter(waitsForSignIn).length;
      return signIns === 0 ? 'a server needs you' : signIns === 1 ? '1 server waits for you to sign in' : `${signIns} servers wait for you to sign in`;
    }
    case 'trouble':
      return 'something is not working';
    case 'working':
      return 'working';
    case 'idle':
      return state.paused ? 'paused' : 'ready';
  }
}
