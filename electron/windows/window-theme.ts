import type { Theme } from '../../shared/domain/settings.ts';
import type { Result } from '../../shared/failure.ts';
import { chromeColour, titleBarColours } from './title-bar.ts';

/** What this needs of Electron's `nativeTheme`. */
export interface ThemePort {
  themeSource: Theme;
  readonly shouldUseDarkColors: boolean;
  on(event: 'updated', listener: () => void): unknown;
}

/** What this needs of Electron's `BrowserWindow`. */
export interface ThemedWindow {
  setBackgroundColor(colour: string): void;
  setTitleBarOverlay(colours: { color: string; symbolColor: string; height: number }): void;
}

export interface ThemeOptions {
  system: NodeJS.Platform;
  /** As the settings have it now. */
  chosen(): Theme;
  /** Null while there is none. */
  window(): ThemedWindow | null;
}

type Call = (name: string, input: unknown) => Promise<Result<unknown>>;

/**
 * Has the system's own parts of the window, its controls and menus, follow the theme that the person chose for the
 * page. Returns how the page's calls are made from now on: behind one that changes the settings, the theme is looked up
 * again.
 */
export function followTheme(native: ThemePort, { system, chosen, window }: ThemeOptions): (call: Call) => Call {
  const follow = (): void => {
    native.themeSource = chosen();
  };
  native.on('updated', () => dress(window(), system, native.shouldUseDarkColors));
  follow();
  return (call) => async (name, input) => {
    const result = await call(name, input);
    if (name === 'settings.change' && result.ok) follow();
    return result;
  };
}

function dress(window: ThemedWindow | null, system: NodeJS.Platform, isDark: boolean): void {
  window?.setBackgroundColor(chromeColour(isDark));
  if (system !== 'darwin') window?.setTitleBarOverlay(titleBarColours(isDark));
}
