import { useState } from 'react';
import type { SampleFacts } from '../../../../shared/domain/sample.ts';
import type { Failure } from '../../../../shared/failure-kinds.ts';
import { FailureError } from '../../../../shared/failure.ts';
import { exportDialog } from '../../../features/export/selection-dialog.tsx';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { describeFailure } from '../../../components/failure-format.ts';
import { useToast } from '../../../components/toasts.tsx';
import { leftOutOf } from '../../../features/export/left-out.tsx';
import { beginBulk, type ReadHashes } from '../../../features/bulk-download/bulk-tally.ts';
import { mostSamples } from '../../../features/scans/scan-store.tsx';
import { useStartScan } from '../../../features/scans/start-scan.ts';
import { useDialogWhenReady } from '../../../state/app-dialogs.tsx';
import { useNoteJob } from '../../../state/jobs.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { useWorkspaces } from '../../../state/workspaces.tsx';
import { text } from '../strings.ts';
import { factPages, type ActionTarget, mostNamed } from '../../../features/library/action-target.ts';
import type { Reading } from './metadata-fetch.tsx';

export interface DownloadAct {
  isBusy: boolean;
  download(target: Pick<ActionTarget, 'selections' | 'count'>): void;
}

/** Fetches the meant samples that are not in the vault, as a job of the current workspace. The result is reported. */
export function useDownload(): DownloadAct {
  const bridge = useBridge();
  const { current } = useWorkspaces();
  const { openJob } = useNavigation();
  const noteJob = useNoteJob();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const reportFailure = (failure: Failure): void =>
    toast({ meaning: 'bad', text: text.notDone(describeFailure(failure).what), failure });
  const begin = async (target: Pick<ActionTarget, 'selections' | 'count'>, workspaceId: string): Promise<void> => {
    const { hashes, isEmpty } = await hashesToFetch(factPages(bridge, target));
    if (isEmpty) return toast({ meaning: 'info', text: text.downloadNone });
    let count = 0;
    const job = await beginBulk(bridge, { workspaceId, hashes, isOver: () => false }, (added) => {
      count = added;
    });
    if (!job.ok) return reportFailure(job.failure);
    noteJob(job.value);
    toast({
      meaning: 'info',
      text: text.downloadBegun(job.value.id, count, target.count),
      action: { text: text.show, act: () => openJob(job.value.id) },
    });
  };
  const download = async (target: Pick<ActionTarget, 'selections' | 'count'>): Promise<void> => {
    if (current === null) return toast({ meaning: 'bad', text: text.noWorkspace });
    setBusy(true);
    try {
      await begin(target, current.id);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      reportFailure(error.failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, download: (target) => void download(target) };
}

/**
 * Page after page of what the vault does not hold, the first of them read. A page that cannot be read is thrown as its
 * failure.
 */
async function hashesToFetch(pages: ReturnType<typeof factPages>): Promise<{ hashes: ReadHashes; isEmpty: boolean }> {
  let ahead = await nextHashes(pages);
  const hashes: ReadHashes = async () => {
    const page = ahead;
    ahead = page.length === 0 ? [] : await nextHashes(pages);
    return page;
  };
  return { hashes, isEmpty: ahead.length === 0 };
}

/** The next page that has any; an empty one at the end. */
async function nextHashes(pages: ReturnType<typeof factPages>): Promise<string[]> {
  for (;;) {
    const page = await pages.next();
    if (page.done === true) return [];
    if (!page.value.ok) throw new FailureError(page.value.failure);
    const hashes = page.value.value.flatMap(toFetch);
    if (hashes.length > 0) return hashes;
  }
}

/** Repositories know samples by their MD5. */
const toFetch = ({ md5, sha256, sha1, inVault }: SampleFacts): string[] =>
  inVault ? [] : [md5 ?? sha256 ?? sha1].filter((hash) => hash !== null);

/**
 * Exports the meant samples that are in the vault; the host chooses the samples of a query. If the person has moved on
 * while they were read, a notification offers the question.
 */
export function useExport({ read }: Pick<Reading, 'read'>): (target: ActionTarget) => void {
  const toast = useToast();
  const beginAsking = useDialogWhenReady();
  const begin = async (target: ActionTarget): Promise<void> => {
    const [selection, ...others] = target.selections;
    if (selection === undefined) return;
    const ask = beginAsking();
    if (selection.kind === 'query') return ask(exportDialog(selection, target.count));
    if (others.length > 0) return toast({ meaning: 'info', text: text.exportTooMany(mostNamed) });
    const facts = await read(target, mostNamed);
    if (!facts.ok && facts.failure.kind === 'cancelled') return;
    if (!facts.ok)
      return toast({ meaning: 'bad', text: text.notDone(describeFailure(facts.failure).what), failure: facts.failure });
    const sha256s = facts.value.flatMap(({ sha256, inVault }) => (inVault && sha256 !== null ? [sha256] : []));
    if (sha256s.length === 0) return toast({ meaning: 'info', text: text.exportNone });
    const leftOut = leftOutOf(facts.value.filter(({ inVault }) => !inVault));
    ask(exportDialog({ kind: 'samples', sha256s }, sha256s.length, { of: 'samples', leftOut }));
  };
  return (target) => void begin(target);
}

export interface ScanAct {
  isBusy: boolean;
  /** Why the last one did not begin. */
  failure: Failure | null;
  scan(target: ActionTarget): void;
}

/** Scans the meant samples that are in the vault on this computer, and opens the results. */
export function useScan({ read }: Pick<Reading, 'read'>): ScanAct {
  const toast = useToast();
  const { current } = useWorkspaces();
  const { start, isStarting, failure } = useStartScan('scans.start');
  const [isReading, setReading] = useState(false);
  const scan = async (target: ActionTarget): Promise<void> => {
    if (current === null) return toast({ meaning: 'bad', text: text.noWorkspace });
    setReading(true);
    const facts = await read(target, mostSamples, ({ inVault, sha256 }) => inVault && sha256 !== null);
    setReading(false);
    if (!facts.ok && facts.failure.kind === 'cancelled') return;
    if (!facts.ok)
      return toast({ meaning: 'bad', text: text.notDone(describeFailure(facts.failure).what), failure: facts.failure });
    const samples = facts.value.flatMap(({ sha256 }) => sha256 ?? []);
    if (samples.length === 0) return toast({ meaning: 'info', text: text.scanNone });
    if (samples.length > mostSamples) return toast({ meaning: 'info', text: text.scanTooMany(mostSamples) });
    start({ workspaceId: current.id, engines: 'local', files: [], samples, tlp: null }, () => {
      if (samples.length < target.count)
        toast({ meaning: 'info', text: text.scansFewer(samples.length, target.count) });
    });
  };
  return { isBusy: isReading || isStarting, failure, scan: (target) => void scan(target) };
}
