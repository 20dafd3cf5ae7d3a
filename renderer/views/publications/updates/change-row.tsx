import { ChevronDown, ChevronRight, VolumeX } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import type { ChangedPart, DifferenceRow } from '../../../../shared/domain/publication.ts';
import type { ReviewItem } from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { numberWords } from '../../../components/byte-words.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import typography from '../../../styles/typography.module.css';
import { causeAside, causeWords } from './cause-words.ts';
import styles from './changes.module.css';
import { text } from './text.ts';

/** The longest name that the engine takes, and then some. */
const longestName = 200;
const longestFile = 80;
const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

export interface ChangeRowProps {
  /** undefined while it is not loaded. */
  item: ReviewItem | undefined;
  index: number;
  /** CSS pixels. */
  top: number;
  isCurrent: boolean;
  isMuted: boolean;
  /** Rules stand under the head of their file. */
  isGrouped: boolean;
  measure: Ref<HTMLDivElement>;
  onChoose(): void;
  onToggle(): void;
}

/** One line: a rule, where it is and what is different in it, or the head of a group, which opens and closes it. */
export function ChangeRow({
  item,
  index,
  top,
  isCurrent,
  isMuted,
  isGrouped,
  measure,
  onChoose,
  onToggle,
}: ChangeRowProps) {
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
  if (item.kind === 'row') return <RuleWords row={item.row} part={item.part} isMuted={isMuted} isGrouped={isGrouped} />;
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
      <bdi>{visibleText(causeWords(item.cause))}</bdi>
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
        {numberWords(item.count)}
      </span>
    </>
  );
}

function RuleWords({
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
  const place = [placeWords(row, isGrouped), row.asks === undefined ? '' : text.uses(row.asks)]
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
      <span role="gridcell" className={styles.what} title={row.parts.length > 1 ? partWords(row.parts) : undefined}>
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

function placeWords({ kind, file, line, movedFrom, broken }: DifferenceRow, isGrouped: boolean): string {
  const shown = visibleText(cutMiddle(file, longestFile));
  if (kind === 'broken') return text.lineOf(shown, broken?.line ?? line);
  if (movedFrom !== null) return text.movedFrom(visibleText(cutMiddle(movedFrom, longestFile)));
  if (kind === 'removed' && broken !== null) return text.brokenNow;
  return isGrouped ? '' : shown;
}

function amountOf({ kind, addedLines, removedLines }: DifferenceRow): string {
  return kind === 'broken' || kind === 'moved' ? '' : text.linesChanged(addedLines, removedLines);
}

/** A part that changes what a rule finds stands for itself; that it is the only one is told of the others. */
export function partWords(parts: readonly ChangedPart[]): string {
  const [first] = parts;
  const words = parts.map((part) => text.parts[part]).join(', ');
  return parts.length === 1 && first !== 'condition' && first !== 'strings' ? text.only(words) : words;
}
