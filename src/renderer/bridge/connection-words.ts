import type { ConnectionFailure, ConnectionState } from '../../shared/model/connection-state.ts';
import type { ServerRow } from '../../shared/state/app-state.ts';
import { signInNeed } from '../../shared/state/sign-in-need.ts';
import type { DotState } from '../ui/state-dot.tsx';

export interface ConnectionWords {
  readonly dot: DotState;
  readonly word: string;
}
const needs = { 'sign-in': 'Not let in', secret: 'Needs a secret', trust: 'Needs your trust', project: 'Off until a folder is open' } as const;

/** How a server is, in a dot and a word; the same wherever it is named. A sign-in that is wanted or under way comes before its connection. */
export function serverWords(row: Pick<ServerRow, 'connection' | 'signIn'>): ConnectionWords {
  const { connection, signIn } = row;
  const need = signInNeed(row);
  if (need === undefined || connection.phase === 'stopped') return connectionWords(connection);
  switch (need.kind) {
    case 'working':
      return { dot: 'busy', word: 'Signing in' };
    case 'waiting':
      return { dot: 'needs-you', word: 'Waiting for you in the browser' };
    case 'needs-client':
    case 'needs-host':
      return { dot: 'needs-you', word: 'Its sign-in needs you' };
    case 'failed':
      if (connection.phase !== 'needs') return connectionWords(connection);
      return { dot: 'trouble', word: 'Sign-in failed' };
    case 'wanted':
      if (signIn?.way !== 'browser') return connectionWords(connection);
      if (connection.phase === 'ready') return { dot: 'needs-you', word: 'Connected, wants a sign-in' };
      return { dot: 'needs-you', word: need.wanted.because === 'expired' ? 'Sign in again' : 'Sign in' };
  }
}

/** How a connection is, in a dot and a word. */
export function connectionWords(connection: ConnectionState): ConnectionWords {
  switch (connection.phase) {
    case 'stopped':
      if (connection.queued) return { dot: 'busy', word: 'Waiting for its turn to start' };
      return { dot: 'asleep', word: { asleep: 'Sleeping, starts when needed', 'by-person': 'Stopped', disabled: 'Switched off' }[connection.why] };
    case 'starting':
      return { dot: 'busy', word: connection.attempt > 1 ? `Starting, try ${connection.attempt}` : 'Starting' };
    case 'ready':
      return { dot: 'working', word: 'Connected' };
    case 'reconnecting':
      return { dot: 'trouble', word: 'Lost, reconnecting' };
    case 'needs':
      // Files without a project waits quietly: opening a folder is a choice, not a duty.
      return { dot: connection.what === 'project' ? 'asleep' : 'needs-you', word: needs[connection.what] };
    case 'failed':
      return { dot: 'trouble', word: failureWord(connection.failure) };
  }
}

function failureWord({ code, exitCode, signal, httpStatus }: ConnectionFailure): string {
  switch (code) {
    case 'connection/crash-loop':
      return 'Keeps crashing';
    case 'launch/command-not-found':
      return 'Command not found';
    case 'launch/not-permitted':
      return 'Cannot be started';
    case 'connection/unreachable':
      return 'Cannot be reached';
    case 'connection/timed-out':
      return 'No answer in time';
    case 'server/not-mcp':
      return 'Does not speak MCP';
    case 'server/http-error':
      return httpStatus === undefined ? 'Refused' : `HTTP ${httpStatus}`;
    case 'server/protocol-error':
      return 'Makes no sense';
    default:
      return exitCode !== undefined ? `Exited with code ${exitCode}` : signal !== undefined ? `Ended by ${signal}` : 'Not working';
  }
}

/** It connects, or is to and waits for its turn. */
export const isComing = (connection: ConnectionState): boolean => connection.phase === 'starting' || (connection.phase === 'stopped' && connection.queued === true);

/** A server that is switched off, stopped on purpose or waiting for a folder is not counted as missing. */
export const isWanted = (connection: ConnectionState): boolean =>
  !(connection.phase === 'stopped' && connection.why !== 'asleep') && !(connection.phase === 'needs' && connection.what === 'project');
