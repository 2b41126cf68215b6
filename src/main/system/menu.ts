import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { CommandAction } from '../../shared/ipc/channels.ts';

export interface MenuDeps {
  readonly command: (command: CommandAction['command']) => void;
  readonly quit: () => void;
  readonly developing: boolean;
}

/** Before the app is ready: Electron would build a menu of its own and put it on the window, only for ours to take its place. */
export const withoutDefaultMenu = (): void => Menu.setApplicationMenu(null);

/** The application menu. Hidden on Windows and Linux until Alt is pressed; its keys work all the same. */
export function setAppMenu({ command, quit, developing }: MenuDeps): void {
  const macOS = process.platform === 'darwin';
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const item = (label: string, accelerator: string, name: CommandAction['command']): MenuItemConstructorOptions => ({
    label, accelerator, click: () => command(name),
  });
  const settings = item('Settings…', 'CommandOrControl+,', 'settings');
  // Not the role: it would leave without asking.
  const leave: MenuItemConstructorOptions = { label: 'Quit Gatehouse', accelerator: 'CommandOrControl+Q', click: quit };
  const template: MenuItemConstructorOptions[] = [
    ...(macOS
      ? [{
          label: 'Gatehouse',
          submenu: [
            { role: 'about' }, separator, settings, separator, { role: 'services' }, separator, { role: 'hide' }, { role: 'hideOthers' }, { role: 'unhide' }, separator, leave,
          ],
        } satisfies MenuItemConstructorOptions]
      : []),
    {
      label: '&File',
      submenu: [item('New chat', 'CommandOrControl+N', 'new-chat'), separator, ...(macOS ? [] : [settings, separator]), { role: 'close' }, ...(macOS ? [] : [separator, leave])],
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        item('Command palette', 'CommandOrControl+K', 'palette'),
        { label: 'Approvals', click: () => command('approvals') },
        { label: 'Servers', click: () => command('servers') },
        separator,
        { role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, separator, { role: 'togglefullscreen' },
        ...(developing ? [separator, { role: 'reload' } as const, { role: 'toggleDevTools' } as const] : []),
      ],
    },
    { role: 'windowMenu' },
    { role: 'help', label: '&Help', submenu: [{ label: 'Set-up…', click: () => command('set-up') }] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
