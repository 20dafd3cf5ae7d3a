import { useQuery } from '@tanstack/react-query';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import { isFinalJob, type Job } from '../../../shared/domain/job.ts';
import { type Failure, type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { valueOf } from '../../bridge/value-of.ts';
import { Notice } from '../../components/notice.tsx';
import { useWorkspaces } from '../use-workspaces.ts';
import { AskForRecords } from './ask-for-records.tsx';
import { factsOfItems } from './known-facts.ts';
import styles from './records.module.css';
import { text } from './text.ts';
import { useReadRecords } from './use-read-records.ts';

const question = 'records.missing';

/**
 * A bulk download brings bytes alone: that names, tags and TLP are not known is said where it ended, and the records
 * can be asked for there.
 */
export function MissingRecords({ job }: { job: Job }) {
  const isMeant =
    job.task.kind === 'bulk-download' && isFinalJob(job) && job.counts.done + job.counts['already-here'] > 0;
  return isMeant ? <MissingOfJob job={job} /> : null;
}

function MissingOfJob({ job }: { job: Job }) {
  const bridge = useBridge();
  const { workspaces } = useWorkspaces();
  const workspace = workspaces.find(({ id }) => id === job.workspaceId);
  const selection = {
    kind: 'job' as const,
    id: job.id,
    filter: { states: ['done' as const, 'already-here' as const], find: '' },
  };
  const { data: missing } = useQuery<number | null, Failure>({
    queryKey: [question, selection, job.counts],
    queryFn: () => valueOf(missingOf(bridge, selection)),
    gcTime: 0,
  });
  useReadRecords(question);
  if (workspace === undefined || missing === undefined || missing === 0) return null;
  return (
    <div className={styles.told}>
      <Notice
        meaning="info"
        title={missing === null ? text.missingSome : text.missing(missing)}
        actions={<AskForRecords selection={selection} workspace={workspace} />}
      >
        {text.missingThen}
      </Notice>
    </div>
  );
}

/** null: of more than can be counted here. */
async function missingOf(
  bridge: Bridge<File>,
  selection: Extract<CaseSelection, { kind: 'job' }>,
): Promise<Result<number | null>> {
  const facts = await factsOfItems(bridge, selection);
  return facts.ok ? success(facts.value && facts.value.filter(({ isRecorded }) => !isRecorded).length) : facts;
}
