import type { Bridge } from '../../shared/bridge.ts';
import { HttpBridge } from './http-bridge.ts';
import { browserSurroundings } from './browser-surroundings.ts';

declare global {
  interface Window {
    /** Put there by the desktop's preload; absent in a browser. */
    readonly bridge?: Bridge<File>;
  }
}

/**
 * The page's door to its host, opened once. `onConnected` is called whenever the connection for events is made anew,
 * so that what was missed can be read again; over IPC nothing is ever missed.
 */
export function openBridge(onConnected: () => void): Bridge<File> {
  return window.bridge ?? new HttpBridge(browserSurroundings(), onConnected);
}
