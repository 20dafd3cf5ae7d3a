import { ScanSearch } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isFinalJob, type Job, settledItems } from '../../../shared/domain/job.ts';
import { everyResult } from '../../../shared/domain/scan.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { cutMiddle, formatDuration, formatMinute, formatNumber } from '../../components/format.ts';
import { endSentence, formatJobState } from '../../components/jobs/job-format.ts';
import { SampleName } from '../../components/service-text.tsx';
import { TlpLabel } from '../../components/tlp-select.tsx';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { type JobActs, useJobActions } from '../../features/jobs/job-actions.tsx';
import { useScanPlaces } from '../../features/scans/scan-places.tsx';
import { useKeptFocus } from '../../keyboard/focus.ts';
import { useLetterButtons } from '../../keyboard/view-keys.ts';
import { useJob, useWatchedJob } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import { ScanHeadActions } from './results/head-actions.tsx';
import { ScanResults } from './results/scan-results.tsx';
import styles from './scan.module.css';
import { StartPane } from './start/start-pane.tsx';

/** Files and samples before the rules: what is to be scanned next, or what a scan or a hunt found. */
export function ScanView() {
  const { current } = useWorkspaces();
  const { shownScan, openScan } = useNavigation();
  const known = useJob(shownScan?.jobId ?? null);
  const view = useRef<HTMLDivElement>(null);
  const onLetter = useLetterButtons(view);
  const places = useScanPlaces();
  useKeptFocus(view);
  // The file that was asked for, once: what is chosen afterwards stays.
  useEffect(() => {
    if (shownScan === null || shownScan.position === null) return;
    places.note(shownScan.jobId, {
      by: 'file',
      find: '',
      show: 'all',
      narrowing: null,
      position: shownScan.position,
      isSettled: true,
      listedBy: everyResult,
    });
    openScan(shownScan.jobId);
  }, [shownScan, openScan, places]);
  if (current === null) return null;
  // Results belong to the workspace they were made in; one that was removed leads back to the start.
  const job =
    known?.workspaceId === current.id && (known.task.kind === 'scan' || known.task.kind === 'hunt') ? known : null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={layout.view} onKeyDown={onLetter}>
      {job === null ? <StartPane key={current.id} workspace={current} /> : <ShownJob key={job.id} job={job} />}
    </div>
  );
}

/** A job has one set of actions: the failure of one that was pressed in the head is shown with the results. */
function ShownJob({ job }: { job: Job }) {
  useWatchedJob(job.id);
  const acts = useJobActions(job.id);
  return (
    <>
      <JobHead job={job} acts={acts} />
      <ScanResults job={job} acts={acts} />
    </>
  );
}

const files = (count: number): string => (count === 1 ? '1 file' : `${count.toLocaleString('en')} files`);
const samples = (count: number): string => (count === 1 ? '1 sample' : `${count.toLocaleString('en')} samples`);
const rules = (count: number): string => (count === 1 ? '1 rule' : `${count.toLocaleString('en')} rules`);

/** English of the head of the scan. */
export const text = {
  title: 'Scan',
  files,
  hunt: (count: number) => `Hunt, ${samples(count)}`,
  of: (settled: string, items: string) => `${settled} of ${items}`,
  left: (time: string) => `${time} left`,
  ended: (time: string) => `ended ${time}`,
  bytes: (count: string) => `${count} bytes`,
  byRules: (count: number, version: string | null) =>
    version === null ? rules(count) : `${rules(count)} from ${version}`,
  byPackage: (version: string) => `package ${version}`,
  newScan: 'New scan',
} as const;

const longestVersion = 28;

/** The scanned files, and the scan's state. */
export function JobHead({ job, acts }: { job: Job; acts: JobActs }) {
  const { openScan } = useNavigation();
  const isOne = job.task.kind === 'scan' && job.items === 1;
  const { data: file } = useOperation('scans.file', { jobId: job.id, position: 1 }, { enabled: isOne });
  const state = stateOf(job, isOne ? (file?.sizeBytes ?? null) : null);
  return (
    <ViewHead title={text.title} isLanding wrapsBelow={1300}>
      <span className={classNames(typography.cut, styles.name)}>
        <JobName job={job} />
      </span>
      {isOne && file !== undefined && file.tlp !== null && <TlpLabel level={file.tlp} />}
      <ViewLine role="status" title={state}>
        {state}
      </ViewLine>
      <ScanHeadActions job={job} acts={acts} />
      {/* Behind what changes when the job ends: a press must not land beside it. */}
      <Button look="quiet" onPress={() => openScan(null)}>
        <ScanSearch size={14} strokeWidth={1.6} aria-hidden="true" />
        {text.newScan}
      </Button>
    </ViewHead>
  );
}

function JobName({ job: { task, items } }: { job: Job }) {
  if (task.kind === 'hunt') return text.hunt(items);
  return task.kind === 'scan' && task.name !== null ? <SampleName name={task.name} /> : text.files(items);
}

/** How big it is or with what it was scanned, and how far that is or when it ended. */
function stateOf(job: Job, sizeBytes: number | null): string {
  const size = sizeBytes === null ? [] : [text.bytes(formatNumber(sizeBytes))];
  // The scan of a single file is shown below, with its hits.
  const isReported = job.items === 1 && job.task.kind === 'scan' && isFinalJob(job) && job.counts.done === 1;
  return [...size, ...(isReported ? endOf(job) : [...progressOf(job), ...rulesOf(job)])].join(', ');
}

const endOf = ({ ended }: Job): string[] => (ended === null ? [] : [text.ended(formatMinute(new Date(ended)))]);

function progressOf(job: Job): string[] {
  if (isFinalJob(job)) return [endSentence(job), ...endOf(job)];
  const { secondsLeft } = job;
  return [
    `${formatJobState(job)}: ${text.of(formatNumber(settledItems(job)), formatNumber(job.items))}`,
    ...(secondsLeft === null ? [] : [text.left(formatDuration(secondsLeft))]),
  ];
}

function rulesOf({ task }: Job): string[] {
  if (task.kind === 'hunt') return [text.byRules(task.rules, shortVersion(task.package.version))];
  const version = task.kind === 'scan' ? shortVersion(task.package?.version ?? null) : null;
  return version === null ? [] : [text.byPackage(version)];
}

const shortVersion = (version: string | null): string | null =>
  version === null ? null : visibleText(cutMiddle(version, longestVersion));
