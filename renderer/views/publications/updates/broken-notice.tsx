import type { PackageView } from '../../../../shared/domain/publication.ts';
import type { ReviewItem } from '../../../../shared/domain/rule-review.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { numberWords } from '../../../components/byte-words.ts';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { Notice } from '../../../components/notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import typography from '../../../styles/typography.module.css';
import { causeAside, causeWords } from './cause-words.ts';
import { nameOf } from './change-row.tsx';
import styles from './compare.module.css';
import { text } from './text.ts';
import type { Comparison } from './use-comparison.ts';

/** As many are named above the step; the others are a press away. */
const named = 4;
const longestFile = 60;
const longestWords = 200;

export interface BrokenNoticeProps {
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
export function BrokenNotice({
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
    const words = visibleText(causeWords(item.cause));
    return (
      <li>
        <bdi className={typography.figure}>{numberWords(item.count)}</bdi> <bdi>{words}</bdi>{' '}
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
      : visibleText(cutMiddle(broken.text === '' ? text.brokenKinds[broken.kind] : broken.text, longestWords));
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
