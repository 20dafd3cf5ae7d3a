import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import {
  type ByteClass,
  byteClasses,
  type ByteStrip,
  partsOfStrip,
  type StripPart,
} from '../../shared/domain/byte-classes.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './byte-strip.module.css';
import { words } from './format.ts';

/** CSS pixels; the same as in the style sheet. */
const sizes = { row: { width: 60, height: 14 }, inspector: { width: 248, height: 40 } } as const;

interface ByteStripBarProps {
  /** null while it is not known: its place stays empty. */
  strip: ByteStrip | null;
  size: 'row' | 'inspector';
}

/** What a sample looks like. Painted once for each strip, theme and screen. */
export function ByteStripBar({ strip, size }: ByteStripBarProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const palette = useStripPalette();
  const { width, height } = sizes[size];
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context || strip === null) return;
    canvas.current.width = Math.round(width * palette.density);
    canvas.current.height = Math.round(height * palette.density);
    const { width: across, height: down } = canvas.current;
    for (const bar of barsOf(strip, across, down)) {
      context.fillStyle = palette.colours[bar.byteClass];
      context.fillRect(bar.left, down - bar.height, bar.width, bar.height);
    }
  }, [strip, palette, width, height]);
  if (strip === null) return <span className={classNames(styles.strip, styles[size])} />;
  return (
    <canvas
      ref={canvas}
      className={classNames(styles.strip, styles[size])}
      role="img"
      aria-label={formatEntropy(strip)}
    />
  );
}

function formatEntropy(strip: ByteStrip): string {
  const { least, most } = entropyRange(strip);
  return words.entropy(least.toFixed(1), most.toFixed(1));
}

/** What strips are painted with: another object when the theme, the contrast or the screen is another one. */
interface StripPalette {
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

/** One upright bar of a drawing, in device pixels from its upper left corner. */
interface StripBar {
  byteClass: ByteClass;
  left: number;
  width: number;
  height: number;
}

/**
 * A strip as bars: the class of the bytes as hue, their entropy as height. Each begins and ends on a whole pixel, so
 * that none is blurred; neighbours that look the same are one bar. Where pixels are fewer than parts, the highest of a
 * pixel is drawn.
 */
export function barsOf(strip: ByteStrip, width: number, height: number): StripBar[] {
  const parts = partsOfStrip(strip);
  const bars: StripBar[] = [];
  for (let x = 0; x < width; x += 1) {
    const { byteClass, entropy } = highestOf(parts, x, width);
    // No entropy at all is still something: a file of zeros has its bytes.
    const tall = Math.max(Math.ceil(height / 14), Math.round((entropy / 8) * height));
    const last = bars.at(-1);
    if (last?.byteClass === byteClass && last.height === tall) last.width += 1;
    else bars.push({ byteClass, left: x, width: 1, height: tall });
  }
  return bars;
}

const nothing: StripPart = { byteClass: 'zero', entropy: 0 };

function highestOf(parts: readonly StripPart[], x: number, width: number): StripPart {
  const first = Math.floor((x * parts.length) / width);
  const end = Math.max(first + 1, Math.floor(((x + 1) * parts.length) / width));
  return parts
    .slice(first, end)
    .reduce((highest, part) => (part.entropy > highest.entropy ? part : highest), parts[first] ?? nothing);
}

/** The lowest and the highest entropy of a strip, bits a byte. */
export function entropyRange(strip: ByteStrip): { least: number; most: number } {
  const all = partsOfStrip(strip).map(({ entropy }) => entropy);
  return { least: Math.min(...all), most: Math.max(...all) };
}
