import { useState } from 'react';
import type { SampleFacts } from '../../../../shared/domain/sample.ts';
import { type Failure, FailureError } from '../../../../shared/failure.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';
import { failureWords } from '../../../components/failure-words.ts';
import { useToast } from '../../../components/toasts.tsx';
import { beginBulk, type ReadHashes } from '../../../features/bulk-download/bulk-tally.ts';
import { useNoteJob } from '../../../state/jobs.tsx';
import { useNavigation } from '../../../state/navigation.tsx';
import { useWorkspaces } from '../../../state/workspaces.tsx';
import { text } from '../text.ts';
import { factPages, type MeantSamples } from './meant-samples.ts';

export interface DownloadAct {
  isBusy: boolean;
  download(meant: Pick<MeantSamples, 'selections'>): void;
}

/** Fetches what is meant and not in the vault, as a job of the workspace one is in. What it comes to is told. */
export function useDownload(): DownloadAct {
  const bridge = useBridge();
  const { current } = useWorkspaces();
  const { openJob } = useNavigation();
  const noteJob = useNoteJob();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const tellFailure = (failure: Failure): void =>
    toast({ meaning: 'bad', text: text.notDone(failureWords(failure).what), failure });
  const begin = async (meant: Pick<MeantSamples, 'selections'>, workspaceId: string): Promise<void> => {
    const { hashes, isEmpty } = await hashesToFetch(factPages(bridge, meant));
    if (isEmpty) return toast({ meaning: 'info', text: text.downloadNone });
    let count = 0;
    const job = await beginBulk(bridge, { workspaceId, hashes, isOver: () => false }, (added) => {
      count = added;
    });
    if (!job.ok) return tellFailure(job.failure);
    noteJob(job.value);
    toast({
      meaning: 'info',
      text: text.downloadBegun(job.value.id, count),
      action: { text: text.show, act: () => openJob(job.value.id) },
    });
  };
  const download = async (meant: Pick<MeantSamples, 'selections'>): Promise<void> => {
    if (current === null) return toast({ meaning: 'bad', text: text.noWorkspace });
    setBusy(true);
    try {
      await begin(meant, current.id);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      tellFailure(error.failure);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, download: (meant) => void download(meant) };
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
