import { useState } from 'react';
import type { Failure } from '../../../../shared/failure.ts';
import { failureWords } from '../../../components/failure-words.ts';
import { useToast } from '../../../components/toasts.tsx';
import { mostSamples } from '../../../features/scans/scan-store.tsx';
import { useStartScan } from '../../../features/scans/start-scan.ts';
import { useWorkspaces } from '../../../state/workspaces.tsx';
import { text } from '../text.ts';
import type { MeantSamples } from './meant-samples.ts';
import type { Reading } from './use-reading.ts';

export interface ScanAct {
  isBusy: boolean;
  /** Why the last one did not begin. */
  failure: Failure | null;
  scan(meant: MeantSamples): void;
}

/** Scans what is meant and in the vault on this desk, and leads to what comes of it. */
export function useScan({ read }: Pick<Reading, 'read'>): ScanAct {
  const toast = useToast();
  const { current } = useWorkspaces();
  const { start, isStarting, failure } = useStartScan('scans.start');
  const [isReading, setReading] = useState(false);
  const scan = async (meant: MeantSamples): Promise<void> => {
    if (current === null) return toast({ meaning: 'bad', text: text.noWorkspace });
    setReading(true);
    const facts = await read(meant, mostSamples, ({ inVault, sha256 }) => inVault && sha256 !== null);
    setReading(false);
    if (!facts.ok && facts.failure.kind === 'cancelled') return;
    if (!facts.ok)
      return toast({ meaning: 'bad', text: text.notDone(failureWords(facts.failure).what), failure: facts.failure });
    const samples = facts.value.flatMap(({ sha256 }) => sha256 ?? []);
    if (samples.length === 0) return toast({ meaning: 'info', text: text.scanNone });
    if (samples.length > mostSamples) return toast({ meaning: 'info', text: text.scanTooMany(mostSamples) });
    start({ workspaceId: current.id, engines: 'local', files: [], samples, tlp: null });
  };
  return { isBusy: isReading || isStarting, failure, scan: (meant) => void scan(meant) };
}
