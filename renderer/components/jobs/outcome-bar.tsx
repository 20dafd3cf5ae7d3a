import type { ItemState, Job, JobKind } from '../../../shared/domain/job.ts';
import { classNames } from '../../styles/class-names.ts';
import { numberWords } from '../byte-words.ts';
import styles from './jobs.module.css';
import { countedWords } from './outcome-words.ts';
import { text } from './text.ts';

export interface OutcomeBarProps {
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
    ({ name, count }) => `${numberWords(count)} ${name === 'active' ? text.underWay : countedWords(name, count, kind)}`,
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
