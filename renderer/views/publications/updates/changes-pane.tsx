import { VolumeX } from 'lucide-react';
import { useRef } from 'react';
import type { PublicationsState } from '../../../../shared/domain/publication.ts';
import { firstReview } from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useNavigation } from '../../../app/navigation.tsx';
import { useOperation } from '../../../bridge/use-operation.ts';
import { Button } from '../../../components/button.tsx';
import { focusIn } from '../../../components/focus-in.ts';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { NoneFound } from '../../../components/none-found.tsx';
import { useLate } from '../../../components/use-late.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { ChangesGrid } from './changes-grid.tsx';
import { LayoutFoot, ReviewFilters } from './review-filters.tsx';
import { text } from './text.ts';
import styles from './updates.module.css';
import type { Comparison } from './use-comparison.ts';

export interface ChangesPaneProps {
  state: PublicationsState;
  comparison: Comparison;
  /** Enter: on to the text of the line. */
  onOpen(): void;
}

/** The lines of the difference; of the active package itself, what is broken in it. */
export function ChangesPane({ state, comparison, onOpen }: ChangesPaneProps) {
  const { failure, from, to, review, query, ask } = comparison;
  const pane = useRef<HTMLElement>(null);
  const isLate = useLate(review === null && failure === null);
  const isActive = from === to;
  const counts = review?.counts ?? null;
  const hasChanges =
    counts !== null && counts.changed + counts.added + counts.removed + counts.moved + counts.broken > 0;
  const isNarrowed = query.find !== '' || query.of !== 'all' || query.parts.length < firstReview.parts.length;
  // The button that does it goes with its reason.
  const showAll = (): void => {
    focusIn(pane.current, '[data-query]');
    ask(firstReview);
  };
  return (
    <section
      ref={pane}
      className={classNames(layout.pane, styles.changes)}
      data-pane
      data-changes
      aria-label={text.changes}
    >
      <div className={classNames(layout.spreadRow, layout.top, styles.paneHead)}>
        <h2>{text.changes}</h2>
        {counts !== null && (
          <span className={typography.cutNote} data-figures>
            {isActive ? text.inUse(counts.same) : from !== null && text.stay(counts.same)}
          </span>
        )}
      </div>
      {failure !== null && (
        <div className={styles.toldIn}>
          <ReadFailure failure={failure} of="publications.difference" />
        </div>
      )}
      {isLate && (
        <p className={classNames(typography.note, layout.inset)} role="status">
          {text.comparing}
        </p>
      )}
      {counts !== null && !hasChanges && (
        <p className={classNames(typography.note, layout.inset)}>{isActive ? text.noBroken : text.noChanges}</p>
      )}
      {review !== null && hasChanges && !isActive && (
        <ReviewFilters
          comparison={comparison}
          review={review}
          onDown={() => focusIn(pane.current, '[role=treegrid] [tabindex="0"]')}
        />
      )}
      {review !== null &&
        hasChanges &&
        review.total === 0 &&
        (isNarrowed ? (
          <NoneFound
            title={text.noneFits}
            sentence={text.noneFitsThen}
            showAll={text.clearFilters}
            onShowAll={showAll}
          />
        ) : (
          <p className={classNames(typography.note, layout.inset)}>{text.onlyLayout}</p>
        ))}
      {review !== null && review.total > 0 && (
        <ChangesGrid comparison={comparison} total={review.total} onOpen={onOpen} />
      )}
      {review !== null && !isActive && <LayoutFoot comparison={comparison} count={review.facets.parts.layout} />}
      <FlaggedMutes state={state} comparison={comparison} />
    </section>
  );
}

const longestName = 60;

/** Mutes hold on through updates: what they mute may be something else by now, or would be afterwards. */
function FlaggedMutes({
  state: { workspaceId },
  comparison: { from, to, review },
}: Pick<ChangesPaneProps, 'state' | 'comparison'>) {
  const { openPublications } = useNavigation();
  const { data } = useOperation('mutes.list', { workspaceId });
  const flagged = (data?.mutes ?? []).filter(
    ({ ruleNow, hasExpired }) => !hasExpired && (ruleNow === 'changed' || ruleNow === 'gone'),
  );
  const names = from === to ? flagged.map(({ rule }) => rule) : (review?.muted ?? []);
  const [first] = names;
  if (first === undefined) return null;
  const words = from === to ? text.mutesFlagged : text.mutesToBe;
  return (
    <p className={classNames(layout.bottom, layout.flex8, styles.flagged)}>
      <VolumeX size={14} strokeWidth={1.6} aria-hidden="true" />
      <span>
        <bdi>{words(names.length, visibleText(cutMiddle(first, longestName)))}</bdi>
        <Button size="small" look="inline" onPress={() => openPublications('mutes')}>
          {text.lookAtMutes(names.length)}
        </Button>
      </span>
    </p>
  );
}
