/** Every failure the app can report, with the reaction it calls for. */
export const errorKinds = {
  'request/invalid': 'caller',
  'request/unknown-route': 'caller',
  'request/forbidden': 'caller',
  'server/not-found': 'caller',
  'server/exists': 'caller',
  'server/read-only': 'caller',
  'server/disabled': 'caller',
  'tool/not-found': 'caller',
  'chat/not-found': 'caller',
  'chat/busy': 'caller',
  'approval/not-found': 'caller',
  'approval/required': 'user',
  'elicitation/not-found': 'caller',
  'elicitation/url-required': 'user',
  'auth/sign-in-required': 'user',
  'auth/scopes-needed': 'user',
  'auth/client-needed': 'user',
  'auth/host-blocked': 'user',
  'auth/port-busy': 'user',
  'auth/denied': 'user',
  'auth/expired': 'user',
  'auth/waiting': 'caller',
  'auth/no-flow': 'caller',
  'auth/not-supported': 'caller',
  'auth/discovery-failed': 'remote',
  'auth/address-refused': 'remote',
  'auth/issuer-mismatch': 'remote',
  'auth/account-refused': 'remote',
  'auth/failed': 'remote',
  'secret/missing': 'user',
  'secret/policy-denied': 'user',
  'secret/in-use': 'caller',
  'secret/exists': 'caller',
  'secret/command-failed': 'user',
  'variable/missing': 'user',
  'vault/unavailable': 'user',
  'vault/locked': 'user',
  'vault/key-missing': 'user',
  'vault/damaged': 'user',
  'trust/needed': 'user',
  'trust/changed': 'user',
  'project/needed': 'user',
  'user/needed': 'user',
  'storage/failed': 'user',
  'home/in-use': 'user',
  'home/newer': 'user',
  'config/invalid': 'user',
  'config/changed': 'user',
  'launch/command-not-found': 'user',
  'launch/not-permitted': 'user',
  'connection/unreachable': 'retry',
  'connection/timed-out': 'retry',
  'connection/closed': 'retry',
  'connection/backing-off': 'retry',
  'connection/still-starting': 'retry',
  'connection/stopped': 'user',
  'connection/crash-loop': 'user',
  'server/exited': 'remote',
  'server/protocol-error': 'remote',
  'server/not-mcp': 'remote',
  'server/http-error': 'remote',
  'tool/failed': 'remote',
  'tool/timed-out': 'remote',
  'tool/outcome-unknown': 'remote',
  'tool/result-too-large': 'remote',
  'result/read-failed': 'caller',
  'skill/not-verified': 'remote',
  'model/not-chosen': 'user',
  'model/key-refused': 'user',
  'model/unreachable': 'retry',
  'model/overloaded': 'retry',
  'model/refused': 'remote',
  'model/failed': 'remote',
  'run/cancelled': 'cancelled',
  'internal/bug': 'bug',
} as const;
export type ErrorCode = keyof typeof errorKinds;
export type ErrorKind = (typeof errorKinds)[ErrorCode];
export interface ErrorData {
  readonly code: ErrorCode;
  readonly message: string;
  readonly data?: unknown;
}

/** `message` is for logs and for a server's or provider's own words; words for people are made from the code. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly data: unknown;

  constructor(code: ErrorCode, message: string, options: { readonly data?: unknown; readonly cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.data = options.data;
  }

  get kind(): ErrorKind {
    return errorKinds[this.code];
  }

  toData(): ErrorData {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }

  /** A bug's own text stays in the log: it may hold paths or secrets. */
  static from(thrown: unknown): AppError {
    if (thrown instanceof AppError) return thrown;
    if (thrown instanceof Error && thrown.name === 'AbortError') return new AppError('run/cancelled', 'Cancelled', { cause: thrown });
    return new AppError('internal/bug', 'Something went wrong', { cause: thrown });
  }
}
