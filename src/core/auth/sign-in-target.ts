import type { ServerId } from '../../shared/ids.ts';
import type { SignInWay } from '../../shared/model/sign-in.ts';
import type { Secret } from '../kernel/secret.ts';

/** What a server's settings say of signing in, with variables filled in. Nothing in it is secret. */
export interface SignInSettings {
  readonly clientId?: string;
  /** A client secret or a private key is configured: it is read each time that it is needed. */
  readonly hasSecret: boolean;
  /** Asked for as it stands (F-199). */
  readonly scope?: string;
  /** Exact, with its port and path. */
  readonly redirectUri?: string;
  readonly clientName?: string;
  readonly clientUri?: string;
  /** An address of one's own, or `false`; absent: the app's own. */
  readonly clientMetadataUrl?: string | false;
  readonly skipIssuerMetadataValidation?: boolean;
  readonly authorizationParams?: Readonly<Record<string, string>>;
  readonly privateKeyJwt?: { readonly algorithm: string; readonly audience?: string; readonly lifetimeSeconds?: number; readonly claims?: Readonly<Record<string, unknown>> };
}
/** Read anew for each use and kept nowhere (F-26, F-169). */
export interface SignInCredentials {
  readonly clientSecret?: Secret;
  /** PKCS#8 PEM, or a JWK's JSON text. */
  readonly privateKey?: Secret;
  /** A JWT of the workload's own platform (RFC 7523, section 2.1). */
  readonly assertion?: Secret;
  /** Who the person is at their company's provider (F-170): its own files may be a `!command` in each field. */
  readonly crossApp?: { readonly idpUrl: string; readonly clientId: string; readonly idToken: Secret; readonly clientSecret?: Secret };
}
/** One server that can be signed in to. */
export interface SignInTarget {
  readonly serverId: ServerId;
  /** For people. */
  readonly server: string;
  /** With variables filled in; what is granted is bound to it. */
  readonly url: string;
  readonly way: SignInWay;
  readonly settings: SignInSettings;
  /** Runs `!command`s, reads the vault, asks the person as the secrets' policies say. Throws `secret/*`, `vault/*`, `variable/missing`, `user/needed`. */
  readonly credentials: (signal: AbortSignal) => Promise<SignInCredentials>;
}
