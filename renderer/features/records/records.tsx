import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { CaseSelection } from '../../../shared/domain/case.ts';
import { isAsleep, isFinalJob, type Job, settledItems } from '../../../shared/domain/job.ts';
import type { SampleFacts } from '../../../shared/domain/sample.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import type { WorkspaceView } from '../../../shared/domain/workspace.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { type Result, success } from '../../../shared/failure.ts';
import type { Bridge } from '../../../shared/transport.ts';
import { useBridge } from '../../bridge/bridge-context.tsx';
import { useAction, useEvent, valueOf } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { cutMiddle } from '../../components/format.ts';
import { endSentence, formatJobState } from '../../components/jobs/job-format.ts';
import { Notice } from '../../components/notice.tsx';
import { useJob, useNoteJob } from '../../state/jobs.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './records.module.css';

const missingQuery = 'records.missing';

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
    queryKey: [missingQuery, selection, job.counts],
    queryFn: () => valueOf(missingOf(bridge, selection)),
    gcTime: 0,
  });
  useReadRecords(missingQuery);
  if (workspace === undefined || missing === undefined || missing === 0) return null;
  return (
    <div className={styles.reported}>
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

const longestName = 32;

interface AskForRecordsProps {
  selection: CaseSelection;
  /** Who is asked. */
  workspace: WorkspaceView;
}

/**
 * Asks for the records of samples that came without theirs, names who receives the request, and shows the progress: a
 * job that continues when the person leaves.
 */
export function AskForRecords({ selection, workspace }: AskForRecordsProps) {
  const ask = useAction('library.readRecords');
  const noteJob = useNoteJob();
  const [begun, setBegun] = useState<number | null>(null);
  const job = useJob(begun);
  const isBusy = ask.isPending || (job !== null && !isFinalJob(job));
  const begin = (): void => {
    ask.mutate(
      { selection, workspaceId: workspace.id },
      {
        onSuccess: (made) => {
          noteJob(made);
          setBegun(made.id);
        },
      },
    );
  };
  if (workspace.repository === null) return null;
  const isHalted = job !== null && job.failure !== null && !isAsleep(job);
  return (
    <div className={layout.wrapRow8}>
      <Button size="small" isDisabled={isBusy} onPress={begin}>
        {text.ask(visibleText(cutMiddle(workspace.name, longestName)))}
      </Button>
      {job !== null && !isHalted && (
        <span role="status" className={typography.note}>
          {progressOf(job)}
        </span>
      )}
      {isHalted && job.failure !== null && <FailureNotice failure={job.failure} />}
      {ask.error && <FailureNotice failure={ask.error} onAgain={begin} />}
    </div>
  );
}

function progressOf(job: Job): string {
  if (isFinalJob(job)) return endSentence(job);
  return job.state === 'waiting' ? formatJobState(job) : text.progress(settledItems(job), job.items);
}

const many = (count: number): string => count.toLocaleString('en');

/** English of samples without metadata. */
const text = {
  missing: (count: number) => (count === 1 ? '1 sample has no metadata' : `${many(count)} samples have no metadata`),
  missingSome: 'Some samples may have no metadata',
  missingThen: 'Their names, tags, threats and TLP are unknown.',
  ask: (workspace: string) => `Fetch metadata from ${workspace}`,
  progress: (done: number, items: number) => `${many(done)} of ${many(items)} done`,
} as const;

/** Invalidates the queries of this name when a job has fetched the records of samples. */
export function useReadRecords(queryName: string): void {
  const client = useQueryClient();
  useEvent('job.changed', (job) => {
    if (
      job.task.kind === 'library-change' &&
      job.task.what === 'records' &&
      (isFinalJob(job) || job.state === 'paused')
    )
      void client.invalidateQueries({ queryKey: [queryName] });
  });
}

const atOnce = 1000;
/** As many are named in one selection. */
const mostNamed = 5000;

/** What the library knows of samples, of those that it knows. */
export async function factsNamed(bridge: Bridge<File>, hashes: readonly string[]): Promise<Result<SampleFacts[]>> {
  const samples: SampleFacts[] = [];
  for (let after: number | null = hashes.length === 0 ? null : 0; after !== null;) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(bridge, hashes, after);
    if (!answer.ok) return answer;
    samples.push(...answer.value.samples);
    after = answer.value.next;
  }
  return success(samples);
}

const readPage = (bridge: Bridge<File>, hashes: readonly string[], after: number) =>
  bridge.call('library.facts', { selection: { kind: 'named', hashes: [...hashes] }, after, limit: atOnce });

/** The same of the items of a job; null where they are more than can be asked for. */
export async function factsOfItems(
  bridge: Bridge<File>,
  { id, filter }: Extract<CaseSelection, { kind: 'job' }>,
): Promise<Result<SampleFacts[] | null>> {
  const hashes = new Set<string>();
  for (let offset = 0, total = 1; offset < total; offset += atOnce) {
    const answer = await bridge.call('jobs.items', {
      id,
      filter,
      sort: { column: 'position', descending: false },
      offset,
      limit: atOnce,
    });
    if (!answer.ok) return answer;
    total = answer.value.total;
    if (total > mostNamed) return success(null);
    for (const { sha256, md5, hash } of answer.value.items) hashes.add(sha256 ?? md5 ?? hash);
  }
  return factsNamed(bridge, [...hashes]);
}
