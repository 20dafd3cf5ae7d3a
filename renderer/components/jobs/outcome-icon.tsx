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
import type { ItemState } from '../../../shared/domain/job.ts';
import styles from './jobs.module.css';

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

/** The shape of an outcome; the word stands beside it. */
export function OutcomeIcon({ state }: { state: ItemState | 'active' }) {
  const Icon = icons[state];
  return <Icon className={styles[`icon-${state}`] ?? ''} size={14} strokeWidth={1.6} aria-hidden="true" />;
}
