import type { IpcMainInvokeEvent } from 'electron';

type Sender = Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>;

/** True only for the top frame of one of our own windows that shows our own page. Origins are written `protocol//host`. */
export function isTrustedSender(event: Sender, ourWindows: { has(id: number): boolean }, ourOrigins: ReadonlySet<string>): boolean {
  try {
    const frame = event.senderFrame;
    if (!frame || frame.parent !== null || frame !== event.sender.mainFrame || !ourWindows.has(event.sender.id)) return false;
    // Both: `origin` is opaque for a sandboxed document of our own address, `url` is ours for about:blank's heirs.
    return ourOrigins.has(frame.origin) && URL.canParse(frame.url) && ourOrigins.has(originOf(frame.url));
  } catch {
    return false; // the frame is gone
  }
}

/** `new URL('app://gatehouse').origin` is `'null'`, so it is put together. */
export function originOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}
