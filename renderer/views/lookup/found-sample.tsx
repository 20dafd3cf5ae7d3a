import { type LookupState, useLookupDesk } from '../../app/lookup-desk.tsx';
import { SampleActions } from '../../app/sample/sample-actions.tsx';
import { SampleBody } from '../../app/sample/sample-body.tsx';
import { type SampleReading, useSample } from '../../app/sample/use-sample.ts';
import type { SampleScan } from '../../app/sample/use-sample-scan.ts';
import layout from '../../styles/layout.module.css';
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
  const { atHand, failure, readAgain } = useFound(found);
  const { found: hashes, rejected } = found.choice;
  if (atHand === null) return null;
  return (
    <SampleBody
      atHand={atHand}
      hash={found.result.asked}
      asked={found.result.asked}
      scan={scan}
      failure={failure}
      onReadAgain={readAgain}
      above={
        hashes.length === 1 &&
        rejected.length > 0 && (
          <div className={layout.insetLine}>
            <RejectedRuns runs={rejected} />
          </div>
        )
      }
    />
  );
}

/** What can be done with it, in the head of the view. */
export function FoundActions({ found, scan }: FoundSampleProps) {
  const { again } = useLookupDesk();
  const { atHand } = useFound(found);
  return atHand === null ? null : <SampleActions atHand={atHand} scan={scan} onAgain={again} />;
}
