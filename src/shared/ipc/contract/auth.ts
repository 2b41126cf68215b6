import * as z from 'zod';
import { ServerId } from '../../ids.ts';
import type { SignInExchange, SignInLogin } from '../../model/sign-in.ts';
import { request } from '../define.ts';

/** `browser`: the person goes on there, and `auth.wait` tells how it ended. `needs-client`: `auth.set-client`, then start again. `signed-in`: nothing had to be asked. */
export type SignInBegun =
  | { readonly kind: 'browser'; readonly flowId: string; readonly url: string; readonly redirectUri: string; readonly expiresAt: number }
  | { readonly kind: 'needs-client'; readonly issuer: string; readonly redirectUri: string }
  | { readonly kind: 'needs-host'; readonly host: string }
  | { readonly kind: 'signed-in'; readonly login: SignInLogin };

const ofServer = z.strictObject({ serverId: ServerId });
const Scope = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,500}$/);

export const auth = {
  /**
   * Begins to sign in; a sign-in to the same server that is under way ends. `openBrowser` opens the system browser, else the address is only answered. `scopes` are asked
   * for beside those that the server and its settings want; `otherAccount` asks the provider to let the person choose one. Throws `auth/*`, `vault/*`, `secret/*`.
   */
  'auth.start': request<SignInBegun>()(ofServer.extend({ openBrowser: z.boolean(), scopes: z.array(Scope).max(100).optional(), otherAccount: z.boolean().optional() })),
  /**
   * Ends the sign-in under way by hand (F-167): with the address that the browser was sent to, with its code alone, or with neither when the answer came by itself. Throws
   * `auth/waiting` when it did not: the sign-in goes on; `auth/no-flow`, `auth/denied`, `auth/issuer-mismatch`, `auth/failed`.
   */
  'auth.complete': request<SignInLogin>()(ofServer.extend({ redirectUrl: z.string().min(1).max(16_384).optional(), code: z.string().min(1).max(8_192).optional() })),
  /** How the sign-in under way ends. Throws why it failed. */
  'auth.wait': request<SignInLogin>()(ofServer),
  /** Ends the sign-in under way, or puts away how the last one failed. */
  'auth.cancel': request<void>()(ofServer),
  /** A client that the person registered with the provider by hand. The secret goes to the vault. */
  'auth.set-client': request<void>()(ofServer.extend({ clientId: z.string().trim().min(1).max(2_000), clientSecret: z.string().min(1).max(8_192).optional() })),
  /** Lets the sign-in use an address of this machine or network that the server named. By a person only. */
  'auth.allow-host': request<void>()(ofServer.extend({ host: z.string().min(1).max(300) })),
  /** Takes that back: from the next request on nothing of the sign-in goes there, a renewal neither. An address that was not allowed stays so. */
  'auth.forbid-host': request<void>()(ofServer.extend({ host: z.string().min(1).max(300) })),
  /** Gives back the tokens where the provider takes them (RFC 7009), forgets them and the registration, and disconnects. A typed client stays unless `forgetClient`. */
  'auth.sign-out': request<{ readonly revoked: 'yes' | 'failed' | 'unsupported' }>()(ofServer.extend({ forgetClient: z.boolean().optional() })),
  /** What the last sign-in and the last renewal asked and heard. */
  'auth.history': request<readonly SignInExchange[]>()(ofServer),
  /** Uses another server's login here, where it is for the same resource; `null` ends it. */
  'auth.share': request<void>()(ofServer.extend({ from: ServerId.nullable() })),
};
