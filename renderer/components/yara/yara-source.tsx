import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import type { RuleSource } from '../../../shared/domain/publication.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { colouredLines, type YaraPiece } from './coloured-lines.ts';
import { text } from './text.ts';
import { YaraPieces } from './yara-pieces.tsx';
import styles from './yara.module.css';

const lineHeight = 20;
/** Characters on both sides of a line number. */
const gutter = 7;
const around = 10;
/** What the widest line is told as at most; a longer one is scrolled to as it comes into sight. */
const widestTold = 2000;

export interface YaraSourceProps {
  /** What it is the source of. */
  label: string;
  source: RuleSource;
  /** As the file counts; scrolled to. null: none. */
  markedLine?: number | null;
}

/** A rule as it is written, to be read only. Of a long one the lines in sight are drawn. */
export function YaraSource({ label, source, markedLine = null }: YaraSourceProps) {
  const scroller = useRef<HTMLElement>(null);
  const lines = useMemo(() => colouredLines(source.text), [source.text]);
  const marked = markedLine === null ? -1 : markedLine - source.line;
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised is given what it returns
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: around,
    useFlushSync: false,
  });
  useEffect(() => {
    scroller.current?.scrollTo({ top: marked < 0 ? 0 : Math.max(0, (marked - 3) * lineHeight), left: 0 });
  }, [source, marked]);
  const digits = String(source.line + lines.length).length;
  const size: CSSProperties = { height: virtual.getTotalSize(), width: `${widestOf(lines) + digits + gutter}ch` };
  return (
    <div className={styles.frame}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
      <section
        ref={scroller}
        className={classNames(layout.scroll, styles.source)}
        aria-label={label}
        tabIndex={0}
        data-source
      >
        <div className={styles.lines} style={size}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <SourceLine
              key={index}
              number={source.line + index}
              digits={digits}
              top={start}
              pieces={lines[index] ?? []}
              isMarked={index === marked}
            />
          ))}
        </div>
        {source.isCut && (
          <p className={classNames(typography.hint, styles.cut)}>{text.rest(lines.length, source.lines)}</p>
        )}
      </section>
    </div>
  );
}

function SourceLine({
  number,
  digits,
  top,
  pieces,
  isMarked,
}: {
  number: number;
  digits: number;
  top: number;
  pieces: readonly YaraPiece[];
  isMarked: boolean;
}) {
  return (
    <div
      className={classNames(styles.line, isMarked && styles.marked)}
      style={{ transform: `translateY(${top}px)` }}
      aria-label={isMarked ? text.marked(number) : undefined}
      role={isMarked ? 'mark' : undefined}
    >
      <span
        className={styles.number}
        style={{ minWidth: `calc(${digits}ch + var(--pane-edge) + 16px)` }}
        aria-hidden="true"
      >
        {number}
      </span>
      <span className={styles.code}>
        <YaraPieces pieces={pieces} />
      </span>
    </div>
  );
}

const widestOf = (lines: readonly (readonly YaraPiece[])[]): number =>
  Math.min(
    widestTold,
    lines.reduce(
      (most, line) =>
        Math.max(
          most,
          line.reduce((sum, { text: { length } }) => sum + length, 0),
        ),
      0,
    ),
  );
