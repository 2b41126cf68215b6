import type { exitCodes } from './exit-codes.ts';

export interface CliErrorOptions {
  readonly exit?: keyof typeof exitCodes;
  /** The one thing to do about it. */
  readonly hint?: string;
  /** More lines, such as a list of what is wrong. */
  readonly details?: readonly string[];
}

/** What the command line itself refuses or cannot do; its message is for people. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exit: keyof typeof exitCodes;
  readonly hint: string | undefined;
  readonly details: readonly string[];

  constructor(message: string, { exit = 'failed', hint, details = [] }: CliErrorOptions = {}) {
    super(message);
    this.exit = exit;
    this.hint = hint;
    this.details = details;
  }
}
