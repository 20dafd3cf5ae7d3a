import type { Failure } from '../../../shared/failure.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { Notice } from '../../components/notice.tsx';
import styles from './lookup.module.css';
import { RejectedRuns } from './rejected-runs.tsx';

/** Nothing was sent: the text holds no hash. Said where the text is. */
export function NoHash({ failure, rejected }: { failure: Failure; rejected: readonly number[] }) {
  const { what, then } = sentenceFor(failure);
  return (
    <div className={styles.body}>
      <Notice meaning="warn" title={what} isAlert>{then}</Notice>
      {rejected.length > 1 && <RejectedRuns lengths={rejected} />}
    </div>
  );
}
