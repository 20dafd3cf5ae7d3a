import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ChevronDown, ChevronRight, VolumeX } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import type { ChangedPart, DifferenceRow } from '../../../../shared/domain/publication.ts';
import type { BrokenCause, ReviewItem } from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { rowForKey } from '../../../components/data-grid/use-grid-acts.ts';
import { cutMiddle, formatNumber } from '../../../components/format.ts';
import { useSettings } from '../../../state/settings.ts';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './changes.module.css';
import type { Comparison } from './comparison.ts';
import { text } from './strings.ts';

const lineHeight = 32;
const around = 6;

interface ChangesGridProps {
  comparison: Comparison;
  total: number;
  onOpen(): void;
}

/** Rules under the heads of their groups. One tab stop; only what is in sight is drawn, and the line that is shown. */
export function ChangesGrid({
  comparison: { index, item, query, review, show, toggle, windows },
  total,
  onOpen,
}: ChangesGridProps) {
  const { values } = useSettings();
  const scroller = useRef<HTMLDivElement>(null);
  const muted = new Set(review?.muted);
  const virtual = useVirtualLines(scroller, { total, index, windows });
  const itemAt = (at: number): ReviewItem | undefined => (at === index ? item : undefined) ?? windows.rowAt(at);
  const onKeyDown = useLineKeys(scroller, {
    index,
    item,
    onOpen,
    show,
    toggle,
    lineFor: (event) =>
      rowForKey(event, {
        row: index,
        count: total,
        page: pageOf(virtual.scrollRect?.height),
        letters: values.singleLetterKeys,
      }),
  });
  useShownInSight(virtual, index);
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its lines take the focus, one at a time
    <div
      ref={scroller}
      role="treegrid"
      aria-label={text.changes}
      aria-rowcount={total}
      className={layout.scroll}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={layout.relative} style={{ height: virtual.getTotalSize() }}>
        {virtual
          .getVirtualItems()
          .filter(({ index: at }) => at < total)
          .map(({ index: at, start }) => {
            const shown = itemAt(at);
            return (
              <ChangeRow
                key={at}
                measure={virtual.measureElement}
                item={shown}
                index={at}
                top={start}
                isCurrent={at === index}
                isMuted={shown?.kind === 'row' && muted.has(shown.row.name)}
                isGrouped={query.sort === 'file'}
                onChoose={() => show(at)}
                onToggle={() => shown !== undefined && 'key' in shown && toggle(shown.key, at)}
              />
            );
          })}
      </div>
    </div>
  );
}

/** Lines in sight and a few around them, whose rows are read; the line that is shown stays drawn. */
function useVirtualLines(
  scroller: RefObject<HTMLDivElement | null>,
  { total, index, windows }: { total: number } & Pick<Comparison, 'index' | 'windows'>,
): Virtualizer<HTMLDivElement, HTMLElement> {
  // oxlint-disable-next-line react/incompatible-library -- nothing memoised is given what it returns
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    // A long name is as many lines high as it needs. Where nothing is laid out, each is one.
    measureElement: (row: HTMLElement) => row.offsetHeight || lineHeight,
    overscan: around,
    useFlushSync: false,
    rangeExtractor: (range: Range) =>
      [...new Set([...defaultRangeExtractor(range), Math.max(0, index)])].toSorted((first, second) => first - second),
  });
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;
  const reportRange = useEffectEvent(() => windows.onRange(first, last));
  useEffect(() => reportRange(), [first, last]);
  return virtual;
}

/** Scrolls to the shown line when it changes. */
function useShownInSight(virtual: Virtualizer<HTMLDivElement, HTMLElement>, index: number): void {
  const follow = useEffectEvent((line: number) => {
    const { range } = virtual;
    const isInSight = range !== null && range.startIndex < line && line < range.endIndex;
    if (!isInSight && line >= 0) virtual.scrollToIndex(line, { align: 'auto' });
  });
  useEffect(() => follow(index), [index]);
}

const pageOf = (height = 0): number => Math.max(1, Math.floor(height / lineHeight) - 1);

interface LineKeys {
  index: number;
  item: ReviewItem | undefined;
  lineFor(event: KeyboardEvent): number | null;
  show(index: number): void;
  toggle(key: string, index: number): void;
  onOpen(): void;
}

