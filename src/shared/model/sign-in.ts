import type { ErrorCode } from '../errors.ts';
import type { ServerId } from '../ids.ts';

/**
 * The steps of signing in to a server, in the order in which they come: find the authorization server (RFC 9728, RFC 8414), be somebody there (RFC 7591), let the
 * person say yes in the browser (RFC 6749, PKCE), hear the answer (RFC 9207), get the token, use it.
 */
export type SignInStep = 'discovery' | 'client' | 'browser' | 'callback' | 'token' | 'connect';
/** Where the client id comes from: the server's own settings, typed when it was asked for, the app's metadata document, or dynamic registration. */
export type ClientOrigin = 'configured' | 'typed' | 'document' | 'registered';
/** Who says yes: the person in the browser, or nobody: the machine signs in by itself. */
export type SignInWay = 'browser' | 'client-credentials' | 'jwt-bearer' | 'cross-app';

/** A login as it may be shown. Tokens are in the vault, or in memory for a machine. */
export interface SignInLogin {
  readonly issuer: string;
  /** As the tokens say; shown, never relied upon. */
  readonly account?: string;
  /** What was granted, which may be other than what was asked for (F-199). */
  readonly scopes: readonly string[];
  readonly clientId: string;
  readonly clientFrom: ClientOrigin;
  /** Milliseconds since the epoch, here and below. */
  readonly signedInAt: number;
  readonly refreshedAt?: number;
  /** Of the access token; absent when the provider does not say. */
  readonly expiresAt?: number;
  /** It is renewed without the person. */
  readonly renews: boolean;
  /** Each request proves that it comes from here (RFC 9449). */
  readonly dpop?: true;
  /** It is that server's login, used here by the person's choice. */
  readonly sharedFrom?: ServerId;
}

/** A sign-in under way, or how the last one failed. */
export interface SignInFlow {
  readonly flowId: string;
  readonly step: SignInStep;
  /** `waiting`: for the person in the browser. `needs-client`: there is no registration here, and the person has to bring a client id. `needs-host`: it leads to an address of this machine or network. */
  readonly phase: 'working' | 'waiting' | 'needs-client' | 'needs-host' | 'failed';
  readonly startedAt: number;
  /** When waiting ends. */
  readonly expiresAt?: number;
  readonly issuer?: string;
  /** To be registered with the provider, exactly so. */
  readonly redirectUri?: string;
  /** `needs-host`: host and port. */
  readonly host?: string;
  readonly failure?: SignInFailure;
}
export interface SignInFailure {
  readonly code: ErrorCode;
  /** The provider's or the system's own words, secrets masked, at most 500 characters. */
  readonly message: string;
}

/** Why a person should sign in now. */
export interface SignInWanted {
  /** `connect`: it lets nobody in without. `call`: it let in, and wants it now. `scopes`: it wants more than was granted. `expired`: the login ended and could not be renewed. */
  readonly because: 'connect' | 'call' | 'scopes' | 'expired';
  readonly at: number;
  /** Whose call it was. */
  readonly tool?: string;
  /** What has to be granted. */
  readonly scopes?: readonly string[];
}

/** How it stands with signing in to one server that is reached over HTTP. */
export interface SignInStatus {
  readonly way: SignInWay;
  readonly login?: SignInLogin;
  readonly flow?: SignInFlow;
  readonly wanted?: SignInWanted;
  /** Addresses of this machine or network that the person allowed its sign-in to use. */
  readonly allowedHosts?: readonly string[];
}

/** One request of a sign-in, for whoever wants to know what happened. No value of a secret, code, token or verifier is in it. */
export interface SignInExchange {
  readonly at: number;
  readonly ms: number;
  readonly step: SignInStep;
  readonly method: string;
  /** Without its query. */
  readonly url: string;
  /** Names of what was sent; `grant_type` and `scope` with their values. */
  readonly sent: readonly string[];
  /** Absent when there was no answer. */
  readonly status?: number;
  /** What the answer said, in short: an OAuth error, or the names of its fields. */
  readonly answer?: string;
  readonly failure?: string;
}
