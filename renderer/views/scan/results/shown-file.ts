import { useEffect, useMemo, useState } from 'react';
import type { Job } from '../../../../shared/domain/job.ts';
import type { ScannedFile, ScanSide } from '../../../../shared/domain/scan.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { useOperation } from '../../../bridge/operations.ts';
import { useScanPlace } from '../../../features/scans/scan-places.tsx';
import { matchesOf, type ShownHit, shownHits, type ShownMatch } from './shown-hits.ts';

/** The file that is shown, and what is chosen in it. */
export interface ShownFile {
  file: ScannedFile;
  hits: readonly ShownHit[];
  /** The one whose matches are shown; null: no rule hit. */
  hit: ShownHit | null;
  /** Of that rule, by offset. */
  matches: readonly ShownMatch[];
  /** The current one; -1: there is none. */
  match: number;
}

interface FileReading {
  /** The file before stays until the one that was asked for is here. */
  shown: ShownFile | null;
  error: Failure | null;
}

/** A held key passes files without reading them. */
const showRestMs = 120;

/**
 * Which file of the job is shown: the first one at once, another one when the moving rests. A scan of one has but one.
 */
export function useShownPosition(job: Pick<Job, 'id' | 'items'>): number | null {
  const [place] = useScanPlace(job.id);
  const position = place.position ?? (job.items === 1 ? 1 : null);
  const [shown, show] = useState(position);
  if (shown === null && position !== null) show(position);
  useEffect(() => {
    const timer = setTimeout(() => show(position), showRestMs);
    return () => clearTimeout(timer);
  }, [position]);
  return shown;
}

/** The one side that was asked; null: both were. */
export function requestedSide({ task }: Pick<Job, 'task'>): ScanSide | null {
  if (task.kind !== 'scan') return 'local';
  return task.engines === 'both' ? null : task.engines;
}

/** How many sides were asked about each file. */
export const requestedSides = (job: Pick<Job, 'task'>): number => (requestedSide(job) === null ? 2 : 1);

/** It counts: not muted, and not lost in a hunt. */
export const isHit = ({ mute, news }: ShownHit): boolean => mute === null && news !== 'lost';

/** Of each result. */
export const rulesOf = ({ results }: ScannedFile): (number | null)[] =>
  results.map((result) => result.package?.rules ?? null);

/** Every side that was asked has scanned it, and found nothing. A hunt keeps no result of a sample without hits. */
export const isWithoutHits = (job: Pick<Job, 'task'>, { file, hits }: Pick<ShownFile, 'file' | 'hits'>): boolean =>
  hits.length === 0 &&
  file.results.length >= requestedSides(job) &&
  file.results.every(({ state }) => state === 'scanned');

/** Everything about a file of the job; null: none is chosen. */
export function useShownFile(jobId: number, position: number | null): FileReading {
  const [{ rule, match }] = useScanPlace(jobId);
  const { data, error } = useOperation(
    'scans.file',
    { jobId, position: position ?? 1 },
    { enabled: position !== null },
  );
  const [kept, keep] = useState(data);
  if (data !== undefined && data !== kept) keep(data);
  const file = position === null ? undefined : (data ?? kept);
  const hits = useMemo(() => (file === undefined ? [] : shownHits(file)), [file]);
  const hit = hits.find((each) => each.rule === rule) ?? hits[0] ?? null;
  const matches = useMemo(() => (hit === null ? [] : matchesOf(hit)), [hit]);
  const shown =
    file === undefined || error !== null
      ? null
      : { file, hits, hit, matches, match: Math.min(match, matches.length - 1) };
  return { shown, error };
}
