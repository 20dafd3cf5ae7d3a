import {
  Ban,
  CheckCheck,
  CircleCheck,
  CircleDashed,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Loader,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';
import { Toolbar } from 'react-aria-components/Toolbar';
import { type ActiveItem, type ItemState, itemStates, type Job, type JobKind } from '../../../shared/domain/job.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import { CountToggle } from '../count-toggle.tsx';
import { formatNumber } from '../format.ts';
import { formatCounted } from './job-format.ts';
import styles from './jobs.module.css';
import { text } from './strings.ts';

interface OutcomeBarProps {
  kind: JobKind;
  counts: Job['counts'];
  items: number;
  /** Items being worked on now; they are among the waiting ones. */
  active: readonly ActiveItem[];
  size?: 'normal' | 'tiny';
}

/** From what went well to what did not; the track is what waits. */
const order: readonly ItemState[] = [
  'done',
  'already-here',
  'cancelled',
  'unknown',
  'needs-md5',
  'failed',
  'refused',
  'vanished',
  'forbidden',
  'mismatch',
];

/** An item that is received whole is still verified and written. */
const mostOfActive = 0.95;

/** How much of the items under way is done, in items: nothing of those that only began. */
const begunOf = (active: readonly ActiveItem[]): number =>
  active.reduce(
    (sum, { receivedBytes, totalBytes }) =>
      sum + (totalBytes === null || totalBytes === 0 ? 0 : Math.min(mostOfActive, receivedBytes / totalBytes)),
    0,
  );

/** How far a job is, split by outcome. What is under way fills the bar by its bytes, so that it begins at nothing. */
export function OutcomeBar({ kind, counts, items, active, size = 'normal' }: OutcomeBarProps) {
  const shown = order.flatMap((state) => (counts[state] > 0 ? [{ state, count: counts[state] }] : []));
  const unsettled = items - shown.reduce((sum, { count }) => sum + count, 0);
  const underWay = Math.min(active.length, unsettled);
  const begun = Math.min(begunOf(active), unsettled);
  const words = shown.map(({ state, count }) => `${formatNumber(count)} ${formatCounted(state, count, kind)}`);
  const waiting = unsettled - underWay;
  return (
    <div
      role="img"
      aria-label={[
        ...words,
        ...(underWay > 0 ? [`${formatNumber(underWay)} ${text.underWay}`] : []),
        ...(waiting > 0 ? [text.waitingOf(waiting)] : []),
      ].join(', ')}
      className={classNames(styles.bar, size === 'tiny' && styles.tiny)}
    >
      {shown.map(({ state, count }) => (
        <span key={state} className={classNames(styles.part, styles[`fill-${state}`])} style={{ flexGrow: count }} />
      ))}
      {begun > 0 && <span className={classNames(styles.part, styles['fill-active'])} style={{ flexGrow: begun }} />}
      {unsettled - begun > 0 && <span style={{ flexGrow: unsettled - begun }} />}
    </div>
  );
}

interface OutcomeFilterProps {
  kind: JobKind;
  counts: Job['counts'];
  items: number;
  /** The states that are shown; empty: all. */
  chosen: readonly ItemState[];
  onChange(states: ItemState[]): void;
}

/** The counts are the filter, what went wrong first. One tab stop; the arrows go from one to the next. */
export function OutcomeFilter({ kind, counts, items, chosen, onChange }: OutcomeFilterProps) {
  const offered = itemStates.filter((state) => counts[state] > 0 || chosen.includes(state));
  const toggle = (state: ItemState): void =>
    onChange(itemStates.filter((each) => chosen.includes(each) !== (each === state)));
  return (
    <Toolbar aria-label={text.filter} className={classNames(layout.wrap4, styles.filter)}>
      <CountToggle count={items} words={text.all} isSelected={chosen.length === 0} onChange={() => onChange([])} />
      {offered.map((state) => (
        <CountToggle
          key={state}
          count={counts[state]}
          words={formatCounted(state, counts[state], kind)}
          mark={<span className={classNames(styles.square, styles[`fill-${state}`])} aria-hidden="true" />}
          isSelected={chosen.includes(state)}
          onChange={() => toggle(state)}
        />
      ))}
    </Toolbar>
  );
}

const icons: Readonly<Record<ItemState | 'active', LucideIcon>> = {
  mismatch: CircleX,
  forbidden: Ban,
  failed: TriangleAlert,
  refused: Ban,
  vanished: CircleX,
  unknown: CircleQuestionMark,
  'needs-md5': CircleQuestionMark,
  cancelled: CircleSlash,
  waiting: CircleDashed,
  done: CircleCheck,
  'already-here': CheckCheck,
  active: Loader,
};

/** The shape of an outcome; its word is beside it. */
export function OutcomeIcon({ state }: { state: ItemState | 'active' }) {
  const Icon = icons[state];
  return <Icon className={styles[`icon-${state}`] ?? ''} size={14} strokeWidth={1.6} aria-hidden="true" />;
}
