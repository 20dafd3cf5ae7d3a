import { type LookupState, useLookupStore } from '../../features/lookup/lookup-store.tsx';
import { SampleActions } from '../../features/sample/sample-actions.tsx';
import { SampleBody } from '../../features/sample/sample-page.tsx';
import { type SampleReading, useSample } from '../../features/sample/shown-sample.ts';
import type { SampleScan } from '../../features/scans/start-scan.ts';
import styles from './lookup.module.css';
import { RejectedRuns } from './rejected-runs.tsx';

export interface FoundSampleProps {
  found: Extract<LookupState, { kind: 'found' }>;
  scan: SampleScan;
}

/**
 * What the library knows by now of the sample that was found. Two may carry its MD5: the one whose bytes are known is
 * meant.
 */
const useFound = (found: FoundSampleProps['found']): SampleReading =>
  useSample(found.result.local.sha256 ?? found.result.asked, found);

/** The page of the sample, with the record that has just come. */
export function FoundSample({ found, scan }: FoundSampleProps) {
  const { currentSample, failure, readAgain } = useFound(found);
  const { found: hashes, rejected } = found.choice;
  if (currentSample === null) return null;
  return (
    <SampleBody
      currentSample={currentSample}
      hash={found.result.asked}
      asked={found.result.asked}
      scan={scan}
      failure={failure}
      onReadAgain={readAgain}
      above={
        hashes.length === 1 &&
        rejected.length > 0 && (
          <div className={styles.rejected}>
            <RejectedRuns runs={rejected} />
          </div>
        )
      }
    />
  );
}

/** What can be done with it, in the head of the view. */
export function FoundActions({ found, scan }: FoundSampleProps) {
  const { again } = useLookupStore();
  const { currentSample } = useFound(found);
  return currentSample === null ? null : <SampleActions currentSample={currentSample} scan={scan} onAgain={again} />;
}
