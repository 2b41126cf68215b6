import type { Session, WebContents } from 'electron';

/** What a page of ours may load: itself, and what lies beside it. */
export interface PageRules {
  /** The address of the page. Reloading it is the only navigation that a page may make. */
  readonly pageUrl: string;
  /** Addresses that may be requested at all, whatever a page's policy says. */
  readonly mayRequest: (url: string) => boolean;
}

/** Keeps web contents on their page: no other address, no frames, no new windows, no webviews. */
export function guardContents(contents: WebContents, { pageUrl }: PageRules): void {
  const stay = (event: { readonly url: string; readonly isMainFrame: boolean; preventDefault(): void }) => {
    if (!event.isMainFrame || !isSamePage(event.url, pageUrl)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  // The page's policy does not reach WebRTC.
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}

/** Denies what pages could ask of the system, and every request that leads out of the app. */
export function guardSession(session: Session, { mayRequest }: PageRules): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, decide) => decide({}));
  session.on('will-download', (event) => event.preventDefault());
  session.webRequest.onBeforeRequest((details, decide) => decide({ cancel: !mayRequest(details.url) }));
  // Dictionaries would be fetched from the network; macOS brings its own.
  if (process.platform !== 'darwin') session.setSpellCheckerLanguages([]);
}

/** The same document, whatever its fragment. */
export function isSamePage(url: string, pageUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const [a, b] = [new URL(url), new URL(pageUrl)];
  return a.protocol === b.protocol && a.host === b.host && a.pathname === b.pathname && a.username === '' && a.password === '';
}
