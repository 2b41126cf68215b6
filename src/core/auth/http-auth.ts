/** How requests to one server carry who asks. It never opens a browser. */
export interface HttpAuth {
  /**
   * Puts the token on a request that is about to leave; renews one that is about to end, and has a machine sign in. Without a login the request goes as it is. Throws
   * `auth/*`, `secret/*`, `vault/*`.
   */
  authorize(request: AuthorizedRequest, signal: AbortSignal): Promise<void>;
  /**
   * A 401, or a 403 with a challenge. `again`: send it once more, through `authorize`. `refused`: the answer stands. Throws `auth/scopes-needed` when more has to be granted,
   * `auth/sign-in-required` when the login cannot be renewed.
   */
  challenged(response: Response, sent: ChallengedRequest, signal: AbortSignal): Promise<'again' | 'refused'>;
  /** Any answer: it may bring a nonce (RFC 9449, section 8.2). */
  heard(response: Response, url: URL): void;
}
export interface ChallengedRequest extends AuthorizedRequest {
  readonly tool?: string;
  /** It was sent once more already. */
  readonly isRepeated: boolean;
}
export interface AuthorizedRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
}
