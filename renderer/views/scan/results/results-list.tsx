import { useEffect } from 'react';
import type { Job } from '../../../../shared/domain/job.ts';
import { everyResult, type FileGroup, type ScanGroup } from '../../../../shared/domain/scan.ts';
import { useOperation } from '../../../bridge/operations.ts';
import {
  type FilesGroup,
  isSameFilter,
  type NotePlace,
  type ScanPlace,
  useScanPlace,
} from '../../../features/scans/scan-places.tsx';
import { GroupList } from './group-list.tsx';
import { useListedGroups } from './use-listed-groups.ts';
import { type GroupWindows, keyOfGroup, loadedGroup } from './use-scan-groups.ts';

export interface ResultsListProps {
  job: Job;
  /** From the list to the file that is shown. */
  toFile(): void;
  toList(): void;
}

/** The list of results, and what moving in it means. */
export function ResultsList({ job, toFile, toList }: ResultsListProps) {
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
  const isTold = place.by !== 'file' || filter === null || isSameFilter(filter, place.listedBy);
  if (isTold) return first === undefined ? undefined : beginWith(first, place, note);
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

/** The files of a rule or a family alone. Those of no family are no group of their own. */
export function narrowTo(group: FilesGroup, note: NotePlace): void {
  const name = group.by === 'rule' ? group.rule : group.family;
  if (name === null) return;
  note({
    by: 'file',
    group,
    narrowing: { by: group.by, name },
    position: null,
    isSettled: false,
    match: 0,
    ...(group.by === 'rule' ? { rule: name } : {}),
  });
}
