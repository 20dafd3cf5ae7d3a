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
import { isFinalJob, type Job, type JobKind } from '../../shared/domain/job.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import type { Failure } from '../../shared/failure-kinds.ts';
import { useBridge } from '../bridge/bridge-context.tsx';
import { useEvent, valueOf } from '../bridge/operations.ts';
import { newsOf } from '../components/jobs/job-format.ts';
import { useToast } from '../components/toasts.tsx';
import { useNavigation } from './navigation.tsx';
import { paced } from '../bridge/paced.ts';
import { text } from './strings.ts';

interface JobsAccess {
  store: JobsStore;
  /** Why the list could not be read. */
  failure: Failure | null;
  /** Ids of the jobs that a view shows now. */
  watched: Set<number>;
}

const JobsContext = createContext<JobsAccess | null>(null);

function useJobsAccess(): JobsAccess {
  const access = useContext(JobsContext);
  if (!access) throw new TypeError('the jobs outside of JobsProvider');
  return access;
}

export function useKnownJobs(): KnownJobs & { failure: Failure | null } {
  const { store, failure } = useJobsAccess();
  return { ...useSyncExternalStore(store.subscribe, store.snapshot), failure };
}

/** Those that are not over first, then the newest first. */
export function useJobs(): readonly Job[] {
  return useKnownJobs().all;
}

/** One job in its current state; null while it is not known, and when it was forgotten. */
export function useJob(id: number | null): Job | null {
  const { store } = useJobsAccess();
  const pick = (): Job | null => (id === null ? null : (store.snapshot().byId.get(id) ?? null));
  return useSyncExternalStore(store.subscribe, pick);
}

/** Takes in the answer of an operation, before the host reports it. The same function from drawing to drawing. */
export function useNoteJob(): (job: Job) => void {
  const { store } = useJobsAccess();
  return useCallback((job) => void (store.latest(job.id) === null && store.note(job)), [store]);
}

/** Notes that a view shows this job: its result is then read there, without a notification. */
export function useWatchedJob(id: number | null): void {
  const { watched } = useJobsAccess();
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
  const report = useJobNews(store, watched);
  useEvent('job.changed', (job) => {
    report(job);
    store.note(job);
  });
  useEvent('job.forgotten', ({ id }) => store.forget(id));
  const access = useMemo((): JobsAccess => ({ store, watched, failure: error }), [store, watched, error]);
  return <JobsContext value={access}>{children}</JobsContext>;
}

/** A job that ends or halts out of view would do so in silence. */
function useJobNews(store: JobsStore, watched: ReadonlySet<number>): (job: Job) => void {
  const toast = useToast();
  const { openJob } = useNavigation();
  return (job) => {
    const before = store.latest(job.id);
    const isNews = stopped(job) && (before === null || !stopped(before));
    if (!isNews || watched.has(job.id) || isReportedWithFiles(job)) return;
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
const isReportedWithFiles = ({ task, state, failure }: Job): boolean =>
  task.kind === 'scan' && task.isWatched === true && state === 'done' && failure === null;

const stopped = (job: Job): boolean => isFinalJob(job) || (job.state === 'paused' && job.failure !== null);

/** The jobs as they are drawn. */
interface KnownJobs {
  /** Those that are not over first, then the newest first. */
  all: readonly Job[];
  byId: ReadonlyMap<number, Job>;
  /** Whether the host has sent its list. */
  isKnown: boolean;
}

const drawnEveryMs = 250;
/** As many as the host lists. */
const kept = 500;

/**
 * Every job the host reports, in its current state. Reports come faster than a person can read: drawn at most four
 * times a second.
 */
export class JobsStore {
  readonly #jobs = new Map<number, Job>();
  /** When each job was last reported, by the count of reports: a list requested before that is older. */
  readonly #reportedAt = new Map<number, number>();
  readonly #listeners = new Set<() => void>();
  readonly #publish = paced(drawnEveryMs, () => this.#draw());
  #reported = 0;
  #isKnown = false;
  #shown: KnownJobs = { all: [], byId: new Map(), isKnown: false };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly snapshot = (): KnownJobs => this.#shown;

  /** The job as last reported, drawn or not. */
  latest(id: number): Job | null {
    return this.#jobs.get(id) ?? null;
  }

  note(job: Job): void {
    this.#report(job.id);
    this.#jobs.set(job.id, job);
    this.#publish();
  }

  forget(id: number): void {
    this.#report(id);
    this.#jobs.delete(id);
    this.#publish();
  }

  /**
   * Call it when a list is requested, and call its result with the answer: a report that came meanwhile is newer than
   * the list.
   */
  beginList(): (jobs: readonly Job[]) => void {
    const began = this.#reported;
    return (jobs) => {
      const isOlder = (id: number): boolean => (this.#reportedAt.get(id) ?? 0) <= began;
      for (const id of this.#jobs.keys()) if (isOlder(id)) this.#jobs.delete(id);
      for (const job of jobs) if (isOlder(job.id)) this.#jobs.set(job.id, job);
      this.#isKnown = true;
      this.#publish();
    };
  }

  #report(id: number): void {
    this.#reported += 1;
    this.#reportedAt.set(id, this.#reported);
  }

  #draw(): void {
    const all = [...this.#jobs.values()].toSorted(
      (one, other) => Number(isFinalJob(one)) - Number(isFinalJob(other)) || other.id - one.id,
    );
    for (const { id } of all.splice(kept)) this.#jobs.delete(id);
    this.#shown = { all, byId: new Map(all.map((job) => [job.id, job])), isKnown: this.#isKnown };
    for (const listener of this.#listeners) listener();
  }
}

interface ShownJob {
  job: Job | null;
  showJob(id: number): void;
  leaveJob(): void;
}

/**
 * The job that was begun in a view; else, after the page was loaded again, the newest of that kind in the workspace
 * that is not over. `workspaceId` null: none is looked for.
 */
export function useShownJob(kind: JobKind, workspaceId: string | null): ShownJob {
  const jobs = useJobs();
  const [id, showJob] = useState<number | null>(null);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const running =
    workspaceId === null
      ? undefined
      : jobs.find(
          (known) =>
            known.task.kind === kind && known.workspaceId === workspaceId && !isFinalJob(known) && !left.has(known.id),
        );
  // Kept from then on: its end is read where it was watched.
  if (id === null && running !== undefined) showJob(running.id);
  const leaveJob = useCallback(() => {
    // Those that run are in Activity: none of them comes back here by itself.
    setLeft(new Set(jobs.map((known) => known.id)));
    showJob(null);
  }, [jobs]);
  return { job: useJob(id), showJob, leaveJob };
}

/** Reports that a job does what was requested, and links to it. */
export function useStartedJob(words: (job: number) => string): (job: Job) => void {
  const toast = useToast();
  const noteJob = useNoteJob();
  const { openJob } = useNavigation();
  return (job) => {
    noteJob(job);
    toast({ meaning: 'info', text: words(job.id), action: { text: text.showJob, act: () => openJob(job.id) } });
  };
}

export const isRunning = ({ state }: Job): boolean => state === 'running' || state === 'waiting';
/** It waits for the person, wherever they are. */
export const isHalted = (job: Job): boolean => job.failure !== null && job.state === 'paused' && !isFinalJob(job);
