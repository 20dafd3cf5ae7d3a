import { useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { isFinalJob, type Job } from '../../shared/domain/job.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import type { Failure } from '../../shared/failure.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { useEvent } from '../bridge/use-event.ts';
import { valueOf } from '../bridge/value-of.ts';
import { newsOf } from '../components/jobs/job-format.ts';
import { useToast } from '../components/toasts.tsx';
import { JobsStore, type KnownJobs } from './jobs-store.ts';
import { useNavigation } from './navigation.tsx';
import { text } from './text.ts';

interface JobsDesk {
  store: JobsStore;
  /** Why the list could not be read. */
  failure: Failure | null;
  /** Ids of the jobs that a view shows now. */
  watched: Set<number>;
}

const JobsContext = createContext<JobsDesk | null>(null);

function useJobsDesk(): JobsDesk {
  const desk = useContext(JobsContext);
  if (!desk) throw new TypeError('the jobs outside of JobsProvider');
  return desk;
}

export function useKnownJobs(): KnownJobs & { failure: Failure | null } {
  const { store, failure } = useJobsDesk();
  return { ...useSyncExternalStore(store.subscribe, store.snapshot), failure };
}

/** Those that are not over first, then the newest first. */
export function useJobs(): readonly Job[] {
  return useKnownJobs().all;
}

/** One job as it stands; null while it is not known, and when it was forgotten. */
export function useJob(id: number | null): Job | null {
  const { store } = useJobsDesk();
  const pick = (): Job | null => (id === null ? null : (store.snapshot().byId.get(id) ?? null));
  return useSyncExternalStore(store.subscribe, pick);
}

/** Takes in what an operation answered, before the host tells of it. The same function from drawing to drawing. */
export function useNoteJob(): (job: Job) => void {
  const { store } = useJobsDesk();
  return useCallback((job) => void (store.latest(job.id) === null && store.note(job)), [store]);
}

/** Says that a view shows this job: what it comes to is then read there and not told beside it. */
export function useWatchedJob(id: number | null): void {
  const { watched } = useJobsDesk();
  useEffect(() => {
    if (id === null) return undefined;
    watched.add(id);
    return () => void watched.delete(id);
  }, [id, watched]);
}

export function JobsProvider({ children }: { children: ReactNode }) {
  const bridge = useBridge();
  const [store] = useState(() => new JobsStore());
  const [watched] = useState(() => new Set<number>());
  // Asked once, and again when the connection to the host was lost.
  const { error } = useQuery<null, Failure>({
    queryKey: ['jobs.list', {}],
    queryFn: async () => {
      const takeIn = store.beginList();
      takeIn((await valueOf(bridge.call('jobs.list', {}))).jobs);
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const tell = useJobNews(store, watched);
  useEvent('job.changed', (job) => {
    tell(job);
    store.note(job);
  });
  useEvent('job.forgotten', ({ id }) => store.forget(id));
  const desk = useMemo((): JobsDesk => ({ store, watched, failure: error }), [store, watched, error]);
  return <JobsContext value={desk}>{children}</JobsContext>;
}

/** A job that ends or halts where nobody looks would do so in silence. */
function useJobNews(store: JobsStore, watched: ReadonlySet<number>): (job: Job) => void {
  const toast = useToast();
  const { openJob } = useNavigation();
  return (job) => {
    const before = store.latest(job.id);
    const isNews = stopped(job) && (before === null || !stopped(before));
    if (!isNews || watched.has(job.id) || isToldWithFiles(job)) return;
    if (job.failure !== null && !isFinalJob(job))
      toast({
        meaning: 'bad',
        text: visibleText(newsOf(job)),
        action: { text: text.showJob, act: () => openJob(job.id) },
      });
    else
      toast({
        meaning: job.counts.done + job.counts['already-here'] === job.items ? 'ok' : 'info',
        text: visibleText(newsOf(job)),
      });
  };
}

/** The scan of what came into the watched folder. */
const isToldWithFiles = ({ task, state, failure }: Job): boolean =>
  task.kind === 'scan' && task.isWatched === true && state === 'done' && failure === null;

const stopped = (job: Job): boolean => isFinalJob(job) || (job.state === 'paused' && job.failure !== null);
