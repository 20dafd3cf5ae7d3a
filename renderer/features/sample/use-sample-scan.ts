import { useState } from 'react';
import type { Failure } from '../../../shared/failure.ts';
import { useStartScan } from '../scans/start-scan.ts';

export interface SampleScan {
  /** Scans a sample of the vault on this desk, and leads to what comes of it. */
  start(workspaceId: string, sha256: string): void;
  isStarting: boolean;
  /** Why the scan of this sample did not begin; null where another one was asked for. */
  failureOf(sha256: string | null): Failure | null;
}

/** The scan of the sample that is shown: begun in the head of the view, and told below it when it cannot. */
export function useSampleScan(): SampleScan {
  const { start, isStarting, failure } = useStartScan('scans.start');
  const [asked, ask] = useState<string | null>(null);
  return {
    start: (workspaceId, sha256) => {
      ask(sha256);
      start({ workspaceId, engines: 'local', files: [], samples: [sha256], tlp: null });
    },
    isStarting,
    failureOf: (sha256) => (sha256 !== null && sha256 === asked ? failure : null),
  };
}
