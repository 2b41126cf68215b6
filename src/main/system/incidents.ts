/**
 * Makes sure that nothing fails in silence: whatever nobody caught is logged, and the person is told once, in words that hold nothing of the error. No crash reporter
 * is started: what is written is the log’s line, with known secrets taken out, and nothing is sent anywhere.
 */
export function watchIncidents(log: (message: string, error: unknown) => void, tell: () => Promise<unknown>): void {
  let told = false;
  const report = (message: string, error: unknown) => {
    log(message, error);
    if (told) return;
    told = true;
    tell().catch((failure: unknown) => log('The person could not be told', failure));
  };
  process.on('uncaughtException', (error) => report('Uncaught exception', error));
  process.on('unhandledRejection', (error) => report('Unhandled rejection', error));
  // A terminal that was closed is no incident.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
