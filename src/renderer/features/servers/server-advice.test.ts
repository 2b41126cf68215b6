import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../shared/errors.ts';
import { Revision, ServerId } from '../../../shared/ids.ts';
import type { ConnectionFailure, ConnectionState } from '../../../shared/model/connection-state.ts';
import type { SignInStatus } from '../../../shared/model/sign-in.ts';
import type { ServerDefinition, TransportConfig } from '../../../shared/model/server-definition.ts';
import { adviceFor, causeLine } from './server-advice.ts';

const http: TransportConfig = { type: 'streamable-http', url: 'https://example.com/mcp', headers: {} };
const stdio: TransportConfig = { type: 'stdio', command: 'node', args: [], env: {} };
const definition = (transport: TransportConfig, owner: ServerDefinition['owner'] = 'global'): ServerDefinition => ({
  id: ServerId.parse('s'),
  name: 'S',
  owner,
  enabled: true,
  transport,
  options: {},
  revision: Revision.parse('r'),
});
const failure = (code: ErrorCode, more: Partial<ConnectionFailure> = {}): ConnectionFailure => ({ code, message: 'It failed', ...more });
const now = 1_000_000;
const adviceOf = (
  connection: ConnectionState,
  transport: TransportConfig = http,
  secretsKept = true,
  owner: ServerDefinition['owner'] = 'global',
) => adviceFor({ definition: definition(transport, owner), connection }, now, secretsKept);

describe('the one thing to do about a server', () => {
  it('is nothing urgent while it is well or off on purpose', () => {
    const identity = { name: 's', version: '1' };
    const calm: readonly ConnectionState[] = [
      { phase: 'stopped', why: 'asleep' },
      { phase: 'stopped', why: 'by-person' },
      { phase: 'stopped', why: 'disabled' },
      { phase: 'starting', since: now, attempt: 1 },
      { phase: 'ready', since: now, protocolVersion: '2025-11-25', era: 'legacy', server: identity },
    ];
    expect(calm.map((state) => adviceOf(state).urgent)).toEqual([false, false, false, false, false]);
    expect(calm.map((state) => adviceOf(state).action.label)).toEqual(['Start', 'Start', 'Switch on', 'Cancel', 'Stop']);
  });

  it('counts down to the next try of a server that others run', () => {
    const advice = adviceOf({ phase: 'failed', at: now, failure: failure('connection/unreachable'), retryAt: now + 11_400 });
    expect(advice).toMatchObject({ next: 'Next try in 12 s.', action: { do: 'try-again' }, urgent: true });
    expect(adviceOf({ phase: 'failed', at: now, failure: failure('connection/unreachable'), retryAt: now + 400 }).next).toBe(
      'Next try in 1 s.',
    );
    expect(adviceOf({ phase: 'failed', at: now, failure: failure('connection/unreachable'), retryAt: now - 400 }).next).toBe('Trying now.');
  });

  it('promises no try of a process, which only its next use starts', () => {
    expect(adviceOf({ phase: 'failed', at: now, failure: failure('server/exited'), retryAt: now + 5_000 }, stdio).next).toBeUndefined();
  });

  it('offers the form where the definition is more likely wrong than the server', () => {
    const codes: readonly ErrorCode[] = ['launch/command-not-found', 'launch/not-permitted', 'server/not-mcp'];
    for (const code of codes) expect(adviceOf({ phase: 'failed', at: now, failure: failure(code) }).action.do).toBe('edit');
    expect(adviceOf({ phase: 'failed', at: now, failure: failure('server/http-error', { httpStatus: 404 }) }).action.do).toBe('edit');
    expect(adviceOf({ phase: 'failed', at: now, failure: failure('server/not-mcp') }, stdio, true, 'built-in').action.do).toBe('try-again');
  });

  it('starts a server again that kept crashing only when the person says so', () => {
    const advice = adviceOf(
      { phase: 'failed', at: now, failure: failure('connection/crash-loop', { detail: 'starting\nno such table: notes\n' }) },
      stdio,
    );
    expect(advice.action).toEqual({ do: 'start-again', label: 'Start again' });
    expect(advice.why).toContain('no such table: notes');
  });

  it('leads to the vault when no secret can be read, and to the form when one is missing', () => {
    const needs: ConnectionState = { phase: 'needs', what: 'secret', message: 'The value of KEY is not in the vault' };
    expect(adviceOf(needs, stdio, true).action.do).toBe('edit');
    expect(adviceOf(needs, stdio, false).action.do).toBe('vault');
  });

  it('leads to the question when it waits for an answer about a secret, and to the files that wait for trust', () => {
    const row = { definition: definition(stdio), connection: { phase: 'starting', since: now, attempt: 1 } as const };
    expect(adviceFor(row, now, true, true).action).toEqual({ do: 'answer', label: 'Answer…' });
    expect(adviceOf({ phase: 'needs', what: 'trust', message: '' }, stdio).action.do).toBe('trust');
  });

  it('is the sign-in that is wanted, where the browser opens, and else its page', () => {
    const needs: ConnectionState = { phase: 'needs', what: 'sign-in', message: 'Unauthorized' };
    const advice = (signIn: SignInStatus | undefined) => adviceFor({ definition: definition(http), connection: needs, ...(signIn ? { signIn } : {}) }, now, true);
    const flow = { flowId: 'f', step: 'browser', startedAt: now } as const;
    expect(advice({ way: 'browser' })).toMatchObject({ why: 'S wants you to sign in.', action: { do: 'sign-in', label: 'Sign in' }, urgent: true });
    expect(advice({ way: 'browser', flow: { ...flow, phase: 'waiting', issuer: 'https://auth.example/a' } })).toMatchObject({ why: 'Say yes at auth.example, and it goes on.', action: { do: 'see-sign-in' } });
    expect(advice({ way: 'browser', flow: { ...flow, phase: 'needs-host', host: '10.0.0.1:8080' } })).toMatchObject({ why: 'It leads to 10.0.0.1:8080 in your own network.', action: { do: 'see-sign-in' } });
    // What no browser can mend is mended in its options.
    expect(advice(undefined).action.do).toBe('edit');
    expect(advice({ way: 'client-credentials' }).action.do).toBe('edit');
  });

  it('does not press for a project folder', () => {
    expect(adviceOf({ phase: 'needs', what: 'project', message: '' }, stdio, true, 'built-in')).toMatchObject({
      action: { do: 'open-folder' },
      urgent: false,
    });
  });
});

describe('the cause in one line', () => {
  it('is the last words of a server that ended', () => {
    expect(causeLine(failure('server/exited', { detail: 'starting\n  CRM_URL is not set  \n\n' }))).toBe('CRM_URL is not set');
    expect(causeLine(failure('server/exited'))).toBe('It failed');
  });

  it('leaves the searched folders to the details', () => {
    expect(causeLine(failure('launch/command-not-found', { message: 'There is no command "uvx" (searched /a, /b)' }))).toBe(
      'There is no command "uvx"',
    );
  });
});
