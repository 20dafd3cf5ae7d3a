import { ChevronDown, ChevronUp, Columns2, Pilcrow, Rows2, WrapText } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { DifferenceRow, RuleDifference } from '../../../../shared/domain/publication.ts';
import type { ReviewItem } from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button, IconButton } from '../../../components/button.tsx';
import { useElementWidth } from '../../../components/data-grid/grid-column.ts';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { cutMiddle } from '../../../components/format.ts';
import { useLate } from '../../../components/use-late.ts';
import { YaraSource } from '../../../components/yara/yara-source.tsx';
import { usePublicationsPlace } from '../../../features/publications/publications-place.tsx';
import { keys } from '../../../keyboard/keys.ts';
import { useRested } from '../../../state/pacing.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import surface from '../../../styles/surface.module.css';
import typography from '../../../styles/typography.module.css';
import { formatCause, formatParts, nameOf, WrappedName } from './changes-grid.tsx';
import styles from './compare.module.css';
import { type Comparison, type OpenedLine, useOpenedText } from './comparison.ts';
import { type DiffLook, DiffText } from './diff-text.tsx';
import { text } from './strings.ts';
import { useUpdates } from './updates-context.tsx';
import panes from './updates.module.css';

/** A held key passes rules without reading their text. */
const showRestMs = 120;
/** CSS pixels that two columns need. */
const twoColumns = 520;
const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

const wrapKey = keys.updates.wrap.keys;
/** The library lets no `aria-keyshortcuts` through. */
const announceWrapKey = (element: HTMLButtonElement | null): void =>
  element?.setAttribute('aria-keyshortcuts', wrapKey);

/** The chosen line of the changes: a rule's old and new text, or the description of a group. */
export function ShownRule({ comparison, opened }: { comparison: Comparison; opened: OpenedLine | null }) {
  const { workspaceId, item, row, index, review, step } = comparison;
  const [{ isSideBySide, showsBlanks, wrapsLines }, note] = usePublicationsPlace(workspaceId);
  const part = useRef<HTMLDivElement>(null);
  const width = useElementWidth(part);
  // Not known: nothing is laid out yet.
  const hasSpace = width === null || width >= twoColumns;
  const rested = useRested(row, showRestMs) ?? row;
  const isAtRest = rested === row;
  const hasBoth = row !== undefined && row.old !== null && row.new !== null;
  // A new broken rule is shown as it is, and its lines are scrolled to.
  const isDrawnAsDiff = row !== undefined && (row.old !== null || (row.new !== null && row.kind !== 'broken'));
  const total = review?.total ?? 0;
  return (
    <div ref={part} className={classNames(layout.stack, styles.rule)}>
      <div className={classNames(layout.row8, layout.top, styles.ruleHead)}>
        <h3 className={classNames(typography.breaks, styles.ruleTitle)}>
          <bdi>{row === undefined ? item && groupTitle(item) : <WrappedName name={nameOf(row)} />}</bdi>
        </h3>
        {row?.kind === 'changed' && (
          <span className={classNames(typography.note, styles.ruleParts)}>{formatParts(row.parts)}</span>
        )}
        <span className={layout.grow} />
        <IconButton label={text.previousRule} letter="P" isDisabled={index <= 0} onPress={() => step(-1)}>
          <ChevronUp size={16} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
        <IconButton label={text.nextRule} letter="N" isDisabled={index >= total - 1} onPress={() => step(1)}>
          <ChevronDown size={16} strokeWidth={1.6} aria-hidden="true" />
        </IconButton>
        {hasBoth && (
          <ToggleButton
            aria-label={text.blanks}
            isSelected={showsBlanks}
            onChange={() => note({ showsBlanks: !showsBlanks })}
            className={classNames(surface.toggle, styles.toggle)}
          >
            <Pilcrow {...icon} />
          </ToggleButton>
        )}
        {isDrawnAsDiff && !(isSideBySide && hasSpace && hasBoth) && (
          <WrapToggle isOn={wrapsLines} onChange={() => note({ wrapsLines: !wrapsLines })} />
        )}
        {hasBoth && hasSpace && (
          <Button look="quiet" size="small" onPress={() => note({ isSideBySide: !isSideBySide })}>
            {isSideBySide ? <Rows2 {...icon} /> : <Columns2 {...icon} />}
            {isSideBySide ? text.unified : text.sideBySide}
          </Button>
        )}
      </div>
      {row === undefined
        ? item !== undefined && <GroupText item={item} />
        : rested !== undefined && (
            <RuleText
              comparison={comparison}
              row={rested}
              isRequested={isAtRest}
              opened={opened}
              within={part}
              look={{ isSideBySide: isSideBySide && hasSpace, showsBlanks, wrapsLines }}
            />
          )}
    </div>
  );
}

