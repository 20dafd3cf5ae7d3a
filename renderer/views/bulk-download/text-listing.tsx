import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './bulk-download.module.css';
import type { LinePart } from './extracted-text.ts';
import { text } from './text.ts';
import { useWindows } from './use-windows.ts';

const lineHeight = 20;
const overscan = 10;
const padding = 8;
/** A browser draws no element higher than some 33 million pixels. */
export const mostListed = 1_500_000;

/** The lines of a text of any length, by windows. Can be scrolled by the keyboard. */
export function TextListing({ count }: { count: number }) {
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
  const rows = virtualizer.getVirtualItems();
  const { lines } = useBulkDesk();
  const lineAt = useWindows(lines, rows[0]?.index ?? 0, rows.at(-1)?.index ?? 0);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by the keyboard
    <div ref={scroller} className={styles.listing} data-landing tabIndex={0} role="region" aria-label={text.listing}>
      <div className={styles.lines} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const line = lineAt(index);
          return (
            <div
              key={index}
              className={classNames(layout.flex8, styles.line)}
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
    <span className={styles.rejected} title={text.rejectedMark}>
      {shown}
    </span>
  );
}
