import type { Failure } from '../../../shared/failure.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { Notice } from '../../components/notice.tsx';
import styles from './lookup.module.css';
import { RejectedRuns } from './rejected-runs.tsx';

/** Nothing was sent: the text holds no hash. Said once, where the text is; several wrong runs are told together. */
export function NoHash({ failure, rejected }: { failure: Failure; rejected: readonly number[] }) {
  const { what, then } = sentenceFor(failure);
  return (
    <div className={styles.body} data-pane>
      {rejected.length > 1 ? <RejectedRuns lengths={rejected} isAlert /> : <Notice meaning="warn" title={what} isAlert>{then}</Notice>}
    </div>
  );
}
