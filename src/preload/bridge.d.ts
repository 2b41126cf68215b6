import type { Bridge } from '../shared/ipc/channels.ts';

declare global {
  interface Window {
    /** Put there by the preload. All that a page has of the app. */
    readonly gatehouse: Bridge;
  }
}
