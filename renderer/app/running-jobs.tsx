import { Download } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import type { Job } from '../../shared/domain/job.ts';
import { durationWords } from '../components/byte-words.ts';
import { jobShare } from '../components/jobs/job-words.ts';
import styles from './command-bar.module.css';
import { useJobs } from './jobs.tsx';
import { useNavigation } from './navigation.tsx';
import { text } from './text.ts';

const runs = ({ state }: Job): boolean => state === 'running' || state === 'waiting';

/** How many jobs run, how far the newest is, and the way to it. */
export function RunningJobs() {
  const running = useJobs().filter(runs);
  const { openJob } = useNavigation();
  const [newest] = running;
  if (!newest) return null;
  const share = jobShare(newest);
  return (
    <Button className={styles.running ?? ''} onPress={() => openJob(newest.id)} data-figures>
      <Download size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={styles.count}>{text.jobs(running.length)}</span>
      {running.length === 1 && (
        <span>
          {share !== null && text.percent(share)}
          {newest.secondsLeft !== null && `, ${text.left(durationWords(newest.secondsLeft))}`}
        </span>
      )}
    </Button>
  );
}

/** How far the newest running bulk download is; null when none runs. */
export function useBulkShare(): string | null {
  const job = useJobs().find((each) => each.task.kind === 'bulk-download' && runs(each));
  const share = job === undefined ? null : jobShare(job);
  return share === null ? null : text.percent(share);
}
