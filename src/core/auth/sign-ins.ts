import type { SignInBegun } from '../../shared/ipc/contract/auth.ts';
import { AppError } from '../../shared/errors.ts';
import type { ServerId } from '../../shared/ids.ts';
import type { SignInExchange, SignInLogin } from '../../shared/model/sign-in.ts';
import type { HttpAuth } from './http-auth.ts';
import type { SignInTarget } from './sign-in-target.ts';

export interface StartOptions {
  readonly openBrowser: boolean;
  readonly scopes?: readonly string[] | undefined;
  readonly otherAccount?: boolean | undefined;
}
export interface Completion {
  readonly redirectUrl?: string | undefined;
  readonly code?: string | undefined;
}

/** Signing in to servers: one sign-in at a time for each, and what they left behind. */
export class SignIns {
  async start(_serverId: ServerId, _options: StartOptions, _signal: AbortSignal): Promise<SignInBegun> {
    throw new AppError('auth/not-supported', 'Not yet');
  }

  async complete(_serverId: ServerId, _given: Completion, _signal: AbortSignal): Promise<SignInLogin> {
    throw new AppError('auth/not-supported', 'Not yet');
  }

  async wait(_serverId: ServerId, _signal: AbortSignal): Promise<SignInLogin> {
    throw new AppError('auth/not-supported', 'Not yet');
  }

  async cancel(_serverId: ServerId): Promise<void> {}

  async setClient(_serverId: ServerId, _clientId: string, _clientSecret: string | undefined, _signal: AbortSignal): Promise<void> {}

  async allowHost(_serverId: ServerId, _host: string, _signal: AbortSignal): Promise<void> {}

  async signOut(_serverId: ServerId, _forgetClient: boolean, _signal: AbortSignal): Promise<'yes' | 'failed' | 'unsupported'> {
    return 'unsupported';
  }

  async history(_serverId: ServerId): Promise<readonly SignInExchange[]> {
    return [];
  }

  async share(_serverId: ServerId, _from: ServerId | null, _signal: AbortSignal): Promise<void> {}

  /** For the requests of one connection. */
  httpAuth(_target: SignInTarget): HttpAuth {
    throw new AppError('auth/not-supported', 'Not yet');
  }
}
