import type { RejectedRun } from '../../../shared/domain/hash-extraction.ts';
import type { Failure } from '../../../shared/failure.ts';
import { sentenceFor } from '../../../shared/failure-sentences.ts';
import { Notice } from '../../components/notice.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './lookup.module.css';
import { RejectedRuns } from './rejected-runs.tsx';

/**
 * Nothing was sent: the text holds no hash. Said once, where the text is; several runs that were not taken are listed.
 */
export function NoHash({ failure, rejected }: { failure: Failure; rejected: readonly RejectedRun[] }) {
  const { what, then } = sentenceFor(failure);
  const isListed = rejected.length > 1 || (rejected.length === 1 && failure.kind === 'no-hash');
  return (
    <div className={classNames(layout.stack12, layout.scroll, styles.body)} data-pane>
      {isListed ? (
        <RejectedRuns runs={rejected} isAlert />
      ) : (
        <Notice meaning="warn" title={what} isAlert>
          {then}
        </Notice>
      )}
    </div>
  );
}
