import { AppError } from '../../shared/errors.ts';

/** Where the master key lies. Values are short printable text. */
export interface Keyring {
  /** `undefined` when there is no such entry. Each throws `vault/unavailable` (no keyring) or `vault/locked`. */
  read(account: string, signal: AbortSignal): Promise<string | undefined>;
  write(account: string, value: string, signal: AbortSignal): Promise<void>;
  remove(account: string, signal: AbortSignal): Promise<void>;
}

const service = 'gatehouse';
// Left to itself the package would fall back to a store of the kernel, which is empty after the next start of the machine.
const options = { linux: { store: 'secret-service' } } as const;

/** The operating system's keyring. A question that it asks the person does not block anything, but counts as locked after `timeoutMs`. */
export function systemKeyring(timeoutMs = 10_000): Keyring {
  const entryOf = async (account: string) => {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    return new AsyncEntry(service, account, options);
  };
  return {
    read: (account, signal) => bounded(async () => (await (await entryOf(account)).getPassword()) ?? undefined, timeoutMs, signal),
    write: (account, value, signal) => bounded(async () => (await entryOf(account)).setPassword(value), timeoutMs, signal),
    remove: (account, signal) => bounded(async () => void (await (await entryOf(account)).deleteCredential()), timeoutMs, signal),
  };
}

/** The package ignores signals and waits for ever on an unanswered question: `vault/locked` after `timeoutMs`, the signal's reason when it aborts. */
export async function bounded<T>(work: () => Promise<T>, timeoutMs: number, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    timer = setTimeout(() => reject(new AppError('vault/locked', 'The keyring did not answer in time; it may be waiting to be unlocked')), timeoutMs);
  });
  const answer = work().catch((error: unknown) => Promise.reject(keyringProblem(error)));
  try {
    return await Promise.race([answer, givenUp]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** All errors carry the same code; only their text tells them apart. */
export function keyringProblem(error: unknown): AppError {
  const text = error instanceof Error ? error.message : String(error);
  // The numbers are macOS's: interaction not allowed, cancelled by the person, wrong password.
  const locked = /prompt was dismissed|is ?locked|object locked|-25308|-25293|-128\b/i.test(text);
  return locked
    ? new AppError('vault/locked', 'The system keyring is locked', { cause: error })
    : new AppError('vault/unavailable', `There is no system keyring to keep the key in: ${text.slice(0, 300)}`, { cause: error });
}
