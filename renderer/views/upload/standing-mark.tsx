import {
  CircleArrowUp,
  CircleCheck,
  CircleHelp,
  CircleX,
  Clock3,
  FolderInput,
  LockKeyhole,
  TriangleAlert,
} from 'lucide-react';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import type { Standing, StandingKind } from './file-standing.ts';
import styles from './files-table.module.css';

const icons: Readonly<Record<StandingKind, typeof Clock3>> = {
  waiting: Clock3,
  new: CircleArrowUp,
  there: CircleCheck,
  unanswered: CircleHelp,
  held: FolderInput,
  out: CircleX,
  locked: LockKeyhole,
  warn: TriangleAlert,
};

/** How a file stands: a shape, a word, and the colour last. */
export function StandingMark({ standing: { kind, word, then } }: { standing: Standing }) {
  const Icon = icons[kind];
  return (
    <span
      className={classNames(layout.row6, styles.standing)}
      title={visibleText(then === null ? word : `${word}. ${then}`)}
    >
      <Icon className={classNames(styles[kind])} size={14} strokeWidth={1.6} aria-hidden="true" />
      <bdi className={classNames(typography.cut, styles.standingWord)}>{visibleText(word)}</bdi>
    </span>
  );
}
