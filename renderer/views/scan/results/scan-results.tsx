import { useQueryClient } from '@tanstack/react-query';
import { FileSearch } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef } from 'react';
import type { OperationName, OperationOutput } from '../../../../shared/contract.ts';
import { isFinalJob, type Job } from '../../../../shared/domain/job.ts';
import { everyResult, type FileGroup, type ScanGroup } from '../../../../shared/domain/scan.ts';
import { JobReport } from '../../../features/jobs/job-report.tsx';
import { useEvent, useOperation } from '../../../bridge/operations.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ReadFailure } from '../../../components/failure-notice.tsx';
import { lacking } from '../../../components/jobs/job-format.ts';
import { JobProgress } from '../../../components/jobs/job-progress.tsx';
import type { JobActs } from '../../../features/jobs/job-actions.tsx';
import { isSameFilter, type NotePlace, type ScanPlace, useScanPlace } from '../../../features/scans/scan-places.tsx';
import { paced } from '../../../bridge/paced.ts';
import { classNames } from '../../../styles/class-names.ts';
import layout from '../../../styles/layout.module.css';
import { FileBody } from './file-body.tsx';
import { FileSide } from './file-side.tsx';
import { GroupList } from './group-list.tsx';
import { GroupBody, narrowTo } from './group-summary.tsx';
import styles from './results.module.css';
import { type GroupWindows, keyOfGroup, loadedGroup, useListedGroups } from './scan-groups.ts';
import { requestedSides, useShownFile, useShownPosition } from './shown-file.ts';
import { text } from './strings.ts';

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
      <JobReport job={job} acts={acts} />
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

interface ResultsListProps {
  job: Job;
  /** From the list to the file that is shown. */
  toFile(): void;
  toList(): void;
}

/** The list of results, and what moving in it means. */
function ResultsList({ job, toFile, toList }: ResultsListProps) {
  const [place, note] = useScanPlace(job.id);
  const windows = useListedGroups(job.id);
  const { data: summary } = useOperation('scans.summary', { jobId: job.id });
  useEffect(() => stayListed(windows, place, note));
  const open = (group: ScanGroup): void => {
    if (group.by === 'file') return toFile();
    narrowTo(group, note);
    toList();
  };
  return (
    <GroupList
      job={job}
      windows={windows}
      place={place}
      note={note}
      summary={summary}
      chosen={
        place.by !== 'file'
          ? place.group?.by === place.by
            ? keyOfGroup(place.group)
            : null
          : place.position === null
            ? null
            : String(place.position)
      }
      onChoose={(group) => choose(group, place, note)}
      onOpen={open}
      onDown={toList}
    />
  );
}

function choose(group: ScanGroup, place: ScanPlace, note: NotePlace): void {
  if (group.by !== 'file') return note({ group });
  if (group.position !== place.position) note({ position: group.position, isSettled: true, match: 0 });
  else if (!place.isSettled) note({ isSettled: true });
}

/** A file that another filter does not list gives way to the first one that it does. */
function stayListed(windows: GroupWindows, place: ScanPlace, note: NotePlace): void {
  const { filter } = windows;
  const first = windows.rowAt(0);
  const isReported = place.by !== 'file' || filter === null || isSameFilter(filter, place.listedBy);
  if (isReported) return first === undefined ? undefined : beginWith(first, place, note);
  // Every file is in the list of all, wherever that is.
  const isListed =
    isSameFilter(filter, everyResult) ||
    place.position === null ||
    loadedGroup(windows, 'file', String(place.position)) !== null;
  if (isListed) note({ listedBy: filter });
  else if (windows.total === 0) note({ listedBy: filter, position: null, isSettled: false, match: 0 });
  else if (first?.by === 'file')
    note({ listedBy: filter, position: first.position, isSettled: hasHits(first), match: 0 });
}

/** What is listed first is shown, until the person chooses; while a job runs that is what came to hits first. */
function beginWith(first: ScanGroup, place: ScanPlace, note: NotePlace): void {
  if (first.by !== place.by) return;
  if (first.by !== 'file') return place.group?.by === place.by ? undefined : note({ group: first });
  if (place.isSettled || (first.position === place.position && !hasHits(first))) return;
  note({ position: first.position, isSettled: hasHits(first) });
}

const hasHits = ({ hits, added, lost }: FileGroup): boolean => hits + added + lost > 0;

const refreshEveryMs = 500;
const listed: readonly OperationName[] = ['scans.summary', 'scans.groups'];

/** Reads the results of a job again when the host reports a change, one read after the other. */
function useFreshScan(job: Job): void {
  const { id, workspaceId } = job;
  const client = useQueryClient();
  // A file that every side has scanned does not change by itself, and may hold thousands of matches.
  const wanted = requestedSides(job);
  const { streamed, all, files } = useMemo(() => {
    const isPending = (data: OperationOutput<'scans.file'> | undefined): boolean =>
      data === undefined || data.results.filter(({ state }) => state === 'scanned').length < wanted;
    const readLists = (): Promise<unknown>[] =>
      listed.map((name) => client.invalidateQueries({ queryKey: [name, { jobId: id }] }));
    const readFiles = (isEvery: boolean): Promise<unknown> =>
      client.invalidateQueries({
        queryKey: ['scans.file', { jobId: id }],
        predicate: ({ queryKey }) => isEvery || isPending(client.getQueryData(queryKey)),
      });
    const reading = (isEvery: boolean) =>
      paced(refreshEveryMs, async () => void (await Promise.all([...readLists(), readFiles(isEvery)])));
    return {
      streamed: reading(false),
      all: reading(true),
      files: paced(refreshEveryMs, async () => void (await readFiles(true))),
    };
  }, [client, id, wanted]);
  useEvent('scans.changed', (changed) => changed.workspaceId === workspaceId && streamed());
  useEvent('mutes.changed', (changed) => changed.workspaceId === workspaceId && all());
  // Tags are of the library.
  useEvent('library.changed', files);
  useEvent('job.changed', (changed) => changed.id === id && isFinalJob(changed) && all());
}
