import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import type { StorageState } from '../../../../shared/domain/storage.ts';
import { useJobs, useNoteJob, useWatchedJob } from '../../../app/jobs.tsx';
import { useNavigation } from '../../../app/navigation.tsx';
import { useAction } from '../../../bridge/use-action.ts';
import { Button } from '../../../components/button.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import settings from '../settings.module.css';
import { RunningJob } from './running-job.tsx';
import { text } from './text.ts';

/** The check that runs, and what the last one found. */
export function VaultCheck({ lastCheck, isEmpty }: { lastCheck: StorageState['lastCheck']; isEmpty: boolean }) {
  const note = useNoteJob();
  // Those that are not over come first, then the newest.
  const latest = useJobs().find((job) => job.task.kind === 'vault-check') ?? null;
  const running = latest !== null && !isFinalJob(latest) ? latest : null;
  const { mutate, isPending, error } = useAction('storage.check');
  const start = (): void => mutate({}, { onSuccess: note });
  useWatchedJob(running?.id ?? null);
  return (
    <section className={classNames(layout.stack8, settings.group)} aria-labelledby="vault-check">
      <h3 id="vault-check" className={settings.groupTitle}>
        {text.check}
      </h3>
      <p className={typography.sentence}>{text.checkSentence}</p>
      {running === null ? (
        <LastCheck lastCheck={lastCheck} job={latest} />
      ) : (
        <RunningJob job={running} label={text.showJob} />
      )}
      <div>
        <Button isDisabled={isEmpty} isPending={isPending || running !== null} onPress={start}>
          {text.startCheck}
        </Button>
      </div>
      {error && <FailureNotice failure={error} retry={{ name: 'storage.check', input: {} }} onRetry={start} />}
    </section>
  );
}

function LastCheck({ lastCheck, job }: { lastCheck: StorageState['lastCheck']; job: Job | null }) {
  const { openJob } = useNavigation();
  if (lastCheck === null)
    return (
      <p className={classNames(layout.wrapRow, typography.sentence)} role="status">
        {text.noCheck}
      </p>
    );
  const { ended, samples, missing, altered } = lastCheck;
  const isSound = missing + altered === 0;
  return (
    <div className={classNames(layout.wrapRow, typography.sentence)} role="status">
      <span>
        {text.lastCheck} <TimeText sent={ended} />:{' '}
        {isSound ? text.allSound(samples) : <strong>{text.notSound(missing, altered)}</strong>}
      </span>
      {!isSound && job !== null && (
        <Button size="small" onPress={() => openJob(job.id)}>
          {text.showDamaged}
        </Button>
      )}
    </div>
  );
}