/**
 * The focus goes with the line that is shown, also where a button shows another; to the left and right keys close and
 * open a group.
 */
function useLineKeys(
  scroller: RefObject<HTMLElement | null>,
  { index, item, lineFor, show, toggle, onOpen }: LineKeys,
): (event: KeyboardEvent) => void {
  const wantsFocus = useRef(false);
  useLayoutEffect(() => {
    const hasFocus = document.activeElement !== null && scroller.current?.contains(document.activeElement) === true;
    if (!wantsFocus.current && !hasFocus) return;
    wantsFocus.current = false;
    scroller.current?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
  }, [scroller, index]);
  return (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const group = item !== undefined && 'key' in item ? item : null;
    const turns =
      group !== null &&
      (event.key === 'Enter' ||
        (event.key === 'ArrowRight' && !group.isOpen) ||
        (event.key === 'ArrowLeft' && group.isOpen));
    const to = lineFor(event);
    if (to === null && event.key !== 'Enter' && !turns) return;
    event.preventDefault();
    if (turns) return toggle(group.key, index);
    if (to === null) return onOpen();
    if (to < 0 || to === index) return;
    wantsFocus.current = true;
    show(to);
  };
}

/** The longest name that the engine takes, and then some. */
const longestName = 200;
const longestFile = 80;
const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

interface ChangeRowProps {
  /** undefined while it is not loaded. */
  item: ReviewItem | undefined;
  index: number;
  /** CSS pixels. */
  top: number;
  isCurrent: boolean;
  isMuted: boolean;
  /** Rules are listed under the head of their file. */
  isGrouped: boolean;
  measure: Ref<HTMLDivElement>;
  onChoose(): void;
  onToggle(): void;
}

/** One line: a rule, where it is and what is different in it, or the head of a group, which opens and closes it. */
function ChangeRow({ item, index, top, isCurrent, isMuted, isGrouped, measure, onChoose, onToggle }: ChangeRowProps) {
  const isGroup = item?.kind === 'cause' || item?.kind === 'file';
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys
    <div
      ref={measure}
      role="row"
      aria-level={item?.kind === 'row' ? 2 : 1}
      aria-rowindex={index + 1}
      aria-current={isCurrent || undefined}
      aria-busy={item === undefined || undefined}
      aria-expanded={isGroup ? item.isOpen : undefined}
      data-index={index}
      data-kind={item?.kind}
      tabIndex={isCurrent ? 0 : -1}
      className={classNames(
        styles.change,
        isGroup && styles.group,
        item?.kind === 'broken' && styles.brokenHead,
        isCurrent && styles.current,
      )}
      style={{ transform: `translateY(${top}px)` }}
      onClick={isGroup ? onToggle : onChoose}
      onFocus={() => isCurrent || onChoose()}
    >
      {item !== undefined && <Words item={item} isMuted={isMuted} isGrouped={isGrouped} />}
    </div>
  );
}

function Words({ item, isMuted, isGrouped }: { item: ReviewItem; isMuted: boolean; isGrouped: boolean }) {
  if (item.kind === 'row') return <RuleText row={item.row} part={item.part} isMuted={isMuted} isGrouped={isGrouped} />;
  if (item.kind === 'broken')
    return (
      <span role="rowheader" className={classNames(typography.breaks, styles.groupName)}>
        {text.brokenHead(item.count, item.causes)}
      </span>
    );
  const name =
    item.kind === 'file' ? (
      <bdi className={styles.file}>{visibleText(cutMiddle(item.file, longestFile))}</bdi>
    ) : (
      <bdi>{visibleText(formatCause(item.cause))}</bdi>
    );
  const aside = item.kind === 'cause' ? causeAside(item) : '';
  return (
    <>
      <span className={classNames(styles.arrow, item.kind === 'cause' && styles.broken)} aria-hidden="true">
        {item.isOpen ? <ChevronDown {...icon} /> : <ChevronRight {...icon} />}
      </span>
      <span
        role="rowheader"
        className={classNames(typography.breaks, styles.groupName)}
        title={item.kind === 'file' ? visibleText(item.file) : undefined}
      >
        {name}
        {aside !== '' && (
          <span className={styles.groupAside}>
            <bdi>{aside}</bdi>
          </span>
        )}
      </span>
      <span role="gridcell" className={styles.groupCount} data-figures>
        {formatNumber(item.count)}
      </span>
    </>
  );
}

