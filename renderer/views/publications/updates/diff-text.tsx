import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, Fragment, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { DifferenceLine, RuleDifference } from '../../../../shared/domain/publication.ts';
import { Button } from '../../../components/button.tsx';
import { colouredLines, type YaraPiece, YaraPieces } from '../../../components/yara/yara-source.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './diff-text.module.css';
import { text } from './strings.ts';

const lineHeight = 20;
const around = 10;
/** The maximum width reported for a line; a longer one is scrolled to as it becomes visible. */
const widestMeasured = 2000;
/** Characters beside a line's text: its sign and the margin around it. */
const gutter = 8;

export interface DiffLook {
  isSideBySide: boolean;
  /** Of every changed line, and not only of one that nothing else changed in. */
  showsBlanks: boolean;
  /** Long lines are broken, and not scrolled to. */
  wrapsLines: boolean;
}

interface DiffTextProps {
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
  const drawn = virtual.getVirtualItems();
  useChangeInSight(scroller, drawn.length > 0 && !isBroken ? difference : null);
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
    <section ref={scroller} className={styles.source} aria-label={label} tabIndex={0} data-source>
      <div className={layout.relative} style={size}>
        {drawn.map(({ index, start }) => (
          // Two columns do not scroll sideways: their lines are wrapped, and as high as that makes them.
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

/** Of what is beside a change that was scrolled to, in CSS pixels. */
const beside = 120;

/** Lines begin at a change, where none would be in sight. `difference`: null while they are not drawn, or broken. */
function useChangeInSight(scroller: RefObject<HTMLElement | null>, difference: RuleDifference | null): void {
  useLayoutEffect(() => {
    const hasMarks = difference?.lines.some(({ at }) => at.length > 0) === true;
    if (scroller.current !== null) showMark(scroller.current, hasMarks);
  }, [scroller, difference]);
}

function showMark(view: HTMLElement, hasMarks: boolean): void {
  view.scrollLeft = 0;
  if (!hasMarks) return;
  const { left, width } = view.getBoundingClientRect();
  const places = [...view.querySelectorAll('mark')].map((mark) => ({ from: mark.getBoundingClientRect().left - left }));
  view.scrollLeft = scrollTo(places, width);
}

/** How far to scroll, so that one of the marks is in sight: none where one is, else to the first. In CSS pixels. */
export function scrollTo(marks: readonly { from: number }[], width: number): number {
  const [first] = marks;
  if (first === undefined || marks.some(({ from }) => from < width)) return 0;
  return first.from - Math.min(beside, width / 2);
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
    return { piecesOf, hasBlanks, widest: Math.min(widestMeasured, longest), digits: String(last).length };
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

/** The sign shows it; the tint and the marks repeat it. */
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

/**
 * Removed lines and the added ones behind them that differ in blanks alone: nothing else in them shows the change.
 * `textOf`: the text of a line, unchanged.
 */
export function onlyBlanksChanged(
  lines: readonly DifferenceLine[],
  textOf: (line: DifferenceLine) => string,
): Set<DifferenceLine> {
  const found = new Set<DifferenceLine>();
  for (const [at, line] of lines.entries()) {
    const next = lines[at + 1];
    if (line.kind !== 'removed' || next?.kind !== 'added' || line.at.length + next.at.length > 0) continue;
    if (withoutBlanks(textOf(line)) !== withoutBlanks(textOf(next))) continue;
    found.add(line).add(next);
  }
  return found;
}

const withoutBlanks = (line: string): string => line.replaceAll(/\s+/g, '');

/**
 * One row of a text difference: a line, or lines that are the same and not shown. Indexes count the lines of the
 * difference.
 */
export type DiffRow = { kind: 'line'; line: DifferenceLine } | { kind: 'fold'; from: number; count: number };

/** One row of a text difference in two columns. */
type DiffPair =
  | { kind: 'pair'; left: DifferenceLine | null; right: DifferenceLine | null }
  | { kind: 'fold'; from: number; count: number };

/** Lines that stay in sight around a change. */
const context = 3;
/** Fewer are not worth a fold. */
const leastFolded = 4;

/**
 * Long runs that are the same are folded, unless the fold that begins there was opened. A difference without a change
 * is shown whole.
 */
export function diffRows(lines: readonly DifferenceLine[], opened: ReadonlySet<number>): DiffRow[] {
  const rows: DiffRow[] = [];
  const isChanged = lines.some(({ kind }) => kind !== 'same');
  for (let at = 0; at < lines.length;) {
    const end = endOfRun(lines, at);
    const from = at === 0 ? 0 : at + context;
    const to = end === lines.length ? end : end - context;
    const folds = isChanged && lines[at]?.kind === 'same' && to - from >= leastFolded && !opened.has(from);
    if (folds) {
      rows.push(...shown(lines, at, from), { kind: 'fold', from, count: to - from }, ...shown(lines, to, end));
    } else {
      rows.push(...shown(lines, at, end));
    }
    at = end;
  }
  return rows;
}

/** Where the lines of the same kind as the one at `at` end. */
function endOfRun(lines: readonly DifferenceLine[], at: number): number {
  let end = at + 1;
  while (end < lines.length && lines[end]?.kind === lines[at]?.kind) end += 1;
  return end;
}

const shown = (lines: readonly DifferenceLine[], from: number, to: number): DiffRow[] =>
  lines.slice(from, to).map((line) => ({ kind: 'line', line }));

/** A removed line is beside the line added in its place. */
export function pairsOf(rows: readonly DiffRow[]): DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DifferenceLine[] = [];
  let added: DifferenceLine[] = [];
  const settle = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1)
      pairs.push({ kind: 'pair', left: removed[at] ?? null, right: added[at] ?? null });
    [removed, added] = [[], []];
  };
  for (const row of rows) {
    if (row.kind === 'line' && row.line.kind === 'removed') {
      // Removed after added begins the next change.
      if (added.length > 0) settle();
      removed.push(row.line);
    } else if (row.kind === 'line' && row.line.kind === 'added') {
      added.push(row.line);
    } else {
      settle();
      pairs.push(row.kind === 'fold' ? row : { kind: 'pair', left: row.line, right: row.line });
    }
  }
  settle();
  return pairs;
}

/** A piece of a line, and whether it is what changed in it. */
interface MarkedPiece {
  piece: YaraPiece;
  isChanged: boolean;
}

/** Cuts coloured pieces where a change begins and ends. `at`: UTF-16 offsets into the line, in any order. */
export function markedPieces(pieces: readonly YaraPiece[], at: readonly (readonly [number, number])[]): MarkedPiece[] {
  const marked: MarkedPiece[] = [];
  let start = 0;
  for (const { text: whole, kind } of pieces) {
    const end = start + whole.length;
    const cuts = at.flat().filter((cut) => cut > start && cut < end);
    const edges = [...new Set([start, ...cuts, end])].toSorted((first, second) => first - second);
    for (const [step, from] of edges.slice(0, -1).entries()) {
      const to = edges[step + 1] ?? end;
      marked.push({
        piece: { text: whole.slice(from - start, to - start), kind },
        isChanged: at.some(([first, last]) => first <= from && to <= last),
      });
    }
    start = end;
  }
  return marked;
}
