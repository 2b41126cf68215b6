import * as z from 'zod';
import { AppError, type ErrorCode } from '../../shared/errors.ts';
import { ConfigScope, SecretKey } from '../../shared/model/config-value.ts';
import type { ConnectionState } from '../../shared/model/connection-state.ts';
import type { ServerDefinition } from '../../shared/model/server-definition.ts';

/** F-43: nobody is starting it, beside `timeout` and `failed`. */
const notStarted = { init: 'none' } as const;

/** Why a use may not even try to connect in this state; `undefined` lets it. */
export function refusal(state: ConnectionState, definition: ServerDefinition, tryNow: boolean, now: number): AppError | undefined {
  if (!definition.enabled) return new AppError('server/disabled', `“${definition.name}” is switched off`, { data: notStarted });
  switch (state.phase) {
    case 'stopped':
      return state.why === 'asleep' ? undefined : new AppError('connection/stopped', `“${definition.name}” is stopped`, { data: notStarted });
    case 'needs':
      // Whether a secret, trust or a project is there now is found out at no cost; a sign-in ends with a start.
      return state.what === 'sign-in' ? new AppError('auth/sign-in-required', state.message) : undefined;
    case 'failed':
      if (state.retryAt === undefined) return new AppError(state.failure.code, state.failure.message, { data: { failure: state.failure } });
      return tryNow || now >= state.retryAt ? undefined : backingOff(definition, state.failure.message, state.retryAt, now - state.at);
    case 'reconnecting':
      return tryNow || now >= state.retryAt ? undefined : backingOff(definition, state.failure.message, state.retryAt, now - state.since);
    case 'starting':
    case 'ready':
      return undefined;
  }
}

function backingOff(definition: ServerDefinition, message: string, retryAt: number, ageMs: number): AppError {
  return new AppError('connection/backing-off', `“${definition.name}” could not be connected: ${message}`, {
    data: { retryAt, ageSeconds: Math.max(0, Math.round(ageMs / 1_000)) },
  });
}

const needs: Readonly<Partial<Record<ErrorCode, 'sign-in' | 'secret' | 'trust' | 'project'>>> = {
  'auth/sign-in-required': 'sign-in',
  'auth/scopes-needed': 'sign-in',
  'auth/client-needed': 'sign-in',
  'auth/host-blocked': 'sign-in',
  'auth/account-refused': 'sign-in',
  'secret/missing': 'secret',
  'secret/policy-denied': 'secret',
  'user/needed': 'secret',
  'vault/unavailable': 'secret',
  'vault/locked': 'secret',
  'vault/key-missing': 'secret',
  'vault/damaged': 'secret',
  'trust/needed': 'trust',
  'project/needed': 'project',
};

/** What only a person can bring. */
export function stateOfNeed(error: AppError, mask: (text: string) => string): ConnectionState | undefined {
  const what = needs[error.code];
  const missing = error.code === 'secret/missing' ? MissingSecret.safeParse(error.data).data : undefined;
  return what && { phase: 'needs', what, message: mask(error.message).slice(0, 500), ...(missing ? { secret: missing } : {}) };
}

const MissingSecret = z
  .object({ secretRef: SecretKey, scope: ConfigScope, field: z.string(), input: z.string().optional() })
  .transform(({ secretRef: key, scope, field, input }) => ({ key, scope, field, ...(input === undefined ? {} : { input }) }));
