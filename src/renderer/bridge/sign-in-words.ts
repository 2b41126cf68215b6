import type { SignInFailure, SignInFlow, SignInLogin, SignInStep, SignInWanted, SignInWay } from '../../shared/model/sign-in.ts';
import { describeError } from './errors.ts';

export interface SignInWords {
  readonly what: string;
  readonly means: string;
  readonly button: string;
}

/** Why a person should sign in now, and what the one button says. Names are as the server gives them: shown as visible text. */
export function wantedWords({ because, tool, scopes = [] }: SignInWanted, server: string): SignInWords {
  const caller = tool ?? 'A call';
  switch (because) {
    case 'connect':
      return { what: `${server} wants you to sign in.`, means: 'It lets nobody in without. Your browser opens when you press, and not before.', button: 'Sign in' };
    case 'call':
      return { what: `${caller} wants you to sign in.`, means: `The rest of ${server} works without. Your browser opens when you press, and not before.`, button: 'Sign in' };
    case 'scopes':
      return {
        what: `${caller} needs more permission.`,
        means: scopes.length === 0 ? `You are signed in to ${server}, but this was not granted.` : `You are signed in to ${server}, but this was not granted: ${scopes.join(', ')}.`,
        button: 'Give permission',
      };
    case 'expired':
      return { what: `Your sign-in to ${server} ended.`, means: 'It could not be renewed, so you have to say yes once more in the browser.', button: 'Sign in again' };
  }
}

/** How the last sign-in failed. `next` is the one thing to do. */
export interface FailureWords {
  readonly what: string;
  readonly means: string;
  readonly next: 'again' | 'other-account' | 'options' | 'vault' | 'nothing';
}
export function failureWords({ failure, step, redirectUri }: Pick<SignInFlow, 'failure' | 'step' | 'redirectUri'>, server: string): FailureWords {
  const { code }: Pick<SignInFailure, 'code'> = failure ?? { code: 'auth/failed' };
  const { what, means } = describeError(code, { server });
  switch (code) {
    case 'auth/account-refused':
      return { what, means: 'The sign-in went well, and the server still refuses. It may want another account.', next: 'other-account' };
    case 'auth/port-busy': {
      const port = portOf(redirectUri);
      return {
        what: port === undefined ? what : `Port ${port} is taken, so the sign-in could not hear the answer.`,
        means: 'Another program listens where the provider would send the browser. End that program and try again; or register another redirect address with the provider and write it into this server’s option “Redirect address”.',
        next: 'options',
      };
    }
    case 'auth/issuer-mismatch':
      return step === 'discovery'
        ? {
            what: 'The provider describes itself as somebody else.',
            means: 'Its description names another issuer than the one that was asked for, so nothing was sent to it. Only if you know that your provider does so, switch on this server’s option “Skip the issuer check” (skipIssuerMetadataValidation).',
            next: 'options',
          }
        : { what, means: 'The answer in the browser came from another provider than the one that was asked. Its code was not used. If this comes again, somebody may be tricking you: do not go on.', next: 'nothing' };
    case 'auth/address-refused':
    case 'auth/not-supported':
      return { what, means, next: 'nothing' };
    case 'vault/unavailable':
    case 'vault/locked':
    case 'vault/key-missing':
    case 'vault/damaged':
      return { what, means, next: 'vault' };
    case 'config/invalid':
      return { what: 'A sign-in option of this server does not fit.', means: 'Its options contradict each other, or one of them cannot be used.', next: 'options' };
    case 'secret/missing':
    case 'secret/command-failed':
    case 'variable/missing':
      return { what, means, next: 'options' };
    default:
      return { what, means, next: 'again' };
  }
}

/** The port of an address on this machine. */
function portOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).port || undefined : undefined;
}

/** A provider as people tell it from another: its host, in the form that cannot be mistaken for a similar one (IDNA). */
export const providerHost = (issuer: string): string => (URL.canParse(issuer) ? new URL(issuer).host : issuer);

export const stepWords: Readonly<Record<SignInStep, string>> = {
  discovery: 'Find the provider',
  client: 'Be known to it',
  browser: 'You say yes in the browser',
  callback: 'Hear the answer',
  token: 'Get the token',
  connect: 'Connect',
};
const allSteps: readonly SignInStep[] = ['discovery', 'client', 'browser', 'callback', 'token', 'connect'];
/** A machine that signs in by itself asks nobody. */
export const stepsOf = (way: SignInWay): readonly SignInStep[] => (way === 'browser' ? allSteps : ['discovery', 'token', 'connect']);

export const wayWords: Readonly<Record<SignInWay, string>> = {
  browser: 'You, in the browser',
  'client-credentials': 'By itself, with its client credentials',
  'jwt-bearer': 'By itself, with an assertion of who it is',
  'cross-app': 'By itself, through the sign-in of your company (cross-app access)',
};

export const clientFromWords: Readonly<Record<SignInLogin['clientFrom'], string>> = {
  configured: 'from this server’s options',
  typed: 'entered by you',
  document: 'Gatehouse’s own metadata document',
  registered: 'registered by itself',
};

/** "4 min 10 s" of what is left; nothing is left of the past. */
export const leftMs = (expiresAt: number, now: number): number => Math.max(0, Math.ceil((expiresAt - now) / 1000) * 1000);

/** What became of the tokens of a login that ended (RFC 7009). */
export const revokedWords = {
  yes: (host: string) => `${host} took its tokens back: nobody can use them any more.`,
  failed: (host: string) => `${host} did not take its tokens back. They are forgotten here; if you doubt them, end the access in your account there.`,
  unsupported: (host: string) => `${host} has no way to take tokens back. They are forgotten here, and end there by themselves.`,
} as const;
