import { FileSearch } from 'lucide-react';
import { isFinalJob } from '../../../shared/domain/job.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { useBulkDesk } from '../../app/bulk-desk.tsx';
import { type BulkTally, toFetch } from '../../app/bulk-tally.ts';
import { useJobs } from '../../app/jobs.tsx';
import { useNavigation } from '../../app/navigation.tsx';
import { useWorkspaces } from '../../app/use-workspaces.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { Button } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { endSentence, jobStateWords } from '../../components/jobs/job-words.ts';
import { Notice } from '../../components/notice.tsx';
import { useLate } from '../../components/use-late.ts';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './bulk-download.module.css';
import { CopyFound } from './copy-found.tsx';
import { FoundTable } from './found-table.tsx';
import type { TextSummary } from './extracted-text.ts';
import { text } from './text.ts';

/** Before there is a job: what can be put in, then what will be fetched. */
export function StartPane() {
  const { list, check, begin, checkAgain } = useBulkDesk();
  const { current } = useWorkspaces();
  const { openSettings } = useNavigation();
  return (
    <div className={classNames(layout.stack12, layout.scroll, styles.start)}>
      {current?.repository === null && (
        <Notice
          meaning="warn"
          title={text.noRepository}
          actions={
            <Button size="small" onPress={() => openSettings('workspaces')}>
              {text.openSettings}
            </Button>
          }
        >
          {text.noRepositoryThen}
        </Notice>
      )}
      {begin.kind === 'failed' && <FailureNotice failure={begin.failure} />}
      {check.failure && (
        <FailureNotice
          failure={check.failure}
          action={
            <Button size="small" onPress={checkAgain}>
              {text.checkAgain}
            </Button>
          }
        />
      )}
      {begin.kind === 'adding' && <Adding added={begin.added} />}
      {(list.kind === 'none' || list.kind === 'refused') && <Invitation />}
      {list.kind === 'read' && begin.kind !== 'adding' && <Ready key={list.revision} summary={list.summary} />}
    </div>
  );
}

function Invitation() {
  return (
    <>
      <EmptyState
        icon={<FileSearch size={20} strokeWidth={1.6} />}
        title={text.emptyTitle}
        sentence={text.emptySentence}
        action={<Specimens />}
      />
      <figure className={styles.example}>
        <figcaption>{text.example}</figcaption>
        <pre>{text.exampleText}</pre>
      </figure>
      <LastJob />
    </>
  );
}

/** The newest one of this workspace, whose text is not here any more. */
function LastJob() {
  const { current } = useWorkspaces();
  const { openJob } = useNavigation();
  const job = useJobs().find(({ task, workspaceId }) => task.kind === 'bulk-download' && workspaceId === current?.id);
  if (!job) return null;
  return (
    <p className={classNames(layout.row, styles.lastJob)} data-figures>
      {isFinalJob(job)
        ? text.lastJob(job.id, endSentence(job))
        : text.jobGoesOn(job.id, jobStateWords(job).toLowerCase())}
      <Button size="small" onPress={() => openJob(job.id)}>
        {text.openJob(job.id)}
      </Button>
    </p>
  );
}

/** So that an empty desk has something to try. */
function Specimens() {
  const { setText } = useBulkDesk();
  const { current } = useWorkspaces();
  const isLab = current?.builtIn === true;
  const { data } = useOperation('lab.specimens', {}, { enabled: isLab });
  if (!isLab || !data || data.specimens.length === 0) return null;
  return (
    <Button onPress={() => setText(data.specimens.map(({ md5, name }) => `${md5}  ${visibleText(name)}`).join('\n'))}>
      {text.specimens}
    </Button>
  );
}

/** What will become of each hash, before anything is asked of a service. */
function Ready({ summary: { found, lines } }: { summary: TextSummary }) {
  const {
    check: { tally, isDone, failure },
  } = useBulkDesk();
  const isLate = useLate(!isDone && failure === null);
  if (found === 0)
    return (
      <EmptyState
        icon={<FileSearch size={20} strokeWidth={1.6} />}
        title={text.noHashTitle}
        sentence={text.noHashThen}
      />
    );
  return (
    <>
      <div className={classNames(layout.between, styles.readyHead)}>
        <div className={styles.ready}>
          {isDone && <ReadyWords tally={tally} />}
          {isLate && (
            <p className={styles.headline} data-figures>
              {text.checking(tally.asked, found)}
            </p>
          )}
        </div>
        <CopyFound count={found} />
      </div>
      <FoundTable count={found} lines={lines} />
    </>
  );
}

function ReadyWords({ tally }: { tally: BulkTally }) {
  const { current } = useWorkspaces();
  const count = toFetch(tally);
  return (
    <>
      <p className={styles.headline} data-figures>
        {count === 0 ? text.nothingToFetch : text.readyTitle(count)}
      </p>
      {count > 0 && <p>{text.fromWorkspace(visibleText(current?.name ?? ''))}</p>}
      {count > 0 && tally.needsMd5 > 0 && <p>{text.needsMd5Then(tally.needsMd5)}</p>}
      {count === 0 && tally.needsMd5 > 0 && <p>{text.onlyUnknown}</p>}
      {count === 0 && tally.alreadyHere > 0 && (
        <p>
          {tally.needsMd5 > 0 ? text.someHere(tally.alreadyHere) : text.allHere} {text.listHere}
        </p>
      )}
    </>
  );
}

function Adding({ added }: { added: number }) {
  const { list, stopAdding } = useBulkDesk();
  return (
    <div className={layout.row12}>
      <p role="status" data-figures>
        {text.adding(added, list.kind === 'read' ? list.summary.found : 0)}
      </p>
      <Button size="small" onPress={stopAdding}>
        {text.stop}
      </Button>
    </div>
  );
}
