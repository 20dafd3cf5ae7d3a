import { ScanSearch } from 'lucide-react';
import type { Job } from '../../../shared/domain/job.ts';
import { isFinalJob, settledItems } from '../../../shared/domain/job.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useNavigation } from '../../app/navigation.tsx';
import type { JobActs } from '../../app/use-job-actions.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { durationWords, numberWords } from '../../components/byte-words.ts';
import { endSentence, jobStateWords } from '../../components/jobs/job-words.ts';
import { cutMiddle } from '../../components/middle-cut.ts';
import { SampleName } from '../../components/sample-name.tsx';
import { TlpLabel } from '../../components/tlp-label.tsx';
import { minuteWords } from '../../components/utc-time.ts';
import { ViewHead, ViewLine } from '../../components/view-head.tsx';
import { classNames } from '../../styles/class-names.ts';
import typography from '../../styles/typography.module.css';
import { ScanHeadActions } from './results/head-actions.tsx';
import styles from './scan.module.css';
import { text } from './text.ts';

const longestName = 48;
const longestVersion = 28;

/** What was scanned and how that stands. */
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
  return task.kind === 'scan' && task.name !== null ? (
    <SampleName name={task.name} longest={longestName} />
  ) : (
    text.files(items)
  );
}

/** How big it is or with what it was scanned, and how far that is or when it ended. */
function stateOf(job: Job, sizeBytes: number | null): string {
  const size = sizeBytes === null ? [] : [text.bytes(numberWords(sizeBytes))];
  // That the one file was scanned stands below, with what was found in it.
  const isTold = job.items === 1 && job.task.kind === 'scan' && isFinalJob(job) && job.counts.done === 1;
  return [...size, ...(isTold ? endOf(job) : [...progressOf(job), ...rulesOf(job)])].join(', ');
}

const endOf = ({ ended }: Job): string[] => (ended === null ? [] : [text.ended(minuteWords(new Date(ended)))]);

function progressOf(job: Job): string[] {
  if (isFinalJob(job)) return [endSentence(job), ...endOf(job)];
  const { secondsLeft } = job;
  return [
    `${jobStateWords(job)}: ${text.of(numberWords(settledItems(job)), numberWords(job.items))}`,
    ...(secondsLeft === null ? [] : [text.left(durationWords(secondsLeft))]),
  ];
}

function rulesOf({ task }: Job): string[] {
  if (task.kind === 'hunt') return [text.byRules(task.rules, shortVersion(task.package.version))];
  const version = task.kind === 'scan' ? shortVersion(task.package?.version ?? null) : null;
  return version === null ? [] : [text.byPackage(version)];
}

const shortVersion = (version: string | null): string | null =>
  version === null ? null : visibleText(cutMiddle(version, longestVersion));
