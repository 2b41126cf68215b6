/** Why a request that was sent will get no answer. Travels inside a made-up error response; no server can send one. */
export class LostAnswer {
  readonly message: string;
  readonly cause: unknown;

  constructor(message: string, cause?: unknown) {
    this.message = message;
    this.cause = cause;
  }
}
