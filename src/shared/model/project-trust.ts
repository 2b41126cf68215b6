/** What a project's files would run, contact and name, for the question whether they may. Values of environment and headers are not in it. */
export interface TrustServer {
  readonly name: string;
  /** Relative to the project. */
  readonly file: string;
  readonly change: 'new' | 'changed' | 'same' | 'removed';
  /** Each as it would be: the whole command line with `!commands` too, the folder, names of environment variables and headers, the address. */
  readonly facts: readonly TrustFact[];
  /** What was trusted before, for a changed or removed one. */
  readonly before?: readonly TrustFact[];
}
/** What one of a project's files would set every run to (H-13). */
export type TrustRuns = Omit<TrustServer, 'name'>;
export interface TrustFact {
  readonly kind: 'command' | 'folder' | 'address' | 'socket' | 'environment' | 'headers' | 'env-file' | 'secret-command' | 'secret' | 'sign-in' | 'switch' | 'run';
  readonly text: string;
}
export interface TrustQuestion {
  readonly project: string;
  /** What the answer is bound to: changes with any byte of the files. */
  readonly digest: string;
  readonly again: boolean;
  readonly files: readonly { readonly file: string; readonly change: 'new' | 'changed' | 'same' | 'removed' }[];
  readonly servers: readonly TrustServer[];
  readonly runs: readonly TrustRuns[];
}
export type TrustStatus =
  /** No project is open, or it has no files that need trust. */
  | { readonly phase: 'not-needed' }
  | { readonly phase: 'trusted' }
  | { readonly phase: 'ask'; readonly question: TrustQuestion }
  /** The person said no to this content. */
  | { readonly phase: 'refused'; readonly question: TrustQuestion };
