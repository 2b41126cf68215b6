/** How the command line ends. Scripts rely on these numbers; `gatehouse help exit-codes` and docs/cli.md list them. */
export const exitCodes = {
  done: 0,
  /** It failed, or was asked for in a way that makes no sense. */
  failed: 1,
  /** A person has to answer first, and there is no terminal to ask at. */
  needsPerson: 2,
  /** Ctrl-C. */
  interrupted: 130,
  terminated: 143,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeWords: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.done, 'Done. Also when there was nothing to do.'],
  [exitCodes.failed, 'It failed, found something invalid, or the command was not understood. Nothing is half done.'],
  [exitCodes.needsPerson, 'A person has to answer first (trust, a sign-in, a secret, the vault) and there is no terminal to ask at.'],
  [exitCodes.interrupted, 'Stopped with Ctrl-C.'],
  [exitCodes.terminated, 'Stopped by a signal to end.'],
];
