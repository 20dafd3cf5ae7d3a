import { useLayoutEffect, useRef } from 'react';
import type { ByteStrip } from '../../shared/domain/byte-classes.ts';
import { classNames } from '../styles/class-names.ts';
import { useStripPalette } from './byte-strip-palette.ts';
import { barsOf, entropyRange } from './byte-strip-shape.ts';
import styles from './byte-strip.module.css';
import { words } from './words.ts';

/** CSS pixels; the style sheet says the same. */
const sizes = { row: { width: 60, height: 14 }, inspector: { width: 248, height: 40 } } as const;

export interface ByteStripBarProps {
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
      aria-label={entropyWords(strip)}
    />
  );
}

function entropyWords(strip: ByteStrip): string {
  const { least, most } = entropyRange(strip);
  return words.entropy(least.toFixed(1), most.toFixed(1));
}
