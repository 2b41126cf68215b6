import { protocol, type Session } from 'electron';
import type { ContentStore } from '../../core/ports.ts';
import { pageFiles } from './page-files.ts';
import { contentScheme, pageScheme } from './page-policy.ts';

/** Before the app is ready: Chromium learns its schemes once. */
export function registerSchemes(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    { scheme: contentScheme, privileges: { standard: true, secure: true, stream: true } },
  ]);
}

export function serveSchemes(session: Session, folder: string, contents: Promise<Pick<ContentStore, 'read'>>, onScript: () => () => void): void {
  session.protocol.handle(pageScheme, pageFiles(folder, onScript));
  // Not needed for the first page.
  const files = later(() => import('./content-files.ts').then(({ contentFiles }) => contentFiles(contents)));
  session.protocol.handle(contentScheme, async (request) => (await files())(request));
}

/** Made at the first use. */
function later<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
