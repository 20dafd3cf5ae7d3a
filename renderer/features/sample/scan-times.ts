import type { JournalRow } from '../../../shared/domain/journal.ts';
import type { SampleHit } from '../../../shared/domain/scan.ts';

/** One scan or hunt that looked at the sample. */
export interface ScanTime {
  /** null: it is not known which. */
  jobId: number | null;
  /** The sample's place among its files, where that is known. */
  position: number | null;
  /** UTC, ISO 8601. */
  time: string;
  /** The rules that were seen in it last by this one. Untrusted text. */
  rules: readonly string[];
}

/**
 * The scans of a sample, newest first: those of the journal, which also has scans that found nothing, and those that
 * its hits name, which may be hunts. A rule is told with the scan that saw it last.
 */
export function scanTimes(rows: readonly JournalRow[], hits: readonly SampleHit[]): ScanTime[] {
  const scans = new Map<number | null, ScanTime>();
  const note = (seen: Omit<ScanTime, 'rules'>, rules: readonly string[]): void => {
    const before = scans.get(seen.jobId);
    const time = before !== undefined && before.time > seen.time ? before.time : seen.time;
    scans.set(seen.jobId, {
      jobId: seen.jobId,
      position: before?.position ?? seen.position,
      time,
      rules: [...new Set([...(before?.rules ?? []), ...rules])],
    });
  };
  for (const {
    operation,
    detail: { job },
    time,
  } of rows)
    if (operation === 'scan' && typeof job === 'number') note({ jobId: job, position: null, time }, []);
  for (const { rule, jobId, position, lastSeen } of hits) note({ jobId, position, time: lastSeen }, [rule]);
  return [...scans.values()].toSorted(newestFirst);
}

function newestFirst(one: ScanTime, other: ScanTime): number {
  if (one.time !== other.time) return one.time < other.time ? 1 : -1;
  return (other.jobId ?? 0) - (one.jobId ?? 0);
}
