import type { BrowserWindowConstructorOptions, TitleBarOverlay } from 'electron';
import type { Theme } from '../../shared/domain/settings.ts';
import type { Result } from '../../shared/failure.ts';
import { smallestWindow, type WindowState } from './window-state.ts';

interface MainWindowOptions {
  state: WindowState;
  /** The bundled preload. */
  preload: string;
  isDark: boolean;
  system: NodeJS.Platform;
  isPackaged: boolean;
}

/**
 * The page runs in a sandbox, isolated from the preload's world, without Node. No spell checker: it would fetch its
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

/** `--chrome` and `--fg-2` of each theme. */
const colours = {
  light: { chrome: '#eef1f3', symbols: '#414d57' },
  dark: { chrome: '#0f1214', symbols: '#b4bec6' },
};
/** As high as the page's command bar. */
export const titleBarHeight = 40;
const trafficLights = 14;

const coloursOf = (isDark: boolean): (typeof colours)['light'] => (isDark ? colours.dark : colours.light);

/** The window's colour until the page is drawn, so that a dark theme does not flash white. */
export const chromeColour = (isDark: boolean): string => coloursOf(isDark).chrome;

/** Of the controls of Windows and Linux, which leave the line at the foot of the bar to the page. */
export function titleBarColours(isDark: boolean): Required<TitleBarOverlay> {
  const { chrome, symbols } = coloursOf(isDark);
  return { color: chrome, symbolColor: symbols, height: titleBarHeight - 1 };
}

/**
 * The page's command bar is the title bar: the window has none of its own, and the system draws its controls over the
 * page, which hears by `env(titlebar-area-*)` what they leave. The menu bar of Windows and Linux goes with the title
 * bar (menu.ts).
 */
export function titleBar(system: NodeJS.Platform, isDark: boolean): BrowserWindowConstructorOptions {
  if (system !== 'darwin') return { titleBarStyle: 'hidden', titleBarOverlay: titleBarColours(isDark) };
  const edge = (titleBarHeight - trafficLights) / 2;
  return {
    titleBarStyle: 'hidden',
    titleBarOverlay: { height: titleBarHeight },
    trafficLightPosition: { x: edge, y: edge },
  };
}

/** What this needs of Electron's `nativeTheme`. */
interface ThemePort {
  themeSource: Theme;
  readonly shouldUseDarkColors: boolean;
  on(event: 'updated', listener: () => void): unknown;
}

/** What this needs of Electron's `BrowserWindow`. */
interface ThemedWindow {
  setBackgroundColor(colour: string): void;
  setTitleBarOverlay(colours: { color: string; symbolColor: string; height: number }): void;
}

interface ThemeOptions {
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

/** What this needs of Electron's `BrowserWindow`. */
export interface ShownWindow {
  isMinimized(): boolean;
  isFocused(): boolean;
  restore(): void;
  show(): void;
  focus(): void;
  once(event: 'closed', listener: () => void): unknown;
}

/** The one window. On macOS a program keeps running without it: code that needs to show something opens it again. */
export class SoleWindow<W extends ShownWindow> {
  #window: W | null = null;
  #make: (() => W) | null = null;

  /** Null while there is none. */
  get current(): W | null {
    return this.#window;
  }

  get isFocused(): boolean {
    return this.#window?.isFocused() ?? false;
  }

  /** The program has come up: opens the window, now and whenever it is wanted again. */
  begin(make: () => W): void {
    this.#make = make;
    this.#open(make);
  }

  /** The program is going: there is no other window any more. */
  end(): void {
    this.#make = null;
  }

  /** Brings it before the person's eyes. Before the program has come up there is nothing to bring. */
  show(): void {
    const window = this.#window;
    if (window === null) {
      if (this.#make !== null) this.#open(this.#make);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  #open(make: () => W): void {
    const window = make();
    this.#window = window;
    window.once('closed', () => {
      this.#window = null;
    });
  }
}

/** Holds what the page is to show until it can take it. Only the last one: the page shows one thing. */
export class PageInbox<T> {
  #waiting: T | null = null;
  #deliver: ((message: T) => void) | null = null;

  put(message: T): void {
    if (this.#deliver === null) this.#waiting = message;
    else this.#deliver(message);
  }

  /** The page is loaded. */
  open(deliver: (message: T) => void): void {
    this.#deliver = deliver;
    const message = this.#waiting;
    this.#waiting = null;
    if (message !== null) deliver(message);
  }

  /** The page is gone. */
  close(): void {
    this.#deliver = null;
  }
}
