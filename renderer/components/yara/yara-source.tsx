import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, useEffect, useMemo, useRef } from 'react';
import type { RuleSource } from '../../../shared/domain/publication.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { yaraKeywords, type YaraToken, yaraTokens } from '../../../shared/domain/yara-scanner.ts';
import { classNames } from '../../styles/class-names.ts';
import typography from '../../styles/typography.module.css';
import styles from './yara.module.css';

/** English of YARA sources. */
const text = {
  rest: (shown: number, lines: number) =>
    shown < lines
      ? `Showing ${shown.toLocaleString('en')} of ${lines.toLocaleString('en')} lines.`
      : 'Long lines are shortened.',
  marked: (line: number) => `Line ${line}, highlighted`,
} as const;

const lineHeight = 20;
/** Characters on both sides of a line number. */
const gutter = 7;
const around = 10;
/** The largest width used for the widest line; a longer one is scrolled to as it comes into sight. */
const widestMeasured = 2000;

interface YaraSourceProps {
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
      <section ref={scroller} className={styles.source} aria-label={label} tabIndex={0} data-source>
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
    widestMeasured,
    lines.reduce(
      (most, line) =>
        Math.max(
          most,
          line.reduce((sum, { text: { length } }) => sum + length, 0),
        ),
      0,
    ),
  );

/** A coloured line, or a part of one. A rule's text is hostile: nothing in it may turn it around or hide. */
export function YaraPieces({ pieces }: { pieces: readonly YaraPiece[] }) {
  return pieces.map(({ text: part, kind }, at) => (
    <span key={at} className={classNames(kind !== 'plain' && styles[kind])}>
      {visibleText(part)}
    </span>
  ));
}

/** How a piece of YARA source is drawn. */
type YaraColour = 'plain' | 'keyword' | 'text' | 'comment';

export interface YaraPiece {
  text: string;
  kind: YaraColour;
}

/** The lines of a source, each in pieces of one colour. Joined they are the line as it is, without its line break. */
export function colouredLines(source: string): YaraPiece[][] {
  const lines: YaraPiece[][] = [[]];
  for (const token of yaraTokens(source)) {
    const kind = colourOf(token, source);
    const [first = '', ...further] = source.slice(token.start, token.end).split('\n');
    append(lines.at(-1), first, kind);
    for (const line of further) {
      lines.push([]);
      append(lines.at(-1), line, kind);
    }
  }
  return lines;
}

/** Neighbours of one colour are one piece. */
function append(line: YaraPiece[] | undefined, part: string, kind: YaraColour): void {
  const last = line?.at(-1);
  if (last?.kind === kind) last.text += part;
  else if (part !== '') line?.push({ text: part, kind });
}

function colourOf({ kind, start, end }: YaraToken, source: string): YaraColour {
  switch (kind) {
    case 'word':
      return yaraKeywords.has(source.slice(start, end)) ? 'keyword' : 'plain';
    case 'comment':
      return kind;
    case 'text':
    case 'hex':
    case 'regex':
      return 'text';
    default:
      return 'plain';
  }
}
