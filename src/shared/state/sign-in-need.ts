import type { SignInFlow, SignInWanted } from '../model/sign-in.ts';
import type { ServerRow } from './app-state.ts';

/** What a person may have to do, or wait for, so that a server lets them in. */
export type SignInNeed =
  | { readonly kind: 'wanted'; readonly wanted: SignInWanted }
  | { readonly kind: SignInFlow['phase']; readonly flow: SignInFlow };

/** A sign-in under way or failed comes before the wish for one. `undefined`: all is well, or it is not the kind of server that is signed in to. */
export function signInNeed({ connection, signIn }: Pick<ServerRow, 'connection' | 'signIn'>): SignInNeed | undefined {
  if (!signIn) return undefined;
  if (signIn.flow) return { kind: signIn.flow.phase, flow: signIn.flow };
  if (signIn.wanted) return { kind: 'wanted', wanted: signIn.wanted };
  return connection.phase === 'needs' && connection.what === 'sign-in' ? { kind: 'wanted', wanted: { because: 'connect', at: 0 } } : undefined;
}

/** It is the person's turn: something waits for them, in the browser or in Gatehouse. A sign-in that they ended themselves, or a machine's own, does not. */
export function waitsForSignIn(row: Pick<ServerRow, 'definition' | 'connection' | 'signIn'>): boolean {
  const need = row.signIn?.way === 'browser' && row.definition.enabled ? signInNeed(row) : undefined;
  return need !== undefined && need.kind !== 'working' && need.kind !== 'failed';
}
