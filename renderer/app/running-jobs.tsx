import {
  Archive,
  Download,
  FileArchive,
  FilePlus,
  FileText,
  type LucideIcon,
  PackageOpen,
  ScanSearch,
  ShieldCheck,
  Tags,
  TriangleAlert,
  Upload,
} from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { isFinalJob, type Job, type JobKind } from '../../shared/domain/job.ts';
import { useOperation } from '../bridge/use-operation.ts';
import { durationWords, numberWords } from '../components/format.ts';
import { jobShare } from '../components/jobs/job-format.ts';
import { classNames } from '../styles/class-names.ts';
import styles from './command-bar.module.css';
import { useJobs } from './jobs.tsx';
import { useNavigation } from './navigation.tsx';
import { text } from './text.ts';
import { useWorkspaces } from './use-workspaces.ts';

const runs = ({ state }: Job): boolean => state === 'running' || state === 'waiting';
/** It waits for the person, wherever they are. */
const isHalted = (job: Job): boolean => job.failure !== null && job.state === 'paused' && !isFinalJob(job);

const icons: Record<JobKind, LucideIcon> = {
  'bulk-download': Download,
  export: FileArchive,
  upload: Upload,
  scan: ScanSearch,
  hunt: ScanSearch,
  'vault-check': ShieldCheck,
  'library-add': FilePlus,
  'library-change': Tags,
  'case-export': FileText,
  bundle: PackageOpen,
  'bundle-import': PackageOpen,
  backup: Archive,
};

/** How many jobs run, how far the newest is, which stand still by themselves, and the way to each. */
export function RunningJobs() {
  const jobs = useJobs();
  return (
    <>
      <Halted jobs={jobs.filter(isHalted)} />
      <Running jobs={jobs.filter(runs)} />
    </>
  );
}

function Halted({ jobs }: { jobs: readonly Job[] }) {
  const { openJob } = useNavigation();
  const [newest] = jobs;
  if (!newest) return null;
  return (
    <Button className={classNames(styles.running, styles.halted)} onPress={() => openJob(newest.id)} data-figures>
      <TriangleAlert size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={styles.count}>{text.halted(jobs.length)}</span>
    </Button>
  );
}

function Running({ jobs }: { jobs: readonly Job[] }) {
  const { openJob } = useNavigation();
  const [newest] = jobs;
  if (!newest) return null;
  const share = jobShare(newest);
  const Icon = icons[newest.task.kind];
  return (
    <Button className={styles.running ?? ''} onPress={() => openJob(newest.id)} data-figures>
      <Icon size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={styles.count}>{text.jobs(jobs.length)}</span>
      {jobs.length === 1 && (
        <span>
          {share !== null && text.percent(share)}
          {newest.secondsLeft !== null && `, ${text.left(durationWords(newest.secondsLeft))}`}
        </span>
      )}
    </Button>
  );
}

/** How a room of the rail stands. */
export type RoomState = { kind: 'halted' } | { kind: 'figure'; shown: string; spoken: string };

/** How the newest bulk download that is not over stands; null when there is none. */
export function useBulkState(): RoomState | null {
  const bulk = useJobs().filter(({ task }) => task.kind === 'bulk-download');
  if (bulk.some(isHalted)) return { kind: 'halted' };
  const job = bulk.find(runs);
  const share = job === undefined ? null : jobShare(job);
  return share === null ? null : { kind: 'figure', shown: text.percent(share), spoken: text.percent(share) };
}

/** How many files are in the draft of this workspace; an upload that halted comes first. */
export function useUploadState(): RoomState | null {
  const jobs = useJobs();
  const { current } = useWorkspaces();
  const { data } = useOperation('uploads.draft', { workspaceId: current?.id ?? '' }, { enabled: current !== null });
  if (jobs.some((job) => job.task.kind === 'upload' && isHalted(job))) return { kind: 'halted' };
  return data === undefined || data.files === 0
    ? null
    : { kind: 'figure', shown: numberWords(data.files), spoken: text.inDraft(data.files) };
}

/** How many scans and hunts run, whichever workspace they are of; one that halted comes first. */
export function useScanState(): RoomState | null {
  const scans = useJobs().filter(({ task }) => task.kind === 'scan' || task.kind === 'hunt');
  if (scans.some(isHalted)) return { kind: 'halted' };
  const running = scans.filter(runs).length;
  return running === 0 ? null : { kind: 'figure', shown: numberWords(running), spoken: text.scansRunning(running) };
}
