import { FileSearch } from 'lucide-react';
import { type KeyboardEvent, useRef } from 'react';
import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import { JobTold } from '../../../app/job-items/job-told.tsx';
import { useScanPlace } from '../../../app/scans/scan-places.tsx';
import type { JobActs } from '../../../app/use-job-actions.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ReadFailure } from '../../../components/read-failure.tsx';
import { JobProgress } from '../../../components/jobs/job-progress.tsx';
import { lacking } from '../../../components/jobs/job-words.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { FileBody } from './file-body.tsx';
import { FileSide } from './file-side.tsx';
import { ResultsList } from './results-list.tsx';
import styles from './results.module.css';
import { GroupBody } from './group-body.tsx';
import { text } from './text.ts';
import { useFreshScan } from './use-fresh-scan.ts';
import { useShownFile, useShownPosition } from './use-shown-file.ts';

/**
 * The results of a scan or a hunt, as they come: which files or rules, and what matched where. Fills what it is put in.
 */
export function ScanResults({ job, acts }: { job: Job; acts: JobActs }) {
  useFreshScan(job);
  const view = useRef<HTMLDivElement>(null);
  const [place] = useScanPlace(job.id);
  const position = useShownPosition(job);
  const { shown, error } = useShownFile(job.id, position);
  const toBytes = (): void => focusFirst(view.current, ['[data-bytes] [role=grid]']);
  const toFile = (): void =>
    focusFirst(view.current, ['[data-hits] [data-index][tabindex="0"]', '[data-bytes] [role=grid]']);
  const toList = (): void => focusFirst(view.current, ['[data-results] [role=grid] [tabindex="0"]']);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) goBack(view.current, event.target);
  };
  const isMany = job.items !== 1;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- listens to the keys of what is inside
    <div ref={view} className={classNames(layout.view, styles.results)} onKeyDown={onKeyDown}>
      <JobTold job={job} acts={acts} />
      {(!isFinalJob(job) || (isMany && lacking(job) > 0)) && (
        <div className={classNames(layout.top, styles.progress)}>
          <JobProgress job={job} />
        </div>
      )}
      <div className={classNames(layout.panes, styles.panes)}>
        <div className={classNames(layout.pane, styles.side)}>
          {isMany && <ResultsList job={job} toFile={toFile} toList={toList} />}
          {place.by === 'file' && shown !== null && <FileSide job={job} shown={shown} onOpen={toBytes} />}
        </div>
        <div className={classNames(layout.stack, styles.body)}>
          {place.by !== 'file' && <GroupBody job={job} toList={toList} />}
          {place.by === 'file' && error !== null && (
            <div className={classNames(layout.stack8, layout.inset, layout.fixed)}>
              <ReadFailure failure={error} of="scans.file" />
            </div>
          )}
          {place.by === 'file' && shown !== null && <FileBody job={job} shown={shown} toBytes={toBytes} />}
          {place.by === 'file' && position === null && (
            <EmptyState
              icon={<FileSearch size={20} strokeWidth={1.6} />}
              title={text.noChoice}
              sentence={text.noChoiceSentence}
            />
          )}
        </div>
      </div>
    </div>
  );
}

/** From the bytes to the list of rules, from there to the list of files. */
function goBack(view: HTMLElement | null, target: EventTarget): void {
  if (!(target instanceof HTMLElement) || view?.contains(target) !== true) return;
  if (target.closest('[data-bytes], [data-matches]') !== null)
    focusFirst(view, ['[data-hits] [data-index][tabindex="0"]', '[data-results] [role=grid] [tabindex="0"]']);
  else if (target.closest('[data-file], [data-group]') !== null)
    focusFirst(view, ['[data-results] [role=grid] [tabindex="0"]']);
}

function focusFirst(view: HTMLElement | null, selectors: readonly string[]): void {
  for (const selector of selectors) {
    const target = view?.querySelector<HTMLElement>(selector);
    if (target) return target.focus();
  }
}
