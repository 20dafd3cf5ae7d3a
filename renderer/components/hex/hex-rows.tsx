import { type KeyboardEvent, memo, useId, useRef } from 'react';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { type BytePages, characterOf, isPrintable, pageBytes } from './byte-pages.ts';
import {
  hexOf,
  offsetDigits,
  paddedOffset,
  rowBytes,
  rowCount,
  rowOf,
  type Stretch,
  stretchesWithin,
} from './hex-mark.ts';
import styles from './hex-rows.module.css';
import { type RowScroll, useByteDrag } from './row-scroll.ts';
import { text } from './strings.ts';

interface HexRowsProps {
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
      <div className={styles.view} style={{ height: scroll.scrollHeight }}>
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

/** What lies under a byte: nothing, a match, the current match, or what is selected. */
const grounds = { none: '.', match: 'm', current: 'c', selected: 's' } as const;
type Tone = 'zero' | 'print' | 'other';

/** Some characters that look the same. */
interface Run {
  text: string;
  ground: string;
  /** null on a ground: there all bytes look the same. */
  tone: Tone | null;
  isCursor: boolean;
}

interface RowRuns {
  hex: Run[];
  text: Run[];
}

/**
 * A row as runs. `ground` has a character of `grounds` for each of its sixteen places, `cursor` is the place of the
 * cursor, or -1. The gap between two bytes on the same ground has it, too, so that a match is one bar.
 */
export function runsOf(bytes: Uint8Array, ground: string, cursor: number): RowRuns {
  const hex: Run[] = [];
  const characters: Run[] = [];
  for (const [place, byte] of bytes.entries()) {
    const own = ground[place] ?? grounds.none;
    const look = { ground: own, tone: own === grounds.none ? toneOf(byte) : null, isCursor: place === cursor };
    append(hex, { ...look, text: hexOf(byte) });
    append(characters, { ...look, text: characterOf(byte) });
    if (place === bytes.length - 1) continue;
    const gap = ground[place + 1] === own ? own : grounds.none;
    append(hex, {
      text: place === half - 1 ? '  ' : ' ',
      ground: gap,
      tone: gap === grounds.none && !look.isCursor ? look.tone : null,
      isCursor: false,
    });
  }
  return { hex, text: characters };
}

function append(runs: Run[], run: Run): void {
  const last = runs.at(-1);
  if (last && last.ground === run.ground && last.tone === run.tone && last.isCursor === run.isCursor)
    last.text += run.text;
  else runs.push(run);
}

function toneOf(byte: number): Tone {
  if (byte === 0) return 'zero';
  return isPrintable(byte) ? 'print' : 'other';
}

interface HexRowProps {
  id: string;
  /** In bytes. */
  start: number;
  offset: string;
  /** From 1, the head being the first one. */
  rowIndex: number;
  /** null while it is not here. */
  page: Uint8Array | null;
  ground: string;
  /** The place of the cursor in the row, or -1. */
  cursor: number;
}

const noBytes = new Uint8Array();

/**
 * Drawn again only when something in it is another thing: a row that stays in sight while the file is scrolled costs
 * nothing.
 */
const HexRow = memo(function HexRow({ id, start, offset, rowIndex, page, ground, cursor }: HexRowProps) {
  const at = start % pageBytes;
  const { hex, text: characters } = runsOf(page?.subarray(at, at + rowBytes) ?? noBytes, ground, cursor);
  return (
    <div role="row" aria-rowindex={rowIndex} className={styles.row} data-start={start}>
      <span role="rowheader" className={styles.offset}>
        {offset}
      </span>
      <span role="gridcell" id={id} className={styles.hex} data-cell="hex">
        <Runs runs={hex} />
      </span>
      <span role="gridcell" className={styles.text} data-cell="text">
        <Runs runs={characters} />
      </span>
    </div>
  );
});

const groundStyles: Readonly<Record<string, string | undefined>> = {
  [grounds.match]: styles.match,
  [grounds.current]: styles.current,
  [grounds.selected]: styles.selected,
};
const toneStyles = { zero: styles.zero, print: styles.print, other: styles.other } as const;

function Runs({ runs }: { runs: readonly Run[] }) {
  return runs.map(({ text: part, ground, tone, isCursor }, index) => (
    <span
      key={index}
      className={classNames(groundStyles[ground], tone && toneStyles[tone], isCursor && styles.cursor)}
      data-ground={ground === grounds.none ? undefined : ground}
    >
      {part}
    </span>
  ));
}

/** What is marked in a file. */
interface Marked {
  /** In order, none over another. */
  matches: readonly Stretch[];
  current: Stretch | null;
  selected: Stretch | null;
}

/** What lies under each byte of the row that begins at `start`: a character of `grounds` for each. */
function groundOf(start: number, { matches, current, selected }: Marked): string {
  const ground = Array.from<string>({ length: rowBytes }).fill(grounds.none);
  const lay = (what: string, stretch: Stretch): void =>
    void ground.fill(what, Math.max(0, stretch.start - start), Math.max(0, Math.min(rowBytes, stretch.end - start)));
  for (const match of stretchesWithin(matches, start, start + rowBytes)) lay(grounds.match, match);
  if (current) lay(grounds.current, current);
  if (selected) lay(grounds.selected, selected);
  return ground.join('');
}
