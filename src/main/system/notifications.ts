import { Notification } from 'electron';
import type { NoticeText, ShownNotice } from './approval-notices.ts';

/** Held until they are gone: a collected notification loses its click. */
const held = new Set<Notification>();

export function showNotice({ title, body }: NoticeText, icon: string, onClick: () => void): ShownNotice {
  if (!Notification.isSupported()) return { close: () => undefined };
  const notification = new Notification({ title, body, icon });
  held.add(notification);
  const release = () => held.delete(notification);
  notification.on('click', () => {
    release();
    onClick();
  });
  notification.on('close', release);
  notification.on('failed', release);
  notification.show();
  return {
    close() {
      release();
      notification.close();
    },
  };
}
