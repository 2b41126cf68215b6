import { contextBridge, ipcRenderer } from 'electron';
import { channels, type Bridge, type StateMessage } from '../shared/ipc/channels.ts';

/** Tells main which load of the page asks, so that what an earlier load began ends. It gives no rights. */
const page = crypto.randomUUID();

const bridge: Bridge = {
  request: (message) => ipcRenderer.invoke(channels.request, message, page),
  cancel: (id) => ipcRenderer.send(channels.cancel, id, page),
  onState(listener) {
    // The event itself stays here: it holds a way to send on any channel.
    const forward = (_event: unknown, messages: readonly StateMessage[]) => listener(messages);
    ipcRenderer.on(channels.state, forward);
    return () => void ipcRenderer.removeListener(channels.state, forward);
  },
};
contextBridge.exposeInMainWorld('gatehouse', bridge);
