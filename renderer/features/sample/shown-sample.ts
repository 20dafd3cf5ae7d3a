import type { LibrarySample, SampleNote, VaultState } from '../../../shared/domain/library.ts';
import type { Download, LookupResult, SampleRecord } from '../../../shared/domain/sample.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';
import { normalTag, strictestTlp, type TlpLevel, tlpOf } from '../../../shared/domain/tag.ts';
import type { Failure } from '../../../shared/failure-kinds.ts';
import { useOperation } from '../../bridge/operations.ts';
import { readTime } from '../../components/format.ts';
import { useDownloadOf } from '../../state/downloads.tsx';
import { useWorkspaces } from '../../state/workspaces.tsx';

/** What a service has just answered. */
interface FreshAnswer {
  workspaceId: string;
  result: LookupResult;
}

/** What a repository said of a sample. */
export interface ReadRecord {
  workspaceId: string;
  /** UTC, ISO 8601; null: just now. */
  readAt: string | null;
  record: SampleRecord;
}

/**
 * What is known of a sample now, by whichever way: by the library, by an answer that has just come, and by a download
 * that has ended.
 */
export interface ShownSample {
  sha256: string | null;
  sha1: string | null;
  md5: string | null;
  /** Untrusted text. */
  name: string | null;
  type: string | null;
  sizeBytes: number | null;
  vault: VaultState;
  /** The strictest of all sources. */
  tlp: TlpLevel | null;
  tlps: LibrarySample['tlps'];
  /** Of this computer alone. */
  tags: readonly string[];
  /** Of services, and not of this computer. Untrusted text. */
  serviceTags: readonly string[];
  /** Of services, in a record that is kept, and found by their whole text only. Untrusted text. */
  wholeTags: readonly string[];
  threat: string | null;
  note: SampleNote | null;
  /** Under which local files with its bytes were added. Untrusted text. */
  names: LibrarySample['names'];
  firstSeen: string;
  lastSeen: string;
  /** Each workspace's latest. */
  records: readonly ReadRecord[];
  /** What other samples of the library with this MD5 go by. */
  sameMd5: readonly string[];
}

/** One of the two is known. `download`: the last one of the sample. */
function shownSample(
  library: LibrarySample | null,
  fresh: FreshAnswer | null,
  download: Download | null,
): ShownSample | null {
  if (library !== null) return withRow(library, fresh);
  return fresh === null ? null : ofAnswer(fresh, arrivedBy(download));
}

function withRow({ row, note, tlps, names, records, sameMd5 }: LibrarySample, fresh: FreshAnswer | null): ShownSample {
  const record = fresh?.result.record;
  const others = records.filter(({ workspaceId }) => workspaceId !== fresh?.workspaceId);
  return {
    ...row,
    wholeTags: wholeTags(row, records),
    note,
    names,
    sameMd5,
    tlps,
    name: record?.name || row.name,
    md5: row.md5 ?? fresh?.result.asked ?? null,
    tlp: strictestTlp([row.tlp, record === undefined ? null : tlpOf(record.tags)]),
    records: fresh === null ? records : [recordOf(fresh), ...others],
  };
}

/** Until the library answers. */
function ofAnswer(fresh: FreshAnswer, arrived: Download | null): ShownSample {
  const { asked, record, local } = fresh.result;
  return {
    sha256: arrived?.sha256 ?? local.sha256 ?? record.sha256,
    sha1: arrived?.sha1 ?? local.sha1 ?? record.sha1,
    md5: asked,
    name: record.name,
    type: record.mime,
    sizeBytes: local.sizeBytes ?? record.sizeBytes,
    vault: local.inVault || arrived !== null ? 'held' : 'none',
    tlp: tlpOf(record.tags),
    tlps: [],
    tags: local.tags,
    serviceTags: record.tags,
    wholeTags: [],
    threat: record.threat,
    note: null,
    names: [],
    firstSeen: local.firstSeen,
    lastSeen: local.lastSeen,
    records: [recordOf(fresh)],
    sameMd5: [],
  };
}

