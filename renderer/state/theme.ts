import type { Theme } from '../../shared/domain/settings.ts';
import { rememberTheme } from '../memory/remembered-theme.ts';

const darkSystem = '(prefers-color-scheme: dark)';
let chosen: Theme = 'system';
let isWatching = false;

/** Puts the theme on the page and remembers it. "System" follows the system from then on. */
export function showTheme(theme: Theme): void {
  chosen = theme;
  rememberTheme(theme);
  paint();
  if (isWatching) return;
  isWatching = true;
  window.matchMedia(darkSystem).addEventListener('change', paint);
}

function paint(): void {
  const system = window.matchMedia(darkSystem).matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen === 'system' ? system : chosen;
}
