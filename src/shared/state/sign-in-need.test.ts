import { describe, expect, it } from 'vitest';
import type { ConnectionState } from '../model/connection-state.ts';
import type { SignInFlow, SignInStatus } from '../model/sign-in.ts';
import type { ServerRow } from './app-state.ts';
import { signInNeed, waitsForSignIn } from './sign-in-need.ts';

const needs: ConnectionState = { phase: 'needs', what: 'sign-in', message: '' };
const ready: ConnectionState = { phase: 'ready', since: 0, protocolVersion: '2025-11-25', era: 'modern', server: { name: 's', version: '1' } };
const row = (connection: ConnectionState, signIn?: SignInStatus, enabled = true) => ({ definition: { enabled }, connection, ...(signIn ? { signIn } : {}) }) as ServerRow; // all that is read of it
const flow = (phase: SignInFlow['phase']): SignInFlow => ({ flowId: 'f', step: 'browser', phase, startedAt: 0 });
const wanted = { because: 'scopes', at: 0 } as const;

describe('what a sign-in needs of a person', () => {
  it('is nothing for a server that wants none, or a token that is no login', () => {
    expect(signInNeed(row(ready))).toBeUndefined();
    expect(signInNeed(row(ready, { way: 'browser' }))).toBeUndefined();
    // A wrong token in its own settings: that is mended there.
    expect(signInNeed(row(needs))).toBeUndefined();
  });

  it('is a sign-in that is under way before one that is wanted, and one where nobody is let in', () => {
    expect(signInNeed(row(needs, { way: 'browser', wanted, flow: flow('waiting') }))).toMatchObject({ kind: 'waiting' });
    expect(signInNeed(row(ready, { way: 'browser', wanted }))).toEqual({ kind: 'wanted', wanted });
    expect(signInNeed(row(needs, { way: 'browser' }))).toMatchObject({ kind: 'wanted', wanted: { because: 'connect' } });
  });

  it('waits for the person but while the app works, after it failed, or where a machine signs in', () => {
    const waiting = (phase: SignInFlow['phase']) => waitsForSignIn(row(needs, { way: 'browser', flow: flow(phase) }));
    expect((['working', 'waiting', 'needs-client', 'needs-host', 'failed'] as const).map(waiting)).toEqual([false, true, true, true, false]);
    expect(waitsForSignIn(row(ready, { way: 'browser', wanted }))).toBe(true);
    expect(waitsForSignIn(row(ready, { way: 'browser', wanted }, false))).toBe(false);
    expect(waitsForSignIn(row(needs, { way: 'client-credentials', wanted }))).toBe(false);
  });
});
