import { app, dialog } from 'electron';

/** Makes sure that nothing fails in silence: whatever nobody caught is logged, and the person is told once. */
export function watchIncidents(log: (message: string, error: unknown) => void): void {
  let told = false;
  const report = (message: string, error: unknown) => {
    log(message, error);
    if (told) return;
    told = true;
    app.whenReady()
      .then(() => dialog.showMessageBox({
        type: 'error',
        title: 'Gatehouse',
        message: 'Something in Gatehouse broke',
        detail: 'It was written to the log. You can go on working; if something looks wrong, quit and start Gatehouse again.',
      }))
      .catch((failure: unknown) => log('The person could not be told', failure));
  };
  process.on('uncaughtException', (error) => report('Uncaught exception', error));
  process.on('unhandledRejection', (error) => report('Unhandled rejection', error));
  // A terminal that was closed is no incident.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
