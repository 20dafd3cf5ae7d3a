import { useState } from 'react';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import { isFinalJob, type Job, settledItems } from '../../../shared/domain/job.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import { useAction } from '../../bridge/use-action.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { endSentence } from '../../components/jobs/job-format.ts';
import { useJob, useNoteJob } from '../jobs.tsx';
import styles from './records.module.css';
import { text } from './text.ts';

const longestName = 32;

export interface AskForRecordsProps {
  selection: CaseSelection;
  /** Who is asked. */
  workspace: WorkspaceView;
}

/**
 * Asks for the records of samples that came without theirs, names who hears of them, and says how far that is: a job
 * that goes on where the person leaves.
 */
export function AskForRecords({ selection, workspace }: AskForRecordsProps) {
  const ask = useAction('library.readRecords');
  const noteJob = useNoteJob();
  const [begun, setBegun] = useState<number | null>(null);
  const job = useJob(begun);
  const isBusy = ask.isPending || (job !== null && !isFinalJob(job));
  const begin = (): void => {
    ask.mutate(
      { selection, workspaceId: workspace.id },
      {
        onSuccess: (made) => {
          noteJob(made);
          setBegun(made.id);
        },
      },
    );
  };
  if (workspace.repository === null) return null;
  return (
    <div className={styles.ask}>
      <Button size="small" isDisabled={isBusy} onPress={begin}>
        {text.ask(visibleText(cutMiddle(workspace.name, longestName)))}
      </Button>
      {job !== null && job.failure === null && (
        <span role="status" className={styles.progress}>
          {progressOf(job)}
        </span>
      )}
      {job !== null && job.failure !== null && <FailureNotice failure={job.failure} />}
      {ask.error && <FailureNotice failure={ask.error} onAgain={begin} />}
    </div>
  );
}

function progressOf(job: Job): string {
  if (isFinalJob(job)) return endSentence(job);
  return job.state === 'waiting' ? text.waits : text.progress(settledItems(job), job.items);
}