function WrapToggle({ isOn, onChange }: { isOn: boolean; onChange(): void }) {
  return (
    <ToggleButton
      aria-label={text.wrap}
      data-letter={wrapKey}
      ref={announceWrapKey}
      isSelected={isOn}
      onChange={onChange}
      className={classNames(surface.toggle, styles.toggle)}
    >
      <WrapText {...icon} />
    </ToggleButton>
  );
}

function groupTitle(item: ReviewItem): string {
  switch (item.kind) {
    case 'cause':
      return visibleText(formatCause(item.cause));
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

/** The description of a group, and the actions on it. */
function GroupText({ item }: { item: ReviewItem }) {
  const { show } = useUpdates();
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

const longestFile = 80;
const longestMessage = 400;
const shownFile = (file: string): string => visibleText(cutMiddle(file, longestFile));

interface RuleTextProps {
  comparison: Comparison;
  row: DifferenceRow;
  /** False: another one is on its way, and this one is not asked for any more. */
  isRequested: boolean;
  opened: OpenedLine | null;
  /** Where it is drawn. */
  within: RefObject<HTMLElement | null>;
  look: DiffLook;
}

/** The text of a rule in both packages. It is asked for when it is shown, and never changes. */
function RuleText({
  comparison: { workspaceId, from, to, index },
  row,
  isRequested,
  opened,
  within,
  look,
}: RuleTextProps) {
  const hasText = row.old !== null || row.new !== null;
  const { data, error } = useOperation(
    'publications.ruleDifference',
    { workspaceId, from, to, old: row.old, new: row.new },
    { enabled: isRequested && hasText, staleTime: Number.POSITIVE_INFINITY },
  );
  useOpenedText(within, { opened, index, isShown: isRequested && data !== undefined });
  const isLate = useLate(hasText && data === undefined && error === null);
  return (
    <>
      <About row={row} hasText={hasText} />
      {isRequested && row.broken?.kind === 'engine' && row.new !== null && (
        <EngineMessages workspaceId={workspaceId} sha256={to} number={row.new} />
      )}
      {error !== null && (
        <div className={panes.reportedIn}>
          <ReadFailure failure={error} of="publications.ruleDifference" />
        </div>
      )}
      {isLate && (
        <p className={classNames(typography.note, layout.inset)} role="status">
          {text.loadingRule}
        </p>
      )}
      {data !== undefined && <Shown row={row} difference={data} look={look} />}
    </>
  );
}

/** What the text itself does not say. */
function About({ row: { kind, file, movedFrom, broken }, hasText }: { row: DifferenceRow; hasText: boolean }) {
  return (
    <>
      {kind === 'moved' && movedFrom !== null && (
        <p className={classNames(typography.note, styles.about)}>
          <bdi>{text.onlyMoved(shownFile(movedFrom), shownFile(file))}</bdi>
        </p>
      )}
      {broken !== null && (
        <p className={classNames(typography.note, styles.about)}>
          <bdi>
            {text.brokenInPlace(
              text.lineOf(shownFile(broken.file), broken.line),
              visibleText(cutMiddle(broken.text === '' ? text.brokenKinds[broken.kind] : broken.text, longestMessage)),
            )}
          </bdi>
        </p>
      )}
      {!hasText && <p className={classNames(typography.note, layout.inset)}>{text.noSource}</p>}
    </>
  );
}

/** The whole message of the engine, which it gives again on request: it quotes the rule, so it is not stored. */
function EngineMessages({ workspaceId, sha256, number }: { workspaceId: string; sha256: string; number: number }) {
  const { show } = useUpdates();
  const { data, error } = useOperation('publications.explain', { workspaceId, sha256, number });
  if (error !== null)
    return (
      <div className={panes.reportedIn}>
        <ReadFailure failure={error} of="publications.explain" />
      </div>
    );
  if (data === undefined || data.text === null) return null;
  return (
    <div className={classNames(typography.note, styles.engineWords)}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard must be able to scroll it */}
      <pre tabIndex={0} aria-label={text.engineWords}>
        {visibleText(data.text)}
      </pre>
      {data.isRelaxable && (
        <p>
          {text.strictThen}{' '}
          <Button size="small" look="inline" onPress={() => show('settings')}>
            {text.openUpdateSettings}
          </Button>
        </p>
      )}
    </div>
  );
}

/** A new broken rule is shown as it is, with the broken line marked. */
function Shown({ row, difference, look }: { row: DifferenceRow; difference: RuleDifference; look: DiffLook }) {
  const { old, new: next } = difference;
  if (row.kind === 'broken' && old === null && next !== null)
    return <YaraSource label={text.source(nameOf(row))} source={next} markedLine={row.broken?.line ?? null} />;
  const isSideBySide = look.isSideBySide && old !== null && next !== null;
  return (
    <DiffText
      key={`${row.old} ${row.new} ${isSideBySide} ${look.wrapsLines}`}
      label={text.ruleDiff(nameOf(row))}
      difference={difference}
      look={{ ...look, isSideBySide }}
    />
  );
}
