import type { ServerId } from '../../shared/ids.ts';
import type { SignInLogin } from '../../shared/model/sign-in.ts';
import type { LoginFacts } from './sign-in-record.ts';

/** A login as it may be shown. */
export function loginOf({ issuer, account, scopes, clientId, clientFrom, signedInAt, refreshedAt, expiresAt, renews, dpop }: LoginFacts, sharedFrom: ServerId | undefined): SignInLogin {
  return {
    issuer, scopes, clientId, clientFrom, signedInAt, renews,
    ...(account === undefined ? {} : { account }), ...(refreshedAt === undefined ? {} : { refreshedAt }), ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(dpop ? { dpop } : {}), ...(sharedFrom === undefined ? {} : { sharedFrom }),
  };
}
