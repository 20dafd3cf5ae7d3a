import { type PointerEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { partsOfStrip, type StripPart } from '../../../shared/domain/byte-classes.ts';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { failureWords } from '../failure-words.ts';
import { Button } from '../button.tsx';
import { useStripPalette } from '../byte-strip-palette.ts';
import { useElementWidth } from '../data-grid/use-element-width.ts';
import { words } from '../words.ts';
import styles from './byte-map.module.css';
import type { ByteSpan } from './hex-mark.ts';
import { classBars, entropyLine, offsetForKey, partAt } from './map-shape.ts';
import { shortOffset } from './offsets.ts';
import { text } from './text.ts';

export interface ByteMapProps {
  source: ByteSource;
  sizeBytes: number;
  /** The bytes that the view shows; null: not known yet. */
  window: ByteSpan | null;
  onGoTo(offset: number): void;
}

/** CSS pixels; the style sheet says the same. */
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
        {text.noMap(failureWords(map.error).what)}{' '}
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
