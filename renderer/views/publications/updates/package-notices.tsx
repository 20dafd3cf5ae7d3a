import { assertNever } from '../../../../shared/assert-never.ts';
import {
  type PackageView,
  type PackageWarning,
  type PublicationsState,
  removesMany,
} from '../../../../shared/domain/publication.ts';
import { firstReview, type ReviewItem } from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { cutMiddle, formatNumber } from '../../../components/format.ts';
import { Notice } from '../../../components/notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { causeAside, formatCause, nameOf } from './changes-grid.tsx';
import styles from './compare.module.css';
import type { Comparison, OpenedLine } from './comparison.ts';
import { text } from './strings.ts';
import { type Obstacle, obstacleTo, packageOf, shortVersion } from './update-step.ts';
import { useUpdates } from './updates-context.tsx';

/** What blocks a package, its warnings, and which parts of it are left out. */
export function PackageNotices({ state, shown, comparison, onShowLine }: Omit<ComparePaneProps, 'opened'>) {
  const { packageFailure } = useUpdates();
  const isActive = shown.sha256 === state.active;
  const obstacle = isActive ? null : obstacleTo(shown, state);
  const warnings = isActive ? [] : shown.warnings;
  const inUse = packageOf(state, state.active)?.contents?.rules ?? 0;
  const removed = comparison.review?.counts.removed ?? 0;
  const hasRemovals = !isActive && shown.activated === null && removesMany(removed, inUse);
  const hasBroken = (comparison.review?.counts.broken ?? 0) > 0;
  if (
    packageFailure === null &&
    obstacle === null &&
    warnings.length === 0 &&
    !hasRemovals &&
    !hasBroken &&
    shown.contents?.reading === undefined &&
    shown.contents?.empty === undefined
  )
    return null;
  return (
    <div className={classNames(layout.stack8, styles.notices)}>
      {packageFailure !== null && <FailureNotice failure={packageFailure} />}
      {obstacle !== null && <ObstacleNotice obstacle={obstacle} state={state} shown={shown} />}
      {warnings.map((warning) => (
        <WarningNotice key={warning} warning={warning} state={state} shown={shown} />
      ))}
      {hasRemovals && (
        <Notice
          meaning="warn"
          title={text.removalTitle(shortVersion(shown.version), removed, inUse)}
          actions={
            comparison.query.of !== 'removed' && (
              <Button size="small" onPress={() => comparison.ask({ ...firstReview, of: 'removed' })}>
                {text.showRemoved(removed)}
              </Button>
            )
          }
        >
          {text.removalAsks}
        </Notice>
      )}
      <ReadingNotice shown={shown} />
      {shown.contents?.empty !== undefined && (
        <Notice
          meaning="info"
          size="small"
          title={text.emptyFiles(shown.contents.empty.files, shown.contents.empty.names.map(visibleText))}
        />
      )}
      {hasBroken && <BrokenNotice shown={shown} comparison={comparison} isActive={isActive} onShowLine={onShowLine} />}
    </div>
  );
}

function ObstacleNotice({
  obstacle,
  state,
  shown,
}: {
  obstacle: Obstacle;
  state: PublicationsState;
  shown: PackageView;
}) {
  const { pin, show } = useUpdates();
  switch (obstacle) {
    case 'pinned':
      return (
        <Notice
          meaning="warn"
          title={text.pinnedTitle(shortVersion(packageOf(state, state.pinned)?.version ?? ''))}
          actions={
            <Button size="small" onPress={() => pin(null)}>
              {text.unpin}
            </Button>
          }
        >
          {text.pinnedThen}
        </Notice>
      );
    case 'policy':
      return (
        <Notice
          meaning="bad"
          title={text.policyTitle(shown.contents?.broken ?? 0)}
          actions={
            <Button size="small" onPress={() => show('settings')}>
              {text.openUpdateSettings}
            </Button>
          }
        >
          {text.policyThen}
        </Notice>
      );
    // It has a pane of its own.
    case 'unopened':
      return null;
    default:
      return assertNever(obstacle);
  }
}

function WarningNotice({
  warning,
  state,
  shown,
}: {
  warning: PackageWarning;
  state: PublicationsState;
  shown: PackageView;
}) {
  const { title, then } = text.warnings[warning];
  const active = packageOf(state, state.active);
  return (
    <Notice meaning="warn" title={title(shortVersion(shown.version), shortVersion(active?.version ?? ''))}>
      {then}
    </Notice>
  );
}

/** As many are named above the step; the others are a press away. */
const named = 4;
const longestFile = 60;
const longestMessage = 200;

interface BrokenNoticeProps {
  shown: PackageView;
  comparison: Comparison;
  isActive: boolean;
  /** Leads to a line of the list as it is at first. */
  onShowLine(index: number): void;
}

