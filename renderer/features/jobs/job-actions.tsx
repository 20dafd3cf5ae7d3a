import { Pause, Play, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { isFinalJob, type Job } from '../../../shared/domain/job.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { text } from '../../state/strings.ts';
import type { JobActs } from './use-job-actions.ts';

const icon = { size: 14, strokeWidth: 1.6, 'aria-hidden': true } as const;

/** What can be done with a job as a whole, at the head of a view. */
export function JobActions({ job, acts }: { job: Job; acts: JobActs }) {
  if (isFinalJob(job)) return <ForgetJob job={job} acts={acts} />;
  // What halted a job says so above its items, and how it goes on.
  const isHalted = job.state === 'paused' && job.failure !== null;
  const isPaused = job.state === 'paused';
  return (
    <>
      {/* One button: whoever pauses by the keyboard can resume with the next press. */}
      {!isHalted && (
        <Button look={isPaused ? 'primary' : 'default'} onPress={isPaused ? acts.resume : acts.pause}>
          {isPaused ? <Play {...icon} /> : <Pause {...icon} />}
          {isPaused ? text.resume : text.pause}
        </Button>
      )}
      <Button onPress={acts.cancel}>
        <X {...icon} />
        {text.cancelJob}
      </Button>
    </>
  );
}

/** Its list of outcomes cannot be brought back, so it asks. */
function ForgetJob({ job, acts }: { job: Job; acts: JobActs }) {
  const [asks, setAsks] = useState(false);
  const close = (): void => setAsks(false);
  const forget = (): void => {
    close();
    acts.forget();
  };
  return (
    <>
      <Button look="quiet" onPress={() => setAsks(true)}>
        <Trash2 {...icon} />
        {text.forget}
      </Button>
      {asks && (
        <Dialog
          title={text.forgetTitle(job.id)}
          isOpen
          onClose={close}
          actions={
            <>
              <Button onPress={close} takesFocus>
                {text.keepJob}
              </Button>
              <Button look="danger" onPress={forget}>
                {text.forgetJob}
              </Button>
            </>
          }
        >
          <p>{text.forgetSentence}</p>
        </Dialog>
      )}
    </>
  );
}
