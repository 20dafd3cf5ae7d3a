import { FileSearch } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { ExtractedHash } from '../../../shared/domain/hash-extractor.ts';
import { isFinalJob } from '../../../shared/domain/job.ts';
import { reportedSample } from '../../../shared/domain/sample-table.ts';
import { visibleText } from '../../../shared/domain/visible-text.ts';
import { success } from '../../../shared/failure.ts';
import type { BulkVerdict } from '../../../shared/operations/samples.ts';
import { useOperation } from '../../bridge/operations.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { DataGrid } from '../../components/data-grid/data-grid.tsx';
import { figuresWidth, type GridColumn } from '../../components/data-grid/grid-column.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { formatNumber } from '../../components/format.ts';
import { endSentence, jobStateWithin } from '../../components/jobs/job-format.ts';
import { OutcomeIcon } from '../../components/jobs/outcome-bar.tsx';
import { Notice } from '../../components/notice.tsx';
import { useLate } from '../../components/use-late.ts';
import { useBulkStore } from '../../features/bulk-download/bulk-store.tsx';
import { type BulkTally, toFetch, verdictAt } from '../../features/bulk-download/bulk-tally.ts';
import type { TextSummary } from '../../features/bulk-download/extracted-text.ts';
import { useWindows } from '../../features/bulk-download/use-windows.ts';
import { CopySamplesMenu } from '../../features/copy-samples/copy-samples.tsx';
import { useJobs } from '../../state/jobs.tsx';
import { useNavigation } from '../../state/navigation.tsx';
import { useSettings } from '../../state/settings.ts';
import { useWorkspaces } from '../../state/workspaces.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import typography from '../../styles/typography.module.css';
import styles from './bulk-download.module.css';
import { text } from './strings.ts';

/** Before there is a job: what can be put in, then what will be fetched. */
export function StartPane() {
  const { list, check, begin, checkAgain } = useBulkStore();
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
        action={<SampleFiles />}
      />
      <figure className={styles.example}>
        <figcaption>{text.example}</figcaption>
        <pre>{text.exampleText}</pre>
      </figure>
      <LastJob />
    </>
  );
}

/** The newest one of this workspace, whose text is no longer here. */
function LastJob() {
  const { current } = useWorkspaces();
  const { openJob } = useNavigation();
  const job = useJobs().find(({ task, workspaceId }) => task.kind === 'bulk-download' && workspaceId === current?.id);
  if (!job) return null;
  return (
    <p className={classNames(layout.row, styles.lastJob)} data-figures>
      {isFinalJob(job) ? text.lastJob(job.id, endSentence(job)) : text.jobGoesOn(job.id, jobStateWithin(job))}
      <Button size="small" onPress={() => openJob(job.id)}>
        {text.openJob(job.id)}
      </Button>
    </p>
  );
}

/** Lets a new installation have something to try. */
function SampleFiles() {
  const { setText } = useBulkStore();
  const { current } = useWorkspaces();
  const isLab = current?.builtIn === true;
  const { data } = useOperation('lab.sampleFiles', {}, { enabled: isLab });
  if (!isLab || !data || data.sampleFiles.length === 0) return null;
  return (
    <Button onPress={() => setText(data.sampleFiles.map(({ md5, name }) => `${md5}  ${visibleText(name)}`).join('\n'))}>
      {text.sampleFiles}
    </Button>
  );
}

/** What will become of each hash, before anything is asked of a service. */
function Ready({ summary: { found, lines } }: { summary: TextSummary }) {
  const {
    check: { tally, isDone, failure },
    records,
    setRecords,
  } = useBulkStore();
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
          {isDone && <ReadyText tally={tally} />}
          {isDone && toFetch(tally) > 0 && (
            <Checkbox isSelected={records} onChange={setRecords}>
              {text.records}
            </Checkbox>
          )}
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

function ReadyText({ tally }: { tally: BulkTally }) {
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
  const { list, stopAdding } = useBulkStore();
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

/** Of a sample no more is known here than the one hash that was read. */
const formats = ['hashes', 'sha256', 'sha1', 'md5', 'yara'] as const;
const atOnce = 5000;

/** Copies the hashes that were read out of the text. */
function CopyFound({ count }: { count: number }) {
  const { found } = useBulkStore();
  const read = async () =>
    success((await readFound(found)).map(({ kind, value }) => reportedSample({ [kind]: value })));
  return <CopySamplesMenu samples={{ count, read }} formats={formats} triggerLetter="C" />;
}

async function readFound(found: (from: number, count: number) => Promise<ExtractedHash[]>): Promise<ExtractedHash[]> {
  const all: ExtractedHash[] = [];
  for (;;) {
    const page = await found(all.length, atOnce);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

interface FoundRow extends ExtractedHash {
  /** From 1. */
  number: number;
  outcome: BulkVerdict | undefined;
}

const icons = { fetch: 'waiting', 'already-here': 'already-here', 'needs-md5': 'needs-md5' } as const;

const columnsFor = (count: number, lines: number): readonly GridColumn<FoundRow>[] => [
  {
    id: 'number',
    title: text.columns.number,
    width: figuresWidth(count),
    align: 'end',
    leaves: 1,
    cell: ({ number }) => <span className={typography.faint}>{formatNumber(number)}</span>,
  },
  {
    id: 'hash',
    title: text.columns.hash,
    width: { flex: 1, min: 236 },
    isRowHeader: true,
    cell: ({ value }) => <code title={value}>{value}</code>,
  },
  { id: 'kind', title: text.columns.kind, width: 60, leaves: 3, cell: ({ kind }) => text.kinds[kind] },
  {
    id: 'verdict',
    title: text.columns.verdict,
    width: 124,
    cell: ({ outcome }) =>
      outcome && (
        <span className={classNames(layout.inline6, styles.verdict)}>
          <OutcomeIcon state={icons[outcome]} />
          {text.verdicts[outcome]}
        </span>
      ),
  },
  {
    id: 'line',
    title: text.columns.line,
    width: figuresWidth(lines),
    align: 'end',
    leaves: 2,
    cell: ({ line }) => <span className={typography.faint}>{formatNumber(line)}</span>,
  },
];

/** Every hash of the text, once, with the outcome that the host expects. */
function FoundTable({ count, lines }: { count: number; lines: number }) {
  const {
    found,
    check: { tally },
  } = useBulkStore();
  const { values } = useSettings();
  const [range, setRange] = useState<readonly [number, number]>([0, 0]);
  const hashAt = useWindows(found, range[0], range[1]);
  const columns = useMemo(() => columnsFor(count, lines), [count, lines]);
  const rowAt = (index: number): FoundRow | undefined => {
    const hash = hashAt(index);
    return hash && { ...hash, number: index + 1, outcome: verdictAt(tally, index) };
  };
  return (
    <div className={classNames(layout.fill, styles.table)}>
      <DataGrid
        label={text.table}
        columns={columns}
        count={count}
        rowAt={rowAt}
        keyOf={({ number }) => number}
        onRange={(first, last) => setRange([first, last])}
        letters={values.singleLetterKeys}
      />
    </div>
  );
}
