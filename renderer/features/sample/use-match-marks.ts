import { useMemo } from 'react';
import { useOperation } from '../../bridge/use-operation.ts';
import type { HexMark } from '../../components/hex/hex-mark.ts';
import { useKnownJobs } from '../../state/jobs.tsx';
import { lastScan, matchMarks } from './match-marks.ts';
import { useSampleHits } from './use-sample-hits.ts';
import type { SampleAtHand } from './use-sample.ts';

const none: readonly HexMark[] = [];

/** Where rules matched in the sample, as the last scan of it has it; none where that is not known any more. */
export function useMatchMarks(atHand: SampleAtHand): readonly HexMark[] {
  const { hits = [] } = useSampleHits(atHand);
  const { byId } = useKnownJobs();
  const last = lastScan(hits, (jobId) => byId.has(jobId));
  const { data } = useOperation('scans.file', last ?? { jobId: 1, position: 1 }, { enabled: last !== null });
  const sizeBytes = atHand.sample.sizeBytes ?? 0;
  return useMemo(() => (data === undefined ? none : matchMarks(data, sizeBytes)), [data, sizeBytes]);
}
