import { ArrowDownUp, VolumeX } from 'lucide-react';
import { useRef } from 'react';
import type { ChangedPart, PublicationsState } from '../../../../shared/domain/publication.ts';
import {
  firstReview,
  partsByGravity,
  type ReviewFacets,
  reviewKinds,
  type ReviewQuery,
} from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { Button } from '../../../components/button.tsx';
import { ChoiceMenu } from '../../../components/choice-menu.tsx';
import { CountToggle } from '../../../components/count-toggle.tsx';
import { NoneFound } from '../../../components/empty-state.tsx';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { FindField } from '../../../components/find-field.tsx';
import { focusIn } from '../../../components/focus-in.ts';
import { cutMiddle } from '../../../components/format.ts';
import { useLate } from '../../../components/use-late.ts';
import { useNavigation } from '../../../state/navigation.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { ChangesGrid } from './changes-grid.tsx';
import changes from './changes.module.css';
import type { Comparison, Review } from './comparison.ts';
import { text } from './strings.ts';
import styles from './updates.module.css';

interface ChangesPaneProps {
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
        <div className={styles.reportedIn}>
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

interface ReviewFiltersProps {
  comparison: Comparison;
  review: Review;
  onDown(): void;
}

/** What kind of change is listed, by its counts; the words to find; the order. What is not listed is said. */
function ReviewFilters({ comparison: { query, ask }, review, onDown }: ReviewFiltersProps) {
  const { facets } = review;
  const kinds = reviewKinds.filter((kind) => kind === 'all' || facets[kind] > 0 || kind === query.of);
  const hasParts = (query.of === 'all' || query.of === 'changed') && facets.changed > 0;
  const sorts = (['file', 'name', 'size'] as const).map((id) => ({ id, text: text.sorts[id] }));
  const sort = ([id]: readonly string[]): void => ask({ sort: sorts.find((one) => one.id === id)?.id ?? query.sort });
  return (
    <header className={classNames(layout.stack6, layout.top, changes.filters)}>
      <div role="group" aria-label={text.kindsOfChange} className={layout.wrap4}>
        {kinds.map((kind) => (
          <CountToggle
            key={kind}
            count={facets[kind]}
            words={text.chips[kind]}
            mark={kind !== 'all' && <Sign kind={kind} />}
            isSelected={query.of === kind}
            onChange={() => ask({ of: kind })}
          />
        ))}
      </div>
      {hasParts && (
        <div role="group" aria-label={text.partsOfChange} className={layout.wrap4}>
          {partsByGravity
            .filter((part) => facets.parts[part] > 0)
            .map((part) => (
              <CountToggle
                key={part}
                count={facets.parts[part]}
                words={text.parts[part]}
                isSelected={query.parts.includes(part)}
                onChange={() => ask({ parts: turned(query, part) })}
              />
            ))}
        </div>
      )}
      <div className={classNames(layout.spreadRow, changes.findLine)}>
        <FindField
          label={text.findChange}
          placeholder={text.findChangeShort}
          value={query.find}
          onChange={(find) => ask({ find })}
          onDown={onDown}
        />
        <ChoiceMenu
          label={text.sortBy}
          choices={sorts}
          chosen={[query.sort]}
          of="one"
          onChange={sort}
          trigger={
            <Button size="small">
              <ArrowDownUp size={14} strokeWidth={1.6} aria-hidden="true" />
              {text.sorts[query.sort]}
            </Button>
          }
        />
      </div>
      <p className={typography.smallNote} role="status" data-figures>
        {formatListed(review, query)}
      </p>
    </header>
  );
}

function Sign({ kind }: { kind: Exclude<ReviewQuery['of'], 'all'> }) {
  return (
    <span className={classNames(changes.chipSign, changes[kind])} aria-hidden="true">
      {text.signs[kind]}
    </span>
  );
}

const turned = ({ parts }: ReviewQuery, part: ChangedPart): ChangedPart[] =>
  parts.includes(part) ? parts.filter((each) => each !== part) : [...parts, part];

/** How many of how many, and which parts of changed rules are left out. */
function formatListed({ counts, facets, listed }: Review, { of, parts }: ReviewQuery): string {
  const all = counts.changed + counts.added + counts.removed + counts.moved + counts.broken;
  const hidden = of === 'all' || of === 'changed' ? hiddenParts(facets, parts) : [];
  return [
    text.listed(listed, all),
    ...(hidden.length === 0
      ? []
      : [text.hidden(hidden.map((part) => text.hiddenPart(facets.parts[part], part)).join(', '))]),
  ].join('. ');
}

const hiddenParts = (facets: ReviewFacets, parts: readonly ChangedPart[]): ChangedPart[] =>
  partsByGravity.filter((part) => facets.parts[part] > 0 && !parts.includes(part));

/** Rules of which only the layout changed are one line below the list, until they are asked for. */
function LayoutFoot({ comparison: { query, ask }, count }: { comparison: Comparison; count: number }) {
  const isShown = query.parts.includes('layout');
  if (count === 0 || (query.of !== 'all' && query.of !== 'changed')) return null;
  return (
    <div className={classNames(layout.row, layout.bottom, changes.layoutFoot)}>
      <Button size="small" look="quiet" onPress={() => ask({ parts: turned(query, 'layout') })}>
        {isShown ? text.hideLayout(count) : text.showLayout(count)}
      </Button>
      <span>{text.layoutOnly}</span>
    </div>
  );
}
