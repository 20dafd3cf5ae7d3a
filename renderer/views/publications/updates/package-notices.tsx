import { assertNever } from '../../../../shared/assert-never.ts';
import {
  type PackageView,
  type PackageWarning,
  type PublicationsState,
  removesMany,
} from '../../../../shared/domain/publication.ts';
import { firstReview } from '../../../../shared/domain/rule-review.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { BrokenNotice } from './broken-notice.tsx';
import type { ComparePaneProps } from './compare-pane.tsx';
import { ReadingNotice } from './reading-notice.tsx';
import { shortVersion } from './short-version.ts';
import { text } from './text.ts';
import { type Obstacle, obstacleTo, packageOf } from './update-step.ts';
import { useUpdatesDesk } from './updates-desk.tsx';
import styles from './compare.module.css';

/** What stands in the way of a package, what makes one look twice, and what of it is left out. */
export function PackageNotices({ state, shown, comparison, onShowLine }: Omit<ComparePaneProps, 'opened'>) {
  const { packageFailure } = useUpdatesDesk();
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
    shown.contents?.reading === undefined
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
  const { pin, show } = useUpdatesDesk();
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
