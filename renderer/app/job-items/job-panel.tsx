import { useDeferredValue, useMemo } from 'react';
import { type ItemFilter, type Job, listsItems } from '../../../shared/domain/job.ts';
import { noRows } from '../../components/data-grid/row-selection.ts';
import { JobProgress } from '../../components/jobs/job-progress.tsx';
import { OutcomeFilter } from '../../components/jobs/outcome-filter.tsx';
import { ThroughputLine } from '../../components/jobs/throughput-line.tsx';
import { MissingRecords } from '../records/missing-records.tsx';
import type { JobActs } from '../use-job-actions.ts';
import { CountedPanel } from './counted-panel.tsx';
import { FindField } from './find-field.tsx';
import { ItemsFooter } from './items-footer.tsx';
import { JobItemsTable } from './job-items-table.tsx';
import styles from './job-items.module.css';
import { JobTold } from './job-told.tsx';
import { usePanelPlace } from './panel-places.tsx';
import { type ItemQuestion, useItemWindows } from './use-item-windows.ts';

const everything: ItemFilter = { states: [], find: '' };

export interface JobPanelProps {
  job: Job;
  acts: JobActs;
}

/** One job: what halted it, how far it is, its counts, its items and what can be done with them. Fills what it is put in. */
export function JobPanel({ job, acts }: JobPanelProps) {
  return listsItems(job) ? <PanelOfJob key={job.id} job={job} acts={acts} /> : <CountedPanel job={job} acts={acts} />;
}

function PanelOfJob({ job, acts }: JobPanelProps) {
  const [place, notePlace] = usePanelPlace(job.id);
  const { filter, sort, selection } = place;
  const question = useMemo((): ItemQuestion => ({ id: job.id, filter, sort }), [job.id, filter, sort]);
  const windows = useItemWindows(question);
  // The table comes after the frame around it: both in one go take longer than the page may stand still.
  const drawsTable = useDeferredValue(true, false);
  // Several times a second while it runs: its rows need not be drawn with its counts.
  const tableJob = useDeferredValue(job);
  const total = windows.total ?? place.grid.spot.count;
  /** What is ticked is meant among what is seen: another filter begins with nothing. */
  const narrow = (change: Partial<ItemFilter>): void => notePlace({ ...place, filter: { ...filter, ...change }, selection: noRows });
  return (
    <div className={styles.panel}>
      <JobTold job={job} acts={acts} />
      <MissingRecords job={job} />
      <div className={styles.summary}>
        <JobProgress job={job} />
        <ThroughputLine job={job} />
      </div>
      <div className={styles.narrowing}>
        <OutcomeFilter kind={job.task.kind} counts={job.counts} items={job.items} chosen={filter.states} onChange={(states) => narrow({ states })} />
        <FindField value={filter.find} onChange={(find) => narrow({ find })} />
      </div>
      {drawsTable
        ? (
          <JobItemsTable
            job={tableJob}
            question={question}
            windows={{ ...windows, total }}
            selection={selection}
            memory={place.grid}
            onSelect={(next) => notePlace({ ...place, selection: next })}
            onSort={(by) => notePlace({ ...place, sort: by })}
            onShowAll={() => narrow(everything)}
          />
        )
        : <div className={styles.tableToCome} />}
      <ItemsFooter job={job} acts={acts} question={question} total={total ?? 0} selection={selection} />
    </div>
  );
}
