import { useState } from 'react';
import type { Job } from '../../../../shared/domain/job.ts';
import type { ScanFilter, ScannedFile } from '../../../../shared/domain/scan.ts';
import type { Failure } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { mostSamples } from '../../../features/scans/scan-store.tsx';
import { useStartScan } from '../../../features/scans/start-scan.ts';
import { listedSamples } from './listed-samples.ts';

/** Why another scan did not begin. `missing`: the one file that was meant is not in the vault. */
export type Obstacle = { kind: 'failed'; failure: Failure } | { kind: 'missing' } | { kind: 'too-many' };

export interface ScanAgainProps {
  job: Job;
  filter: ScanFilter;
  file: Pick<ScannedFile, 'sha256' | 'inVault'> | null;
}

export interface AnotherScan {
  scanThis(): void;
  scanListed(): void;
  isBusy: boolean;
  obstacle: Obstacle | null;
  dismiss(): void;
}

/** Another scan of what was scanned, by the same sides with the rules as they are now. */
export function useScanAgain({ job: { id, workspaceId, task }, filter, file }: ScanAgainProps): AnotherScan {
  const bridge = useBridge();
  const { start, isStarting, failure } = useStartScan('scans.start');
  const [meant, mean] = useState<'this' | 'listed' | null>(null);
  const [isReading, setReading] = useState(false);
  const [unread, setUnread] = useState<Obstacle | null>(null);
  const begin = (which: 'this' | 'listed', samples: string[]): void => {
    if (workspaceId === null) return;
    mean(which);
    start({ workspaceId, engines: task.kind === 'scan' ? task.engines : 'local', files: [], samples, tlp: null });
  };
  const scanListed = async (): Promise<void> => {
    setReading(true);
    const read = await listedSamples(bridge, id, filter);
    setReading(false);
    if (!read.ok) setUnread({ kind: 'failed', failure: read.failure });
    else if (read.value.length > mostSamples) setUnread({ kind: 'too-many' });
    else begin('listed', read.value);
  };
  return {
    scanThis: () => file !== null && (file.inVault ? begin('this', [file.sha256]) : setUnread({ kind: 'missing' })),
    scanListed: () => void scanListed(),
    isBusy: isReading || isStarting,
    obstacle: unread ?? (failure === null || meant === null ? null : notBegun(failure, meant)),
    dismiss: () => {
      setUnread(null);
      mean(null);
    },
  };
}

/** Of one file it is known which one is not there; of many, the failure names it. */
const notBegun = (failure: Failure, meant: 'this' | 'listed'): Obstacle =>
  meant === 'this' && failure.kind === 'not-in-vault' ? { kind: 'missing' } : { kind: 'failed', failure };
