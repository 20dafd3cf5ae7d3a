import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { z } from 'zod';
import { callChannel, eventChannel } from '../shared/transport.ts';
import { createPageBridge } from './windows/page-bridge.ts';

// Zod's compiler probes for eval, which the page's content security policy refuses and reports.
z.config({ jitless: true });

/** The page's only way to the host. Neither `ipcRenderer` nor an event object of it ever reaches the page. */
const bridge = createPageBridge<File>({
  invoke: (request) => ipcRenderer.invoke(callChannel, request),
  onEvent: (listener) => void ipcRenderer.on(eventChannel, (_event, message: unknown) => listener(message)),
  pathOf: (file) => webUtils.getPathForFile(file),
});

contextBridge.exposeInMainWorld('bridge', bridge);
