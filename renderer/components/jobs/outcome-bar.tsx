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
import { type ItemState, itemStates, type Job, type JobKind } from '../../../shared/domain/job.ts';
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
  active: number;
  size?: 'normal' | 'tiny';
}

/** From what went well to what did not, then what is under way; the track is what waits. */
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

/** How far a job is, split by outcome. */
export function OutcomeBar({ kind, counts, items, active, size = 'normal' }: OutcomeBarProps) {
  const parts = [
    ...order.map((state) => ({ name: state, count: counts[state] })),
    { name: 'active', count: Math.min(active, counts.waiting) } as const,
  ];
  const shown = parts.filter(({ count }) => count > 0);
  const waiting = items - shown.reduce((sum, { count }) => sum + count, 0);
  const words = shown.map(
    ({ name, count }) =>
      `${formatNumber(count)} ${name === 'active' ? text.underWay : formatCounted(name, count, kind)}`,
  );
  return (
    <div
      role="img"
      aria-label={[...words, ...(waiting > 0 ? [text.waitingOf(waiting)] : [])].join(', ')}
      className={classNames(styles.bar, size === 'tiny' && styles.tiny)}
    >
      {shown.map(({ name, count }) => (
        <span key={name} className={classNames(styles.part, styles[`fill-${name}`])} style={{ flexGrow: count }} />
      ))}
      {waiting > 0 && <span style={{ flexGrow: waiting }} />}
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
