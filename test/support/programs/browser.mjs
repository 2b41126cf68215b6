// A browser as people have it beside Gatehouse: windows that Playwright opens, and nothing of Gatehouse's.
import { app } from 'electron';

app.on('window-all-closed', () => undefined);