type Line = { at: number; item: Extract<ReviewItem, { kind: 'row' | 'cause' }> };

/**
 * What is left out of a package: each rule by file, line and the engine's words where they are few, or else by cause.
 */
function BrokenNotice({
  shown: { contents },
  comparison: { review, firstItems },
  isActive,
  onShowLine,
}: BrokenNoticeProps) {
  const broken = review?.counts.broken ?? 0;
  const others = contents?.rules ?? 0;
  const lines = linesOf(firstItems);
  const [head] = firstItems;
  const causes = head?.kind === 'broken' ? head.causes : 0;
  const rest = lines.some(({ item }) => item.kind === 'row') ? 0 : causes - lines.length;
  const [only] = lines;
  const title =
    broken === 1 && only?.item.kind === 'row' && only.item.row.name !== ''
      ? text.brokenOneTitle(nameOf(only.item.row))
      : text.brokenTitle(broken);
  return (
    <Notice
      meaning="bad"
      title={title}
      actions={
        <ul className={classNames(typography.sentence, styles.brokenList)}>
          {lines.map(({ at, item }) => (
            <BrokenLine key={at} item={item} withName={broken > 1} onShow={() => onShowLine(at)} />
          ))}
          {rest > 0 && (
            <li>
              <Button size="small" look="inline" onPress={() => onShowLine(0)}>
                {text.showRest(rest)}
              </Button>
            </li>
          )}
        </ul>
      }
    >
      {others === 0 ? text.noneLeft : isActive ? text.othersInUse(others) : text.othersInstalled(others)}
    </Notice>
  );
}

/** Rules where the groups are open at first, and else the groups. */
function linesOf(items: readonly ReviewItem[]): Line[] {
  const found = items.flatMap((item, at): Line[] =>
    item.kind === 'cause' || (item.kind === 'row' && item.row.kind === 'broken') ? [{ at, item }] : [],
  );
  const rows = found.filter(({ item }) => item.kind === 'row');
  return (rows.length > 0 ? rows : found).slice(0, named);
}

function BrokenLine({ item, withName, onShow }: { item: Line['item']; withName: boolean; onShow(): void }) {
  if (item.kind === 'cause') {
    const words = visibleText(formatCause(item.cause));
    return (
      <li>
        <bdi className={typography.figure}>{formatNumber(item.count)}</bdi> <bdi>{words}</bdi>{' '}
        <bdi className={typography.faint}>{causeAside(item)}</bdi>
        <Button size="small" look="inline" aria-label={text.showCauseOf(words)} onPress={onShow}>
          {text.showCause}
        </Button>
      </li>
    );
  }
  const { row } = item;
  const { broken } = row;
  const place = text.lineOf(visibleText(cutMiddle(row.file, longestFile)), broken?.line ?? row.line);
  const words =
    broken === null
      ? ''
      : visibleText(cutMiddle(broken.text === '' ? text.brokenKinds[broken.kind] : broken.text, longestMessage));
  return (
    <li>
      <bdi className={typography.figure}>{place}:</bdi> <bdi>{words}</bdi>
      {withName && row.name !== '' && (
        <>
          {' '}
          <bdi className={classNames(typography.faint, typography.mono)}>{nameOf(row)}</bdi>
        </>
      )}
      <Button size="small" look="inline" aria-label={text.showLineOf(place)} onPress={onShow}>
        {text.showLine}
      </Button>
    </li>
  );
}

const amounts = (words: readonly (readonly [number, (count: number) => string])[]): string =>
  words.flatMap(([count, print]) => (count > 0 ? [print(count)] : [])).join(', ');

/** What was left out of a package and what was converted. Encodings that are a guess can be converted. */
function ReadingNotice({ shown: { sha256, contents } }: { shown: PackageView }) {
  const { state, convert } = useUpdates();
  const reading = contents?.reading;
  if (reading === undefined) return null;
  const guessed = amounts([
    [reading.latin1, text.latin1],
    [reading.utf16Unmarked, text.utf16Unmarked],
  ]);
  const others = amounts([
    [reading.leftOut, text.leftOut],
    [reading.links, text.links],
    [reading.utf16, text.utf16],
    [reading.bareReturns, text.bareReturns],
  ]);
  return (
    <>
      {guessed !== '' && (
        <Notice
          meaning="warn"
          title={text.readingTitle(guessed)}
          actions={
            <Button size="small" isDisabled={state?.check !== null} onPress={() => convert(sha256)}>
              {text.convert}
            </Button>
          }
        >
          {text.guessThen}
        </Notice>
      )}
      {others !== '' && <Notice meaning="info" size="small" title={others} />}
    </>
  );
}

export interface ComparePaneProps {
  state: PublicationsState;
  shown: PackageView;
  comparison: Comparison;
  opened: OpenedLine | null;
  /** Leads to a line among the changes. */
  onShowLine(index: number): void;
}
