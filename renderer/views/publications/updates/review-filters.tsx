import { ArrowDownUp } from 'lucide-react';
import type { ChangedPart } from '../../../../shared/domain/publication.ts';
import {
  partsByGravity,
  type ReviewFacets,
  type ReviewQuery,
  reviewKinds,
} from '../../../../shared/domain/rule-review.ts';
import { Button } from '../../../components/button.tsx';
import { ChoiceMenu } from '../../../components/choice-menu.tsx';
import { CountToggle } from '../../../components/count-toggle.tsx';
import { FindField } from '../../../components/find-field.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import styles from './changes.module.css';
import { text } from './text.ts';
import type { Comparison, Review } from './use-comparison.ts';

export interface ReviewFiltersProps {
  comparison: Comparison;
  review: Review;
  onDown(): void;
}

/** What kind of change is listed, by its counts; the words to find; the order. What is not listed is said. */
export function ReviewFilters({ comparison: { query, ask }, review, onDown }: ReviewFiltersProps) {
  const { facets } = review;
  const kinds = reviewKinds.filter((kind) => kind === 'all' || facets[kind] > 0 || kind === query.of);
  const hasParts = (query.of === 'all' || query.of === 'changed') && facets.changed > 0;
  const sorts = (['file', 'name', 'size'] as const).map((id) => ({ id, text: text.sorts[id] }));
  const sort = ([id]: readonly string[]): void => ask({ sort: sorts.find((one) => one.id === id)?.id ?? query.sort });
  return (
    <header className={classNames(layout.stack6, layout.top, styles.filters)}>
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
      <div className={classNames(layout.spreadRow, styles.findLine)}>
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
        {listedWords(review, query)}
      </p>
    </header>
  );
}

function Sign({ kind }: { kind: Exclude<ReviewQuery['of'], 'all'> }) {
  return (
    <span className={classNames(styles.chipSign, styles[kind])} aria-hidden="true">
      {text.signs[kind]}
    </span>
  );
}

const turned = ({ parts }: ReviewQuery, part: ChangedPart): ChangedPart[] =>
  parts.includes(part) ? parts.filter((each) => each !== part) : [...parts, part];

/** How many of how many, and which parts of changed rules are left out. */
function listedWords({ counts, facets, listed }: Review, { of, parts }: ReviewQuery): string {
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
export function LayoutFoot({ comparison: { query, ask }, count }: { comparison: Comparison; count: number }) {
  const isShown = query.parts.includes('layout');
  if (count === 0 || (query.of !== 'all' && query.of !== 'changed')) return null;
  return (
    <div className={classNames(layout.row, layout.bottom, styles.layoutFoot)}>
      <Button size="small" look="quiet" onPress={() => ask({ parts: turned(query, 'layout') })}>
        {isShown ? text.hideLayout(count) : text.showLayout(count)}
      </Button>
      <span>{text.layoutOnly}</span>
    </div>
  );
}