/** A row of the library has the first of a record alone, and none that a person could not give. */
function wholeTags({ tags, serviceTags }: LibrarySample['row'], records: readonly ReadRecord[]): string[] {
  const searched = new Set([...tags, ...serviceTags]);
  const all = new Set(
    records.flatMap(({ record }) => record.tags.flatMap((reported) => reported.split(',').map(normalTag))),
  );
  return [...all].filter((one) => one !== '' && !searched.has(one) && tlpOf([one]) === null);
}

const recordOf = ({ workspaceId, result: { record } }: FreshAnswer): ReadRecord => ({
  workspaceId,
  readAt: null,
  record,
});
const arrivedBy = (download: Download | null): Download | null =>
  download?.state === 'done' || download?.state === 'already-here' ? download : null;

/** The record that is shown: of the workspace that was chosen, else of the current one, else the newest. */
export function recordToShow(
  records: readonly ReadRecord[],
  chosen: string | null,
  current: string,
): ReadRecord | null {
  const of = (workspaceId: string | null): ReadRecord | undefined =>
    records.find((each) => each.workspaceId === workspaceId);
  return of(chosen) ?? of(current) ?? records[0] ?? null;
}

/** The day of a time, as it is shown. */
export const shownDay = (time: string): string => readTime(time).text.slice(0, 10);

/**
 * The earliest time that a record or this computer has of a sample: "first seen", wherever one sample is read about.
 * `workspaceId`: whose record has it; null: it came here then.
 */
export function earliestSeen({ firstSeen, records }: Pick<ShownSample, 'firstSeen'> & { records: DatedRecords }): {
  time: string;
  workspaceId: string | null;
} {
  const dates = records.flatMap(({ workspaceId, record: { date } }) =>
    date === null || readTime(date).kind === 'other' ? [] : [{ workspaceId, time: date }],
  );
  const [earliest] = dates.toSorted((one, other) => shownDay(one.time).localeCompare(shownDay(other.time)));
  const isTheirs = earliest !== undefined && shownDay(earliest.time) < shownDay(firstSeen);
  return isTheirs ? earliest : { time: firstSeen, workspaceId: null };
}

type DatedRecords = readonly Pick<ReadRecord, 'workspaceId' | 'record'>[];

/** The current sample: what its page draws and acts on. */
export interface CurrentSample {
  sample: ShownSample;
  /** The current one: whom it is downloaded from, commented at and scanned by, whichever record is shown. */
  workspaceId: string;
  /** The library has answered: the local data of the sample is known, and can be changed. */
  isWhole: boolean;
}

export interface SampleReading {
  /** null: nothing is known of it yet, or at all. */
  currentSample: CurrentSample | null;
  failure: Failure | null;
  readAgain(): void;
}

/** What this computer knows of a sample, by any of its hashes; `fresh` is what a service has just said of it. */
export function useSample(hash: string, fresh: FreshAnswer | null = null): SampleReading {
  const { data, error, refetch } = useOperation('library.sample', { hash });
  const { current } = useWorkspaces();
  const library = data ?? null;
  const workspaceId = fresh?.workspaceId ?? current?.id ?? null;
  const md5 = library?.row.md5 ?? fresh?.result.asked ?? '';
  const { download } = useDownloadOf(workspaceId ?? '', md5);
  const sample = shownSample(library, fresh, download);
  return {
    currentSample: sample === null || workspaceId === null ? null : { sample, workspaceId, isWhole: library !== null },
    failure: error,
    readAgain: () => void refetch(),
  };
}

/** Rule hits of the sample, by its last scan; undefined: not read yet, or there can be none. */
export function useSampleHits({ sample: { sha256 }, workspaceId }: CurrentSample) {
  const input = { workspaceId, sha256: sha256 ?? '' };
  const { data, error, refetch } = useOperation('samples.hits', input, { enabled: sha256 !== null });
  const hits: readonly SampleHit[] | undefined = data?.hits;
  return {
    hits,
    known: data?.known ?? null,
    lastScan: data?.lastScan ?? null,
    isRead: hits !== undefined,
    failure: error,
    retry: { name: 'samples.hits', input } as const,
    readAgain: () => void refetch(),
  };
}
