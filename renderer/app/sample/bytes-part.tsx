import { Binary } from 'lucide-react';
import { type MouseEvent, useMemo, useRef } from 'react';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { Button } from '../../components/button.tsx';
import { useElementWidth } from '../../components/data-grid/grid-column.ts';
import { ByteLegend, ByteMap, laneTicks, nearestMatch } from '../../components/hex/byte-map.tsx';
import { type ByteSpan, type HexMark, offsetDigits, paddedOffset } from '../../components/hex/hex-mark.ts';
import styles from './bytes-part.module.css';
import { PartHead } from './part-head.tsx';
import parts from './parts.module.css';
import { text } from './text.ts';

/** CSS pixels, until the place is measured. */
const usualWidth = 680;
const tickHeight = 8;
const offsetsShown = 5;

export interface BytesPartProps {
  source: ByteSource;
  sizeBytes: number;
  marks: readonly HexMark[];
  /** The bytes that are shown below; null: none are. */
  window: ByteSpan | null;
  isOpen: boolean;
  onToggle(): void;
  onGoTo(offset: number): void;
  /** To one of the marks. */
  onMark(index: number): void;
}

/** What the sample looks like from end to end, and where rules matched in it. Any place leads to its bytes. */
export function BytesPart({ source, sizeBytes, marks, window, isOpen, onToggle, onGoTo, onMark }: BytesPartProps) {
  const digits = offsetDigits(sizeBytes);
  const offsets = Array.from({ length: offsetsShown }, (_, at) => Math.floor((sizeBytes * at) / (offsetsShown - 1)));
  return (
    <section className={parts.part} aria-labelledby="bytes">
      <PartHead
        id="bytes"
        title={text.bytes}
        aside={
          <span className={styles.legend}>
            <span>{text.entropyLine}</span>
            <ByteLegend />
          </span>
        }
        action={
          <Button size="small" look="quiet" letter="B" onPress={onToggle}>
            <Binary size={14} strokeWidth={1.6} aria-hidden="true" />
            {isOpen ? text.hideBytes : text.showBytes}
          </Button>
        }
      />
      <ByteMap source={source} sizeBytes={sizeBytes} window={window} onGoTo={onGoTo} />
      <MatchTicks marks={marks} sizeBytes={sizeBytes} onMark={onMark} />
      <p className={styles.axis} aria-hidden="true">
        {offsets.map((offset, at) => (
          <span key={at}>{paddedOffset(offset, digits)}</span>
        ))}
      </p>
    </section>
  );
}

/** Its place stays where there are none: the rest of the page does not move when they come. */
function MatchTicks({ marks, sizeBytes, onMark }: Pick<BytesPartProps, 'marks' | 'sizeBytes' | 'onMark'>) {
  const place = useRef<HTMLDivElement>(null);
  const width = useElementWidth(place) ?? usualWidth;
  const ticks = useMemo(() => laneTicks(marks, sizeBytes, width), [marks, sizeBytes, width]);
  const choose = (event: MouseEvent<SVGSVGElement>): void => {
    const at = nearestMatch(ticks, event.clientX - event.currentTarget.getBoundingClientRect().left);
    if (at !== null) onMark(at);
  };
  return (
    <div ref={place} className={styles.ticks}>
      {ticks.length > 0 && (
        // The keys for this are N and P in the bytes.
        /* oxlint-disable-next-line jsx-a11y/click-events-have-key-events,
             jsx-a11y/no-noninteractive-element-interactions */
        <svg
          role="img"
          aria-label={text.matchesIn(marks.length, ticks.length)}
          width="100%"
          height={tickHeight}
          onClick={choose}
        >
          {ticks.map((tick) => (
            <rect key={tick.first} x={tick.left} y={0} width={tick.width} height={tickHeight} className={styles.tick} />
          ))}
        </svg>
      )}
    </div>
  );
}
