import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, Fragment, useMemo, useRef, useState } from 'react';
import type { DifferenceLine, RuleDifference } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { colouredLines, type YaraPiece } from '../../../components/yara/coloured-lines.ts';
import { YaraPieces } from '../../../components/yara/yara-pieces.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './diff-text.module.css';
import { type DiffPair, type DiffRow, diffRows, pairsOf } from './diff-rows.ts';
import { onlyBlanksChanged } from './blank-lines.ts';
import { markedPieces } from './marked-pieces.ts';
import { text } from './text.ts';

const lineHeight = 20;
const around = 10;
/** What the widest line is told as at most; a longer one is scrolled to as it comes into sight. */
const widestTold = 2000;
/** Characters beside a line's text: its sign and the room around it. */
const gutter = 8;

export interface DiffLook {
  isSideBySide: boolean;
  /** Of every changed line, and not only of one that nothing else changed in. */
  showsBlanks: boolean;
  /** Long lines are broken, and not scrolled to. */
  wrapsLines: boolean;
}

export interface DiffTextProps {
  label: string;
  difference: RuleDifference;
  look: DiffLook;
}

/**
 * Two texts of a rule, line by line. What is the same far from every change is folded. Of a long one the lines in sight
 * are drawn. Another number of columns is another table.
 */
export function DiffText({ label, difference, look: { isSideBySide, showsBlanks, wrapsLines } }: DiffTextProps) {
  const scroller = useRef<HTMLElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const texts = useTexts(difference, showsBlanks);
  const isBroken = isSideBySide || wrapsLines;
  const rows = useMemo(() => diffRows(difference.lines, opened), [difference, opened]);
  const pairs = useMemo(() => (isSideBySide ? pairsOf(rows) : null), [isSideBySide, rows]);
  const count = pairs?.length ?? rows.length;
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised is given what it returns
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: around,
    useFlushSync: false,
  });
  const open = (from: number): void => {
    setOpened(new Set(opened).add(from));
    // The button is gone with its fold.
    scroller.current?.focus();
  };
  const size: CSSProperties & Record<'--digits', number> = {
    height: virtual.getTotalSize(),
    minWidth: isBroken ? 0 : `${texts.widest + texts.digits * 2 + gutter}ch`,
    '--digits': texts.digits,
  };
  const isCut = difference.old?.isCut === true || difference.new?.isCut === true;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also for those without a pointer
    <section
      ref={scroller}
      className={classNames(layout.scroll, styles.source)}
      aria-label={label}
      tabIndex={0}
      data-source
    >
      <div className={layout.relative} style={size}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          // Two columns have no room to the side: their lines are broken, and as high as that makes them.
          <div
            key={index}
            ref={isBroken ? virtual.measureElement : null}
            data-index={index}
            className={classNames(styles.row, isBroken && styles.pair)}
            style={{ transform: `translateY(${start}px)` }}
          >
            <RowOf row={(pairs ?? rows)[index]} texts={texts} onOpen={open} />
          </div>
        ))}
      </div>
      {isCut && <p className={classNames(typography.hint, styles.cut)}>{text.cut}</p>}
    </section>
  );
}

interface Texts {
  piecesOf(line: DifferenceLine): readonly YaraPiece[];
  hasBlanks(line: DifferenceLine): boolean;
  /** In characters. */
  widest: number;
  digits: number;
}

function useTexts(difference: RuleDifference, showsBlanks: boolean): Texts {
  return useMemo(() => {
    const { old, new: next } = difference;
    const [before, after] = [colouredLines(old?.text ?? ''), colouredLines(next?.text ?? '')];
    const piecesOf = ({ old: oldLine, new: newLine }: DifferenceLine): readonly YaraPiece[] => {
      if (newLine !== null) return after[newLine - (next?.line ?? 1)] ?? [];
      return oldLine === null ? [] : (before[oldLine - (old?.line ?? 1)] ?? []);
    };
    const blanks = onlyBlanksChanged(difference.lines, (line) =>
      piecesOf(line)
        .map(({ text: piece }) => piece)
        .join(''),
    );
    const hasBlanks = (line: DifferenceLine): boolean => line.kind !== 'same' && (showsBlanks || blanks.has(line));
    const longest = Math.max(
      0,
      ...[old, next].flatMap(
        (source) => source?.text.split('\n').reduce((most, { length }) => Math.max(most, length), 0) ?? [],
      ),
    );
    const last = Math.max(...[old, next].map((source) => (source?.line ?? 1) + (source?.lines ?? 0)));
    return { piecesOf, hasBlanks, widest: Math.min(widestTold, longest), digits: String(last).length };
  }, [difference, showsBlanks]);
}

function RowOf({
  row,
  texts,
  onOpen,
}: {
  row: DiffRow | DiffPair | undefined;
  texts: Texts;
  onOpen(from: number): void;
}) {
  if (row === undefined) return null;
  if (row.kind === 'fold') {
    return (
      <span className={classNames(layout.row, styles.fold)}>
        <span>{text.fold(row.count)}</span>
        <Button size="small" look="inline" aria-label={text.unfold(row.count)} onPress={() => onOpen(row.from)}>
          {text.unfoldShort}
        </Button>
      </span>
    );
  }
  if (row.kind === 'line') return <UnifiedLine line={row.line} texts={texts} />;
  return (
    <>
      <Half line={row.left} side="old" texts={texts} />
      <Half line={row.right} side="new" texts={texts} />
    </>
  );
}

function UnifiedLine({ line, texts }: { line: DifferenceLine; texts: Texts }) {
  return (
    <span className={classNames(styles.line, styles[line.kind])}>
      <span className={styles.number} aria-hidden="true">
        {line.old}
      </span>
      <span className={styles.number} aria-hidden="true">
        {line.new}
      </span>
      <Code line={line} texts={texts} />
    </span>
  );
}

function Half({ line, side, texts }: { line: DifferenceLine | null; side: 'old' | 'new'; texts: Texts }) {
  if (line === null) return <span className={classNames(styles.half, styles.none)} />;
  return (
    <span className={classNames(styles.half, styles[line.kind])}>
      <span className={styles.number} aria-hidden="true">
        {line[side]}
      </span>
      <Code line={line} texts={texts} />
    </span>
  );
}

const signs = { same: '', removed: '−', added: '+' } as const;

/** Spaces and tabs can be seen, and are copied as what they are. */
function WithBlanks({ piece }: { piece: YaraPiece }) {
  return piece.text
    .split(/( |\t)/)
    .filter((part) => part !== '')
    .map((part, at) => {
      if (part === ' ' || part === '\t')
        return (
          <span key={at} className={classNames(styles.blank, part === ' ' ? styles.space : styles.tab)}>
            {part}
          </span>
        );
      return <YaraPieces key={at} pieces={[{ ...piece, text: part }]} />;
    });
}

/** The sign says it; the tint and the marks repeat it. */
function Code({ line, texts }: { line: DifferenceLine; texts: Texts }) {
  const marked = markedPieces(texts.piecesOf(line), line.kind === 'same' ? [] : line.at);
  return (
    <>
      <span className={styles.sign}>{signs[line.kind]}</span>
      <code className={styles.code}>
        {marked.map(({ piece, isChanged }, at) => {
          const shown = texts.hasBlanks(line) ? <WithBlanks piece={piece} /> : <YaraPieces pieces={[piece]} />;
          return isChanged ? (
            <mark key={at} className={styles.mark}>
              {shown}
            </mark>
          ) : (
            <Fragment key={at}>{shown}</Fragment>
          );
        })}
      </code>
    </>
  );
}
