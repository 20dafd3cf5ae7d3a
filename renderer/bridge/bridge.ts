import type { Bridge } from '../../shared/transport.ts';
import { browserSurroundings } from './browser-surroundings.ts';
import { type ConnectionListener, HttpBridge } from './http-bridge.ts';

declare global {
  interface Window {
    /** Put there by the desktop's preload; absent in a browser. */
    readonly bridge?: Bridge<File>;
  }
}

/**
 * The page's door to its host, opened once. The listener is told whenever the connection for events is made anew, so
 * that what was missed can be read again, and whenever it is lost; over IPC nothing is ever missed.
 */
export function openBridge(connection: ConnectionListener): Bridge<File> {
  return window.bridge ?? new HttpBridge(browserSurroundings(), connection);
}
