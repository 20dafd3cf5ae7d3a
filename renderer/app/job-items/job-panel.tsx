import { useMemo, useState } from 'react';
import type { ItemFilter, ItemSort, Job } from '../../../shared/domain/job.ts';
import { noRows, type RowSelection } from '../../components/data-grid/row-selection.ts';
import { JobProgress } from '../../components/jobs/job-progress.tsx';
import { OutcomeFilter } from '../../components/jobs/outcome-filter.tsx';
import { ThroughputLine } from '../../components/jobs/throughput-line.tsx';
import type { JobActs } from '../use-job-actions.ts';
import { FindField } from './find-field.tsx';
import { ItemsFooter } from './items-footer.tsx';
import { JobItemsTable } from './job-items-table.tsx';
import styles from './job-items.module.css';
import { JobTold } from './job-told.tsx';
import { type ItemQuestion, useItemWindows } from './use-item-windows.ts';

const everything: ItemFilter = { states: [], find: '' };
/** What went wrong is listed first. */
const wrongFirst: ItemSort = { column: 'state', descending: false };

export interface JobPanelProps {
  job: Job;
  acts: JobActs;
}

/** One job: what halted it, how far it is, its counts, its items and what can be done with them. Fills what it is put in. */
export function JobPanel({ job, acts }: JobPanelProps) {
  return <PanelOfJob key={job.id} job={job} acts={acts} />;
}

function PanelOfJob({ job, acts }: JobPanelProps) {
  const [filter, setFilter] = useState(everything);
  const [sort, setSort] = useState(wrongFirst);
  const [selection, setSelection] = useState<RowSelection<number>>(noRows);
  const question = useMemo((): ItemQuestion => ({ id: job.id, filter, sort }), [job.id, filter, sort]);
  const windows = useItemWindows(question);
  /** What is ticked is meant among what is seen: another filter begins with nothing. */
  const narrow = (change: Partial<ItemFilter>): void => {
    setFilter({ ...filter, ...change });
    setSelection(noRows);
  };
  return (
    <div className={styles.panel}>
      <JobTold job={job} acts={acts} />
      <div className={styles.summary}>
        <JobProgress job={job} />
        <ThroughputLine job={job} />
      </div>
      <div className={styles.narrowing}>
        <OutcomeFilter counts={job.counts} items={job.items} chosen={filter.states} onChange={(states) => narrow({ states })} />
        <FindField value={filter.find} onChange={(find) => narrow({ find })} />
      </div>
      <JobItemsTable job={job} question={question} windows={windows} selection={selection} onSelect={setSelection} onSort={setSort} />
      <ItemsFooter job={job} acts={acts} question={question} total={windows.total ?? 0} selection={selection} />
    </div>
  );
}
