import type { BrowserWindowConstructorOptions } from 'electron';
import { chromeColour, titleBar } from './title-bar.ts';
import { smallestWindow, type WindowState } from './window-state.ts';

export interface MainWindowOptions {
  state: WindowState;
  /** The bundled preload. */
  preload: string;
  isDark: boolean;
  system: NodeJS.Platform;
  isPackaged: boolean;
}

/**
 * The page runs in a sandbox, apart from the preload's world, without Node. No spell checker: it would fetch its
 * dictionaries from the network. A file dropped beside the drop field does not replace the page.
 */
export function mainWindowOptions({
  state,
  preload,
  isDark,
  system,
  isPackaged,
}: MainWindowOptions): BrowserWindowConstructorOptions {
  const { maximized: _maximized, ...bounds } = state;
  return {
    ...bounds,
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    show: false,
    title: 'Vitrine',
    backgroundColor: chromeColour(isDark),
    ...titleBar(system, isDark),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: !isPackaged,
    },
  };
}
