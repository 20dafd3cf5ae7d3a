import { useSyncExternalStore } from 'react';
import { type ByteClass, byteClasses } from '../../shared/domain/byte-classes.ts';

/** What strips are painted with: another object when the theme, the contrast or the screen is another one. */
export interface StripPalette {
  colours: Readonly<Record<ByteClass, string>>;
  /** Device pixels in a CSS pixel. */
  density: number;
}

const highContrast = '(forced-colors: active)';
const listeners = new Set<() => void>();
let palette: StripPalette | null = null;
let stopWatching: (() => void) | null = null;

/** Read once for all strips of the page: a computed style for each would be worked out again for each. */
export function useStripPalette(): StripPalette {
  return useSyncExternalStore(subscribe, snapshot);
}

function snapshot(): StripPalette {
  return (palette ??= readPalette());
}

function readPalette(): StripPalette {
  const density = Math.max(1, window.devicePixelRatio);
  const style = getComputedStyle(document.documentElement);
  const isForced = window.matchMedia(highContrast).matches;
  const colour = (byteClass: ByteClass): string =>
    isForced ? 'CanvasText' : style.getPropertyValue(`--b-${byteClass}`).trim();
  const [zero, text, code, high, ff] = byteClasses;
  return {
    colours: { zero: colour(zero), text: colour(text), code: colour(code), high: colour(high), ff: colour(ff) },
    density,
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  stopWatching ??= watch();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    stopWatching?.();
    stopWatching = null;
    palette = null;
  };
}

function watch(): () => void {
  const change = (): void => {
    const next = readPalette();
    if (JSON.stringify(next) === JSON.stringify(palette)) return;
    palette = next;
    for (const listener of listeners) listener();
  };
  const themes = new MutationObserver(change);
  themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const contrast = window.matchMedia(highContrast);
  contrast.addEventListener('change', change);
  // Zooming, and another screen.
  window.addEventListener('resize', change);
  return () => {
    themes.disconnect();
    contrast.removeEventListener('change', change);
    window.removeEventListener('resize', change);
  };
}
