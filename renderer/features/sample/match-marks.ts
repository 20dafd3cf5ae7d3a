import type { SampleHit, ScannedFile } from '../../../shared/domain/scan.ts';
import type { HexMark } from '../../components/hex/hex-mark.ts';

/** More than can be told apart along a file. */
const mostMarks = 2000;

/**
 * Where rules matched in a scanned file, by offset, without what is muted and without what a service says lies behind
 * its end.
 */
export function matchMarks({ results, muted }: Pick<ScannedFile, 'results' | 'muted'>, sizeBytes: number): HexMark[] {
  const marks = new Map<string, HexMark>();
  for (const { hits } of results) {
    for (const { rule, strings } of hits) {
      if (muted.some((mute) => mute.rule === rule)) continue;
      for (const { id, matches } of strings) {
        for (const { offset, length, data } of matches) {
          if (offset < sizeBytes && marks.size < mostMarks)
            marks.set(`${offset} ${rule} ${id}`, {
              offset,
              length: length ?? (data ?? '').length / 2,
              label: `${rule} ${id}`,
            });
        }
      }
    }
  }
  return [...marks.values()].toSorted((one, other) => one.offset - other.offset || one.length - other.length);
}

/** The file of the scan that saw a rule in the sample last, of those that are still known. */
export function lastScan(
  hits: readonly SampleHit[],
  isKnown: (jobId: number) => boolean,
): { jobId: number; position: number } | null {
  let last: { jobId: number; position: number; lastSeen: string } | null = null;
  for (const { jobId, position, lastSeen, mute } of hits) {
    if (jobId === null || position === null || mute !== null || !isKnown(jobId)) continue;
    if (last === null || lastSeen > last.lastSeen) last = { jobId, position, lastSeen };
  }
  return last && { jobId: last.jobId, position: last.position };
}
