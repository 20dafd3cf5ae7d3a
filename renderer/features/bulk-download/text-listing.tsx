import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import type { LinePart, ShownLine } from './extracted-text.ts';
import styles from './text-listing.module.css';
import { useWindows } from './use-windows.ts';

const rejectedMark = 'malformed';
const lineHeight = 20;
const overscan = 10;
const padding = 8;
/** A browser draws no element higher than some 33 million pixels. */
export const mostListed = 1_500_000;

interface TextListingProps {
  count: number;
  label: string;
  lines(from: number, count: number): Promise<ShownLine[]>;
  /** From 1: it is scrolled into sight and marked. */
  current?: number | null;
}

/** The lines of a text of any length, by windows. Can be scrolled by the keyboard. */
export function TextListing({ count, label, lines, current = null }: TextListingProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const listed = Math.min(count, mostListed);
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised is given what it returns
  const virtualizer = useVirtualizer({
    count: listed,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan,
    paddingStart: padding,
    paddingEnd: padding,
  });
  const showLine = useEffectEvent((line: number) => virtualizer.scrollToIndex(line - 1, { align: 'center' }));
  useEffect(() => {
    if (current !== null) showLine(current);
  }, [current]);
  const rows = virtualizer.getVirtualItems();
  const lineAt = useWindows(lines, rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <div ref={scroller} className={styles.listing} data-landing tabIndex={0} role="region" aria-label={label}>
      <div className={styles.lines} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const line = lineAt(index);
          return (
            <div
              key={index}
              className={classNames(layout.flex8, styles.line, index + 1 === current && styles.current)}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={styles.lineNumber} style={{ width: `${String(listed).length}ch` }}>
                {index + 1}
              </span>
              <code>
                {line?.parts.map((part, at) => (
                  <Part key={`${at}:${part.mark}`} part={part} />
                ))}
                {line?.isCut === true && ' …'}
              </code>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Part({ part }: { part: LinePart }) {
  const shown = visibleText(part.text);
  if (part.mark === 'none') return shown;
  return part.mark === 'hash' ? (
    <mark className={styles.hash}>{shown}</mark>
  ) : (
    <span className={styles.rejected} title={rejectedMark}>
      {shown}
    </span>
  );
}
