import type { Failure } from '../../../shared/failure.ts';
import { useOperation } from '../../bridge/use-operation.ts';
import { useDownloadOf } from '../../state/downloads.tsx';
import { useWorkspaces } from '../../state/workspaces.ts';
import { type FreshAnswer, type ShownSample, shownSample } from './shown-sample.ts';

/** A sample at hand: what its page draws and acts on. */
export interface SampleAtHand {
  sample: ShownSample;
  /** The current one: whom it is downloaded from, commented at and scanned by, whichever record is shown. */
  workspaceId: string;
  /** The library has told: what this desk says of it is known, and can be changed. */
  isWhole: boolean;
}

export interface SampleReading {
  /** null: nothing is known of it yet, or at all. */
  atHand: SampleAtHand | null;
  failure: Failure | null;
  readAgain(): void;
}

/** What this desk knows of a sample, by any of its hashes; `fresh` is what a service has just said of it. */
export function useSample(hash: string, fresh: FreshAnswer | null = null): SampleReading {
  const { data, error, refetch } = useOperation('library.sample', { hash });
  const { current } = useWorkspaces();
  const library = data ?? null;
  const workspaceId = fresh?.workspaceId ?? current?.id ?? null;
  const md5 = library?.row.md5 ?? fresh?.result.asked ?? '';
  const { download } = useDownloadOf(workspaceId ?? '', md5);
  const sample = shownSample(library, fresh, download);
  return {
    atHand: sample === null || workspaceId === null ? null : { sample, workspaceId, isWhole: library !== null },
    failure: error,
    readAgain: () => void refetch(),
  };
}
