let last: Promise<unknown> = Promise.resolve();

/** Waits until all who asked before have ended their turn; ends this one when the answer is called. */
export async function turn(): Promise<() => void> {
  const before = last;
  let end = (): void => undefined;
  last = new Promise<void>((resolve) => (end = resolve));
  await before;
  return end;
}
