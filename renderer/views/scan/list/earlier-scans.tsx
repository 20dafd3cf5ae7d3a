import { FolderOpen } from 'lucide-react';
import type { Job } from '../../../../shared/domain/job.ts';
import { JobActions } from '../../../app/job-actions.tsx';
import { useKnownJobs } from '../../../app/jobs.tsx';
import { useNavigation } from '../../../app/navigation.tsx';
import { useNextScan } from '../../../app/scans/scan-desk.tsx';
import { useJobActions } from '../../../app/use-job-actions.ts';
import { useSettings } from '../../../app/use-settings.ts';
import { Button } from '../../../components/button.tsx';
import { DataGrid } from '../../../components/data-grid/data-grid.tsx';
import type { GridColumn } from '../../../components/data-grid/grid-column.ts';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import typography from '../../../styles/typography.module.css';
import { EarlierLine } from './earlier-line.tsx';
import styles from './list.module.css';
import { text } from './text.ts';

const rowHeight = 44;
const columns: readonly GridColumn<Job>[] = [
  {
    id: 'scan',
    title: text.column,
    width: { flex: 1, min: 0 },
    isRowHeader: true,
    cell: (job) => <EarlierLine job={job} />,
  },
];

/** The scans and hunts of a workspace, newest first. */
export function EarlierScans({ workspaceId }: { workspaceId: string }) {
  const { all, isKnown } = useKnownJobs();
  const { openScan } = useNavigation();
  const { values } = useSettings();
  const [{ earlier, earlierGrid }, note] = useNextScan(workspaceId);
  const scans = all
    .filter(({ task, workspaceId: of }) => (task.kind === 'scan' || task.kind === 'hunt') && of === workspaceId)
    .toSorted((one, other) => other.id - one.id);
  const chosen = scans.find(({ id }) => id === earlier) ?? null;
  if (scans.length === 0) return isKnown && <p className={classNames(typography.note, layout.inset)}>{text.none}</p>;
  return (
    <div className={layout.view}>
      <DataGrid
        label={text.list}
        columns={columns}
        count={scans.length}
        rowAt={(index) => scans[index]}
        keyOf={({ id }) => id}
        currentKey={chosen?.id ?? null}
        onCurrent={({ id }) => note({ earlier: id })}
        onOpen={({ id }) => openScan(id)}
        memory={earlierGrid}
        letters={values.singleLetterKeys}
        rowHeight={rowHeight}
        hasHead={false}
      />
      {chosen !== null && <ChosenScan key={chosen.id} job={chosen} />}
    </div>
  );
}

function ChosenScan({ job }: { job: Job }) {
  const { openScan } = useNavigation();
  const acts = useJobActions(job.id);
  return (
    <>
      {acts.failure !== null && (
        <div className={styles.told}>
          <FailureNotice failure={acts.failure} />
        </div>
      )}
      <div className={classNames(layout.wrapRow, layout.bottom, styles.foot)}>
        <Button onPress={() => openScan(job.id)}>
          <FolderOpen size={14} strokeWidth={1.6} aria-hidden="true" />
          {text.open}
        </Button>
        <JobActions job={job} acts={acts} />
      </div>
    </>
  );
}
