import { ChevronDown, ChevronUp, Columns2, Pilcrow, Rows2, WrapText } from 'lucide-react';
import { useRef } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { ReviewItem } from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { usePublicationsPlace } from '../../../app/publications/publications-place.tsx';
import { useRested } from '../../../app/use-rested.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { useElementWidth } from '../../../components/data-grid/use-element-width.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { causeWords } from './cause-words.ts';
import { nameOf, partWords, WrappedName } from './change-row.tsx';
import styles from './compare.module.css';
import { RuleText } from './rule-text.tsx';
import { text } from './text.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import type { Comparison } from './use-comparison.ts';
import type { OpenedLine } from './use-opened-text.ts';

/** A key that is held down passes rules whose text nobody reads. */
const showRestMs = 120;
/** CSS pixels that two columns need. */
const twoColumns = 520;
const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/**
 * The line that is chosen among the changes: a rule's text as it was and as it would be, or what a group stands for.
 */
export function ShownRule({ comparison, opened }: { comparison: Comparison; opened: OpenedLine | null }) {
  const { workspaceId, item, row, index, review, step } = comparison;
  const [{ isSideBySide, showsBlanks, wrapsLines }, note] = usePublicationsPlace(workspaceId);
  const part = useRef<HTMLDivElement>(null);
  const width = useElementWidth(part);
  // Not known: nothing is laid out yet.
  const hasRoom = width === null || width >= twoColumns;
  const rested = useRested(row, showRestMs) ?? row;
  const isAtRest = rested === row;
  const hasBoth = row !== undefined && row.old !== null && row.new !== null;
  const total = review?.total ?? 0;
  return (
    <div ref={part} className={classNames(layout.stack, styles.rule)}>
      <div className={classNames(layout.row8, layout.top, styles.ruleHead)}>
        <h3 className={classNames(typography.breaks, styles.ruleTitle)}>
          <bdi>{row === undefined ? item && groupTitle(item) : <WrappedName name={nameOf(row)} />}</bdi>
        </h3>
        {row?.kind === 'changed' && (
          <span className={classNames(typography.note, styles.ruleParts)}>{partWords(row.parts)}</span>
        )}
        <span className={layout.grow} />
        <IconButton label={text.previousRule} letter="P" isDisabled={index <= 0} onPress={() => step(-1)}>
          <ChevronUp size={16} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
        <IconButton label={text.nextRule} letter="N" isDisabled={index >= total - 1} onPress={() => step(1)}>
          <ChevronDown size={16} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
        {hasBoth && (
          <>
            <ToggleButton
              aria-label={text.blanks}
              isSelected={showsBlanks}
              onChange={() => note({ showsBlanks: !showsBlanks })}
              className={classNames(styles.toggle)}
            >
              <Pilcrow {...icon} />
            </ToggleButton>
            {!(isSideBySide && hasRoom) && (
              <ToggleButton
                aria-label={text.wrap}
                isSelected={wrapsLines}
                onChange={() => note({ wrapsLines: !wrapsLines })}
                className={classNames(styles.toggle)}
              >
                <WrapText {...icon} />
              </ToggleButton>
            )}
            {hasRoom && (
              <Button look="quiet" size="small" onPress={() => note({ isSideBySide: !isSideBySide })}>
                {isSideBySide ? <Rows2 {...icon} /> : <Columns2 {...icon} />}
                {isSideBySide ? text.unified : text.sideBySide}
              </Button>
            )}
          </>
        )}
      </div>
      {row === undefined
        ? item !== undefined && <GroupWords item={item} />
        : rested !== undefined && (
            <RuleText
              comparison={comparison}
              row={rested}
              isWanted={isAtRest}
              opened={opened}
              within={part}
              look={{ isSideBySide: isSideBySide && hasRoom, showsBlanks, wrapsLines }}
            />
          )}
    </div>
  );
}

function groupTitle(item: ReviewItem): string {
  switch (item.kind) {
    case 'cause':
      return visibleText(causeWords(item.cause));
    case 'file':
      return visibleText(item.file);
    case 'broken':
      return text.brokenHead(item.count, item.causes);
    case 'row':
      return '';
    default:
      return assertNever(item);
  }
}

/** What a group stands for, and what can be done about it. */
function GroupWords({ item }: { item: ReviewItem }) {
  const { show } = useUpdatesDesk();
  if (item.kind !== 'cause')
    return (
      <p className={classNames(typography.note, styles.about)}>
        {item.kind === 'file' ? text.fileGroup(item.count) : text.brokenGroup}
      </p>
    );
  const { kind, isTakenByYara } = item.cause;
  return (
    <div className={classNames(typography.note, styles.about)}>
      <p>
        {text.causeGroup(item.count, item.files)} {text.openGroup}
      </p>
      {kind === 'module' && <p>{text.moduleThen}</p>}
      {kind === 'rule' && <p>{text.ruleThen}</p>}
      {kind === 'strict' && (
        <p>
          {text.strictThen}{' '}
          <Button size="small" look="inline" onPress={() => show('settings')}>
            {text.openUpdateSettings}
          </Button>
        </p>
      )}
      {kind === 'engine' && isTakenByYara && <p>{text.yaraThen}</p>}
    </div>
  );
}
