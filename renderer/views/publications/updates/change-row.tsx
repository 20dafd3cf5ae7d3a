import type { ChangedPart, DifferenceRow } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import aloud from '../../../styles/aloud.module.css';
import { classNames } from '../../../styles/class-names.ts';
import { text } from './text.ts';
import styles from './changes.module.css';

const longestName = 128;
const longestFile = 36;

export interface ChangeRowProps {
  /** undefined while it is not loaded. */
  row: DifferenceRow | undefined;
  index: number;
  /** CSS pixels. */
  top: number;
  isCurrent: boolean;
  onChoose(): void;
}

/** One line: the rule, where it is, and what is different in it in words and in numbers. */
export function ChangeRow({ row, index, top, isCurrent, onChoose }: ChangeRowProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid has the keys
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-current={isCurrent || undefined}
      aria-busy={row === undefined || undefined}
      data-index={index}
      tabIndex={isCurrent ? 0 : -1}
      className={classNames(styles.change, isCurrent && styles.current)}
      style={{ transform: `translateY(${top}px)` }}
      onClick={onChoose}
      onFocus={() => isCurrent || onChoose()}
    >
      {row !== undefined && <Words row={row} />}
    </div>
  );
}

function Words({ row }: { row: DifferenceRow }) {
  return (
    <>
      <span role="gridcell" className={classNames(styles.sign, styles[row.kind])}>
        <span aria-hidden="true">{text.signs[row.kind]}</span>
        <span className={aloud.only}>{text.spoken[row.kind]}</span>
      </span>
      <span role="rowheader" className={styles.ruleName} title={visibleText(row.name)}><bdi>{nameOf(row)}</bdi></span>
      <span role="gridcell" className={styles.amount} data-figures>{amountOf(row)}</span>
      <span role="gridcell" className={styles.place} title={visibleText(row.file)}><bdi>{placeWords(row)}</bdi></span>
      <span role="gridcell" className={styles.what}><bdi>{whatOf(row)}</bdi></span>
    </>
  );
}

/** A line outside of every rule is named by what it is. */
export const nameOf = ({ name, broken }: DifferenceRow): string => visibleText(cutMiddle(name === '' ? (broken === null ? '–' : text.brokenKinds[broken.kind]) : name, longestName));

function placeWords({ kind, file, line, broken }: DifferenceRow): string {
  const shown = visibleText(cutMiddle(file, longestFile));
  return kind === 'broken' ? text.lineOf(shown, broken?.line ?? line) : shown;
}

function amountOf({ kind, addedLines, removedLines }: DifferenceRow): string {
  if (kind === 'changed') return text.linesChanged(addedLines, removedLines);
  if (kind === 'added') return text.lines(addedLines);
  return kind === 'removed' ? text.lines(removedLines) : '';
}

function whatOf(row: DifferenceRow): string {
  return [differenceOf(row), row.asks === undefined ? '' : text.uses(row.asks)].filter((words) => words !== '').join('; ');
}

function differenceOf({ kind, parts, movedFrom, broken }: DifferenceRow): string {
  if (kind === 'changed') return partWords(parts);
  if (kind === 'moved' && movedFrom !== null) return text.movedFrom(visibleText(cutMiddle(movedFrom, longestFile)));
  return kind === 'removed' && broken !== null ? text.brokenNow : '';
}

/** A part that changes what a rule finds stands for itself; that it is the only one is told of the others. */
export function partWords(parts: readonly ChangedPart[]): string {
  const [first] = parts;
  const words = parts.map((part) => text.parts[part]).join(', ');
  return parts.length === 1 && first !== 'condition' && first !== 'strings' ? text.only(words) : words;
}
