import { ipcMain } from 'electron';
import { channels } from '../../shared/ipc/channels.ts';
import { answerRequest, cancelRequest, type RequestDeps } from './requests.ts';

/** The way in for our windows: two channels, the sender of every message checked. */
export function openWindowDoor(deps: RequestDeps): void {
  ipcMain.handle(channels.request, (event, message: unknown, token: unknown) => answerRequest(deps, event, message, token));
  ipcMain.on(channels.cancel, (event, id: unknown, token: unknown) => cancelRequest(deps, event, id, token));
}
