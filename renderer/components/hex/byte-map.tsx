import { type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { type ByteClass, partsOfStrip, type StripPart } from '../../../shared/domain/byte-classes.ts';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { useOperation } from '../../bridge/operations.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { Button } from '../button.tsx';
import { useStripPalette } from '../byte-strip.tsx';
import { useElementWidth } from '../data-grid/grid-column.ts';
import { describeFailure } from '../failure-format.ts';
import { words } from '../format.ts';
import styles from './byte-map.module.css';
import { type ByteSpan, shortOffset } from './hex-mark.ts';
import { text } from './strings.ts';

interface ByteMapProps {
  source: ByteSource;
  sizeBytes: number;
  /** The bytes that the view shows; null: not known yet. */
  window: ByteSpan | null;
  onGoTo(offset: number): void;
}

/** CSS pixels; the same as in the style sheet. */
const stripHeight = 12;
const lineHeight = 24;

/**
 * What a file looks like from end to end: classes of bytes, 12 px, and under it the entropy, 24 px, as wide as its
 * place.
 */
export function ByteMap({ source, sizeBytes, window: shown, onGoTo }: ByteMapProps) {
  const map = useOperation('bytes.map', { source }, { staleTime: Number.POSITIVE_INFINITY });
  const strip = map.data?.parts ?? '';
  const parts = useMemo(() => partsOfStrip(strip), [strip]);
  if (sizeBytes === 0) return <div className={styles.map} />;
  if (map.error !== null) {
    return (
      <p className={classNames(typography.hint, styles.none)}>
        {text.noMap(describeFailure(map.error).what)}{' '}
        <Button look="inline" onPress={() => void map.refetch()}>
          {words.tryAgain}
        </Button>
      </p>
    );
  }
  return <MapSlider parts={parts} sizeBytes={sizeBytes} shown={shown} onGoTo={onGoTo} />;
}

interface MapSliderProps {
  /** None while they are not known. */
  parts: readonly StripPart[];
  sizeBytes: number;
  shown: ByteSpan | null;
  onGoTo(offset: number): void;
}

function MapSlider({ parts, sizeBytes, shown, onGoTo }: MapSliderProps) {
  const offset = Math.min(shown?.offset ?? 0, sizeBytes - 1);
  const goTo = (event: PointerEvent): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    if (width > 0)
      onGoTo(Math.max(0, Math.min(sizeBytes - 1, Math.floor(((event.clientX - left) / width) * sizeBytes))));
  };
  const part = partAt(parts, offset, sizeBytes);
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={text.map}
      aria-valuemin={0}
      aria-valuemax={sizeBytes - 1}
      aria-valuenow={offset}
      aria-valuetext={
        part === undefined
          ? shortOffset(offset)
          : text.mapPlace(shortOffset(offset), text.classes[part.byteClass], part.entropy.toFixed(1))
      }
      className={styles.map}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture?.(event.pointerId);
        goTo(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) goTo(event);
      }}
      onKeyDown={(event) => {
        const to = offsetForKey(event.key, offset, sizeBytes);
        if (to === null || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        onGoTo(to);
      }}
    >
      <ClassStrip parts={parts} />
      <svg
        className={styles.entropy}
        viewBox={`0 0 ${lineWidth} ${lineHeight}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <polyline points={entropyLine(parts, lineWidth, lineHeight)} />
      </svg>
      {shown !== null && (
        <span
          className={classNames(layout.above, styles.window)}
          style={{
            insetInlineStart: share(shown.offset, sizeBytes),
            width: share(Math.min(shown.length, sizeBytes - shown.offset), sizeBytes),
          }}
        />
      )}
    </div>
  );
}

const lineWidth = 1000;
const share = (bytes: number, sizeBytes: number): string => `${((bytes / sizeBytes) * 100).toFixed(4)}%`;

function ClassStrip({ parts }: { parts: readonly StripPart[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const width = useElementWidth(canvas);
  const palette = useStripPalette();
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context || width === null) return;
    canvas.current.width = Math.round(width * palette.density);
    canvas.current.height = Math.round(stripHeight * palette.density);
    for (const bar of classBars(parts, canvas.current.width)) {
      context.fillStyle = palette.colours[bar.byteClass];
      context.fillRect(bar.left, 0, bar.width, canvas.current.height);
    }
  }, [parts, width, palette]);
  return <canvas ref={canvas} className={styles.strip} aria-hidden="true" />;
}

const legend = ['zero', 'text', 'code', 'high', 'ff'] as const;

/** What the colours of the map mean. */
export function ByteLegend() {
  return (
    <ul className={classNames(layout.wrap, typography.smallNote, styles.legend)}>
      {legend.map((byteClass) => (
        <li key={byteClass}>
          <span className={styles.square} style={{ background: `var(--b-${byteClass})` }} />
          {text.classes[byteClass]}
        </li>
      ))}
    </ul>
  );
}

/** Entropy at its most, in bits a byte. */
const mostEntropy = 8;

/** The entropy as a line through the middle of each part: points of an SVG of this size, high entropy at the top. */
export function entropyLine(parts: readonly StripPart[], width: number, height: number): string {
  return parts
    .map(
      ({ entropy }, index) =>
        `${round(((index + 0.5) / parts.length) * width)},${round(height - (entropy / mostEntropy) * height)}`,
    )
    .join(' ');
}

const round = (value: number): number => Math.round(value * 100) / 100;

/** Neighbours of the same class as one bar, in device pixels. Each begins and ends on a whole one. */
export function classBars(
  parts: readonly StripPart[],
  width: number,
): { byteClass: ByteClass; left: number; width: number }[] {
  const bars: { byteClass: ByteClass; left: number; width: number }[] = [];
  for (const [index, { byteClass }] of parts.entries()) {
    const left = Math.round((index / parts.length) * width);
    const right = Math.round(((index + 1) / parts.length) * width);
    const last = bars.at(-1);
    if (last?.byteClass === byteClass) last.width = right - last.left;
    else if (right > left) bars.push({ byteClass, left, width: right - left });
  }
  return bars;
}

/** The part that has this byte. */
export function partAt(parts: readonly StripPart[], offset: number, sizeBytes: number): StripPart | undefined {
  return parts[Math.min(parts.length - 1, Math.floor((offset / sizeBytes) * parts.length))];
}

/** Where the arrows of the map lead: by a part of it. */
const mapSteps = 512;

/** The byte that a key leads to, from `offset`; null when the key moves nowhere. */
export function offsetForKey(key: string, offset: number, sizeBytes: number): number | null {
  const step = Math.max(1, Math.floor(sizeBytes / mapSteps));
  const within = (to: number): number => Math.max(0, Math.min(sizeBytes - 1, to));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return within(offset - step);
    case 'ArrowRight':
    case 'ArrowUp':
      return within(offset + step);
    case 'PageDown':
      return within(offset - step * 16);
    case 'PageUp':
      return within(offset + step * 16);
    case 'Home':
      return 0;
    case 'End':
      return sizeBytes - 1;
    default:
      return null;
  }
}

/** CSS pixels. Narrower ones are hard to see, and to hit. */
export const leastTick = 3;

/** One mark along a file, in CSS pixels from its beginning. Matches whose ticks would touch are one. */
export interface TrackTick {
  left: number;
  width: number;
  /** How many matches it represents, and the index of the first of them. */
  count: number;
  first: number;
  /** The bytes that it covers, from the first to the end of the last. */
  from: number;
  to: number;
}

/**
 * The matches of a rule, by offset, along a track. A match that a service reports beyond the end of the file is drawn
 * at its end.
 */
export function trackTicks(matches: readonly ByteSpan[], sizeBytes: number, width: number): TrackTick[] {
  const ticks: TrackTick[] = [];
  const scale = width / Math.max(1, sizeBytes);
  for (const [index, { offset, length }] of matches.entries()) {
    const wide = Math.min(Math.max(leastTick, length * scale), width);
    const left = Math.max(0, Math.min(offset * scale, width - wide));
    const last = ticks.at(-1);
    // No whole pixel between them: they would be read as one.
    if (last !== undefined && left < last.left + last.width + 1) {
      last.width = Math.max(last.width, left + wide - last.left);
      last.to = Math.max(last.to, offset + length);
      last.count += 1;
    } else {
      ticks.push({ left, width: wide, count: 1, first: index, from: offset, to: offset + length });
    }
  }
  return ticks;
}

/** The tick of a match. */
export const tickOf = (ticks: readonly TrackTick[], match: number): TrackTick | undefined =>
  ticks.find(({ first, count }) => match >= first && match < first + count);

/** The match nearest to a position in a track, in CSS pixels: the first of the nearest tick. null: there is none. */
export function nearestMatch(ticks: readonly TrackTick[], x: number): number | null {
  let nearest: TrackTick | null = null;
  for (const tick of ticks) if (nearest === null || distanceTo(tick, x) < distanceTo(nearest, x)) nearest = tick;
  return nearest?.first ?? null;
}

const distanceTo = ({ left, width }: TrackTick, x: number): number => Math.max(left - x, x - left - width, 0);
