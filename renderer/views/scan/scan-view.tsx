import { useEffect, useRef } from 'react';
import type { Job } from '../../../shared/domain/job.ts';
import { everyResult } from '../../../shared/domain/scan.ts';
import { useJob, useWatchedJob } from '../../app/jobs.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useScanPlaces } from '../../app/scans/scan-places.tsx';
import { useJobActions } from '../../app/use-job-actions.ts';
import { useKeptFocus } from '../../app/use-kept-focus.ts';
import { useLetterButtons } from '../../app/use-letter-buttons.ts';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import layout from '../../styles/layout.module.css';
import { JobHead } from './job-head.tsx';
import { ScanResults } from './results/scan-results.tsx';
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

/** A job has one set of actions: why one that was pressed in the head was not done is told with the results. */
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
