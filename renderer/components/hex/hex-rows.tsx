import { type KeyboardEvent, useId, useRef } from 'react';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { HexRow } from './hex-row.tsx';
import styles from './hex-rows.module.css';
import { hexOf, offsetDigits, paddedOffset, rowBytes, rowCount, rowOf } from './offsets.ts';
import { groundOf, type Marked } from './row-ground.ts';
import { text } from './text.ts';
import { useByteDrag } from './use-byte-drag.ts';
import type { BytePages } from './use-byte-pages.ts';
import type { RowScroll } from './use-row-scroll.ts';

export interface HexRowsProps {
  sizeBytes: number;
  scroll: RowScroll;
  pages: BytePages;
  marked: Marked;
  cursor: number;
  moveTo(offset: number, extend: boolean): void;
  onKeyDown(event: KeyboardEvent): void;
}

const half = rowBytes / 2;
const places = Array.from({ length: rowBytes }, (_, place) => hexOf(place));
const headDigits = `${places.slice(0, half).join(' ')}  ${places.slice(half).join(' ')}`;
const columns = 3;

/** The rows in sight. One tab stop: the cursor moves within it, and what it comes to is said by the line below. */
export function HexRows({ sizeBytes, scroll, pages, marked, cursor, moveTo, onKeyDown }: HexRowsProps) {
  const { attach, onScroll, first, shown } = scroll;
  const id = useId();
  const rows = useRef<HTMLDivElement>(null);
  const drag = useByteDrag(rows, moveTo);
  const digits = offsetDigits(sizeBytes);
  const cellId = (row: number): string => `${id}-${row}`;
  const isCursorDrawn = rowOf(cursor) >= first && rowOf(cursor) < first + shown;
  return (
    <div
      ref={attach}
      role="grid"
      tabIndex={0}
      aria-label={text.bytes}
      aria-describedby={`${id}-keys`}
      aria-rowcount={rowCount(sizeBytes) + 1}
      aria-colcount={columns}
      aria-readonly
      aria-multiselectable
      aria-busy={pages.isReading}
      aria-activedescendant={isCursorDrawn ? cellId(rowOf(cursor)) : undefined}
      className={classNames(layout.scroll, styles.grid)}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <p id={`${id}-keys`} hidden>
        {text.keys}
      </p>
      <div className={styles.room} style={{ height: scroll.scrollHeight }}>
        <div className={styles.sight} style={{ height: scroll.sightHeight }}>
          <ColumnHeads digits={digits} />
          <div
            ref={rows}
            role="rowgroup"
            className={styles.rows}
            style={{ transform: `translateY(${-scroll.hidden}px)` }}
            onPointerDown={drag.onPointerDown}
            onPointerMove={drag.onPointerMove}
            onPointerUp={drag.onPointerUp}
            onPointerCancel={drag.onPointerUp}
          >
            {Array.from({ length: Math.max(0, shown) }, (_, index) => {
              const row = first + index;
              const start = row * rowBytes;
              return (
                <HexRow
                  key={row}
                  id={cellId(row)}
                  start={start}
                  offset={paddedOffset(start, digits)}
                  rowIndex={row + 2}
                  page={pages.pageAt(start)}
                  ground={groundOf(start, marked)}
                  cursor={rowOf(cursor) === row ? cursor - start : -1}
                />
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}

/** `digits`: as many as an offset has. */
function ColumnHeads({ digits }: { digits: number }) {
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      <span role="columnheader" className={styles.offset}>
        {text.offset.padEnd(digits)}
      </span>
      <span role="columnheader" className={styles.hex}>
        {headDigits}
      </span>
      <span role="columnheader" className={styles.text}>
        {text.asText}
      </span>
    </div>
  );
}
