import { memo } from 'react';
import { classNames } from '../../styles/class-names.ts';
import styles from './hex-rows.module.css';
import { rowBytes } from './offsets.ts';
import { grounds, type Run, runsOf } from './row-runs.ts';
import { pageBytes } from './use-byte-pages.ts';

export interface HexRowProps {
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
export const HexRow = memo(function HexRow({ id, start, offset, rowIndex, page, ground, cursor }: HexRowProps) {
  const at = start % pageBytes;
  const { hex, text } = runsOf(page?.subarray(at, at + rowBytes) ?? noBytes, ground, cursor);
  return (
    <div role="row" aria-rowindex={rowIndex} className={styles.row} data-start={start}>
      <span role="rowheader" className={styles.offset}>
        {offset}
      </span>
      <span role="gridcell" id={id} className={styles.hex} data-cell="hex">
        <Runs runs={hex} />
      </span>
      <span role="gridcell" className={styles.text} data-cell="text">
        <Runs runs={text} />
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
  return runs.map(({ text, ground, tone, isCursor }, index) => (
    <span
      key={index}
      className={classNames(groundStyles[ground], tone && toneStyles[tone], isCursor && styles.cursor)}
      data-ground={ground === grounds.none ? undefined : ground}
    >
      {text}
    </span>
  ));
}
