import { RotateCcw, Search } from 'lucide-react';
import { memo, useDeferredValue, useMemo } from 'react';
import { type ItemFilter, type ItemState, type Job, listsItems } from '../../../shared/domain/job.ts';
import { Button } from '../../components/button.tsx';
import { noRows, type RowSelection } from '../../components/data-grid/row-selection.ts';
import { JobProgress } from '../../components/jobs/job-progress.tsx';
import { OutcomeFilter } from '../../components/jobs/outcome-bar.tsx';
import { ThroughputLine } from '../../components/jobs/throughput-line.tsx';
import { KeyCap } from '../../components/key-cap.tsx';
import { keys } from '../../keyboard/keys.ts';
import { useLatest } from '../../state/presence.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import surface from '../../styles/surface.module.css';
import { AddedPanel } from '../additions/added-panel.tsx';
import { MissingRecords } from '../records/records.tsx';
import { type ItemQuestion, useItemWindows } from './item-windows.ts';
import { ItemsFooter } from './items-footer.tsx';
import { JobItemsTable } from './items-table.tsx';
import type { JobActs } from './job-actions.tsx';
import styles from './job-items.module.css';
import { JobReport } from './job-report.tsx';
import { usePanelPlace } from './panel-places.tsx';
import { text } from './strings.ts';

const everything: ItemFilter = { states: [], find: '' };

interface JobPanelProps {
  job: Job;
  acts: JobActs;
}

/**
 * One job: what halted it, how far it is, its counts, its items and what can be done with them. Fills what it is put
 * in.
 */
export function JobPanel({ job, acts }: JobPanelProps) {
  if (job.task.kind === 'library-add') return <AddedPanel key={job.id} job={job} acts={acts} />;
  return listsItems(job) ? <PanelOfJob key={job.id} job={job} acts={acts} /> : <CountedPanel job={job} acts={acts} />;
}

/**
 * The windows of its items come and go one by one, and the panel hears of each: its parts are drawn again only for what
 * is their own.
 */
const parts = {
  JobReport: memo(JobReport),
  MissingRecords: memo(MissingRecords),
  JobProgress: memo(JobProgress),
  ThroughputLine: memo(ThroughputLine),
  OutcomeFilter: memo(OutcomeFilter),
  FindField: memo(FindField),
  JobItemsTable: memo(JobItemsTable),
  ItemsFooter: memo(ItemsFooter),
};

function PanelOfJob({ job, acts }: JobPanelProps) {
  const [place, notePlace] = usePanelPlace(job.id);
  const { filter, sort, selection } = place;
  const question = useMemo((): ItemQuestion => ({ id: job.id, filter, sort }), [job.id, filter, sort]);
  const windows = useItemWindows(question);
  // The table is drawn after its frame: both at once block the page for too long.
  const drawsTable = useDeferredValue(true, false);
  // Several times a second while it runs: its rows need not be drawn with its counts.
  const tableJob = useDeferredValue(job);
  const total = windows.total ?? place.grid.spot.count;
  /** What is ticked is meant among what is seen: another filter begins with nothing. */
  const narrow = (change: Partial<ItemFilter>): void =>
    notePlace({ ...place, filter: { ...filter, ...change }, selection: noRows });
  const onStates = useLatest((states: ItemState[]) => narrow({ states }));
  const onFind = useLatest((find: string) => narrow({ find }));
  const onShowAll = useLatest(() => narrow(everything));
  const onSelect = useLatest((next: RowSelection<number>) => notePlace({ ...place, selection: next }));
  const onSort = useLatest((by: ItemQuestion['sort']) => notePlace({ ...place, sort: by }));
  return (
    <div className={layout.view}>
      <parts.JobReport job={job} acts={acts} />
      <parts.MissingRecords job={job} />
      <div className={classNames(layout.stack12, styles.summary)}>
        <parts.JobProgress job={job} />
        <parts.ThroughputLine job={job} />
      </div>
      <div className={classNames(layout.between, styles.narrowing)}>
        <parts.OutcomeFilter
          kind={job.task.kind}
          counts={job.counts}
          items={job.items}
          chosen={filter.states}
          onChange={onStates}
        />
        <parts.FindField value={filter.find} onChange={onFind} />
      </div>
      {drawsTable ? (
        <parts.JobItemsTable
          job={tableJob}
          question={question}
          windows={windows}
          total={total}
          selection={selection}
          memory={place.grid}
          onSelect={onSelect}
          onSort={onSort}
          onShowAll={onShowAll}
        />
      ) : (
        <div className={layout.grow} />
      )}
      <parts.ItemsFooter job={job} acts={acts} question={question} total={total ?? 0} selection={selection} />
    </div>
  );
}

/** A job whose items are counted and not listed. Its cancelled items can be resumed. */
function CountedPanel({ job, acts }: JobPanelProps) {
  const { cancelled } = job.counts;
  return (
    <div className={layout.view}>
      <JobReport job={job} acts={acts} />
      <div className={classNames(layout.stack12, styles.summary)}>
        <JobProgress job={job} />
        {cancelled > 0 && (
          <div className={layout.wrap8}>
            <Button letter={keys.job.retry.keys} onPress={() => acts.retry(['cancelled'])}>
              <RotateCcw size={14} strokeWidth={1.6} aria-hidden="true" />
              {text.goOn(cancelled)}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** A part of a hash. Escape takes it out again. */
function FindField({ value, onChange }: { value: string; onChange(find: string): void }) {
  return (
    <div className={styles.find}>
      <input
        type="text"
        className={classNames(surface.input, styles.field)}
        value={value}
        maxLength={64}
        placeholder={text.findPlaceholder}
        aria-label={text.find}
        aria-keyshortcuts={keys.job.find.keys}
        data-query
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value.trim().toLowerCase())}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || value === '') return;
          event.preventDefault();
          onChange('');
        }}
      />
      <Search className={classNames(layout.above, styles.findIcon)} size={14} strokeWidth={1.6} aria-hidden="true" />
      {value === '' && (
        <span className={classNames(layout.row, layout.above, styles.findKey)}>
          <KeyCap>{keys.job.find.keys}</KeyCap>
        </span>
      )}
    </div>
  );
}
