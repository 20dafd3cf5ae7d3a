import type { BrowserWindowConstructorOptions, TitleBarOverlay } from 'electron';

/** `--chrome` and `--fg-2` of each theme. */
const colours = {
  light: { chrome: '#eef1f3', symbols: '#414d57' },
  dark: { chrome: '#0f1214', symbols: '#b4bec6' },
};
/** As high as the page's command bar. */
export const titleBarHeight = 40;
const trafficLights = 14;

const coloursOf = (isDark: boolean): (typeof colours)['light'] => (isDark ? colours.dark : colours.light);

/** The window's colour until the page is drawn, so that a dark desk does not flash white. */
export const chromeColour = (isDark: boolean): string => coloursOf(isDark).chrome;

/** Of the controls of Windows and Linux, which leave the line at the foot of the bar to the page. */
export function titleBarColours(isDark: boolean): Required<TitleBarOverlay> {
  const { chrome, symbols } = coloursOf(isDark);
  return { color: chrome, symbolColor: symbols, height: titleBarHeight - 1 };
}

/**
 * The page's command bar is the title bar: the window has none of its own, and the system draws its controls over the
 * page, which hears by `env(titlebar-area-*)` what they leave. The menu bar of Windows and Linux goes with the title
 * bar (window-menu.ts).
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
