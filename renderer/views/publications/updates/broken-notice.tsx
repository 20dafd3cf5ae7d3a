import type { DifferenceRow, PackageView } from '../../../../shared/domain/publication.ts';
import { visibleText } from '../../../../shared/domain/visible-text.ts';
import { Button } from '../../../components/button.tsx';
import { cutMiddle } from '../../../components/middle-cut.ts';
import { Notice } from '../../../components/notice.tsx';
import { nameOf } from './change-row.tsx';
import { text } from './text.ts';
import styles from './compare.module.css';
import type { Comparison } from './use-comparison.ts';

/** As many are named above the step; the others are a press away. */
const named = 3;
const longestFile = 60;
const longestWords = 200;

export interface BrokenNoticeProps {
  shown: PackageView;
  comparison: Comparison;
  isActive: boolean;
  onShowLine(index: number): void;
}

/** What is left out of a package: file, line, and the engine's words. */
export function BrokenNotice({ shown: { contents }, comparison: { counts, firstRows }, isActive, onShowLine }: BrokenNoticeProps) {
  const broken = counts?.broken ?? 0;
  const rows = firstRows.slice(0, Math.min(broken, named));
  const others = contents?.rules ?? 0;
  const [only] = rows;
  const title = broken === 1 && only !== undefined && only.name !== '' ? text.brokenOneTitle(nameOf(only)) : text.brokenTitle(broken);
  return (
    <Notice
      meaning="bad"
      title={title}
      actions={
        <ul className={styles.brokenList}>
          {rows.map((row, index) => <BrokenLine key={index} row={row} withName={broken > 1} onShow={() => onShowLine(index)} />)}
          {broken > rows.length && <li><Button size="small" look="inline" onPress={() => onShowLine(rows.length)}>{text.showRest(broken - rows.length)}</Button></li>}
        </ul>
      }
    >
      {others === 0 ? text.noneLeft : isActive ? text.othersInUse(others) : text.othersInstalled(others)}
    </Notice>
  );
}

function BrokenLine({ row, withName, onShow }: { row: DifferenceRow; withName: boolean; onShow(): void }) {
  const { broken } = row;
  const place = text.lineOf(visibleText(cutMiddle(row.file, longestFile)), broken?.line ?? row.line);
  const words = broken === null ? '' : visibleText(cutMiddle(broken.text === '' ? text.brokenKinds[broken.kind] : broken.text, longestWords));
  return (
    <li>
      <bdi className={styles.brokenPlace}>{place}:</bdi> <bdi>{words}</bdi>
      {withName && row.name !== '' && <> <bdi className={styles.brokenRule}>{nameOf(row)}</bdi></>}
      <Button size="small" look="inline" aria-label={text.showLineOf(place)} onPress={onShow}>{text.showLine}</Button>
    </li>
  );
}
