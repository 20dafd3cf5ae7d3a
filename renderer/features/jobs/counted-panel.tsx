import { RotateCcw } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { JobProgress } from '../../components/jobs/job-progress.tsx';
import type { JobPanelProps } from './job-panel.tsx';
import styles from './job-items.module.css';
import { JobTold } from './job-told.tsx';
import { text } from './text.ts';

/** A job whose items are counted and not listed. What was cancelled of it can be gone on with. */
export function CountedPanel({ job, acts }: JobPanelProps) {
  const { cancelled } = job.counts;
  return (
    <div className={styles.panel}>
      <JobTold job={job} acts={acts} />
      <div className={styles.summary}>
        <JobProgress job={job} />
        {cancelled > 0 && (
          <div className={styles.actions}>
            <Button letter="R" onPress={() => acts.retry(['cancelled'])}>
              <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
              {text.goOn(cancelled)}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}
