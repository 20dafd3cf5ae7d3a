import type { Job } from '../../shared/domain/job.ts';
import { useToast } from '../components/toasts.tsx';
import { useNoteJob } from './jobs.tsx';
import { useNavigation } from './navigation.tsx';
import { text } from './strings.ts';

/** Says that a job does what was asked, and leads to it. */
export function useStartedJob(words: (job: number) => string): (job: Job) => void {
  const toast = useToast();
  const noteJob = useNoteJob();
  const { openJob } = useNavigation();
  return (job) => {
    noteJob(job);
    toast({ meaning: 'info', text: words(job.id), action: { text: text.showJob, act: () => openJob(job.id) } });
  };
}