function RuleText({
  row,
  part,
  isMuted,
  isGrouped,
}: {
  row: DifferenceRow;
  part: ChangedPart | null;
  isMuted: boolean;
  isGrouped: boolean;
}) {
  const place = [formatPlace(row, isGrouped), row.asks === undefined ? '' : text.uses(row.asks)]
    .filter((words) => words !== '')
    .join('; ');
  return (
    <>
      <span role="gridcell" className={classNames(styles.sign, styles[row.kind])}>
        <span aria-hidden="true">{text.signs[row.kind]}</span>
        <span className={aloud.only}>{text.spoken[row.kind]}</span>
      </span>
      <span role="rowheader" className={classNames(typography.breaks, styles.ruleName)}>
        <bdi>
          <WrappedName name={nameOf(row)} />
        </bdi>
        {isMuted && (
          <span className={styles.mute}>
            <VolumeX {...icon} size={12} />
            <span className={aloud.only}>{text.muted}</span>
          </span>
        )}
      </span>
      <span role="gridcell" className={styles.what} title={row.parts.length > 1 ? formatParts(row.parts) : undefined}>
        {part === null ? text.shortKinds[row.kind] : text.shortParts[part]}
        {row.parts.length > 1 && ` +${row.parts.length - 1}`}
      </span>
      <span role="gridcell" className={styles.amount} data-figures>
        {amountOf(row)}
      </span>
      {place !== '' && (
        <span role="gridcell" className={classNames(typography.smallNote, styles.place)} title={visibleText(row.file)}>
          <bdi>{place}</bdi>
        </span>
      )}
    </>
  );
}

/** A line outside of every rule is named by what it is. */
export const nameOf = ({ name, broken }: DifferenceRow): string =>
  visibleText(cutMiddle(name === '' ? (broken === null ? '–' : text.brokenKinds[broken.kind]) : name, longestName));

/** A long name is broken behind its low lines, and read whole. */
export function WrappedName({ name }: { name: string }) {
  return name.split(/(?<=_)/).map((piece, at): ReactNode => (
    <span key={at}>
      {at > 0 && <wbr />}
      {piece}
    </span>
  ));
}

function formatPlace({ kind, file, line, movedFrom, broken }: DifferenceRow, isGrouped: boolean): string {
  const shown = visibleText(cutMiddle(file, longestFile));
  if (kind === 'broken') return text.lineOf(shown, broken?.line ?? line);
  if (movedFrom !== null) return text.movedFrom(visibleText(cutMiddle(movedFrom, longestFile)));
  if (kind === 'removed' && broken !== null) return text.brokenNow;
  return isGrouped ? '' : shown;
}

function amountOf({ kind, addedLines, removedLines }: DifferenceRow): string {
  return kind === 'broken' || kind === 'moved' ? '' : text.linesChanged(addedLines, removedLines);
}

/**
 * A change of the condition or the strings changes what a rule finds and needs no comment; for any other part the text
 * states that it is the only one.
 */
export function formatParts(parts: readonly ChangedPart[]): string {
  const [first] = parts;
  const words = parts.map((part) => text.parts[part]).join(', ');
  return parts.length === 1 && first !== 'condition' && first !== 'strings' ? text.only(words) : words;
}

const longestSubject = 160;
const longestFileOfCause = 40;

/** Why these rules are broken, on one line. */
export function formatCause({ kind, subject }: BrokenCause): string {
  const shown = cutMiddle(subject, longestSubject);
  switch (kind) {
    case 'module':
      return text.needsModule(shown);
    case 'rule':
      return text.needsRule(shown);
    case 'strict':
      return text.refusedStrictly;
    case 'engine':
      return shown;
    default:
      return text.causes[kind];
  }
}

/** Where they are, and what would take them. */
export function causeAside({ cause, files, file }: Extract<ReviewItem, { kind: 'cause' }>): string {
  const place = files === 1 ? visibleText(cutMiddle(file, longestFileOfCause)) : text.inFiles(files);
  if (cause.kind === 'strict') return text.relaxedTakes;
  return cause.isTakenByYara ? text.yaraTakes : place;
}
